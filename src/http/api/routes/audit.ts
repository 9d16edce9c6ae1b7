import { z } from "zod";
import {
  type AuditEntryWithActorName,
  auditFilterSchema,
  exportAuditLog,
  readAuditLogPage,
} from "../../../access/audit.ts";
import { decodeCursor, toCursorPage } from "../../../content/lists/cursor.ts";
import { pageQueryShape } from "../page-query.ts";
import { defineRoute, defineStreamRoute, NO_BODY, type Route } from "../route.ts";

const entryResponseSchema = z
  .object({
    number: z.int(),
    at: z.string(),
    actor: z.string(),
    actorName: z.string().nullable().meta({ description: "The present name of the person or key" }),
    action: z.string(),
    target: z.string(),
    revisionBefore: z.int().nullable(),
    revisionAfter: z.int().nullable(),
    requestId: z.string().nullable(),
    detail: z.string().nullable(),
  })
  .meta({ id: "AuditEntry" });

const list = defineRoute({
  method: "GET",
  path: "/audit",
  scope: "audit:read",
  summary: "List changes and who made them, latest first",
  query: auditFilterSchema.extend(pageQueryShape),
  body: NO_BODY,
  response: z.object({ items: z.array(entryResponseSchema), nextCursor: z.string().nullable() }),
  async answer({ stores, actor, query: { limit, cursor, ...filter } }) {
    const start =
      cursor === undefined ? {} : { before: decodeCursor(cursor, filter, z.int().min(1)) };
    const entries = await readAuditLogPage(stores.audit, actor, {
      ...filter,
      ...start,
      limit: limit + 1,
    });
    return {
      body: toCursorPage(entries, { limit, query: filter, positionOf: ({ number }) => number }),
    };
  },
});

const exportLog = defineStreamRoute({
  method: "GET",
  path: "/audit/export",
  scope: "audit:read",
  summary: "Export the log: every matching entry, oldest first, one JSON object per line",
  query: auditFilterSchema,
  accepts: [],
  produces: ["application/x-ndjson"],
  async answer({ stores, actor, query }) {
    const lines = await withFirstFetched(ndjson(exportAuditLog(stores.audit, actor, query)));
    const body = ReadableStream.from(lines);
    return { status: 200, headers: { "Content-Type": "application/x-ndjson" }, body };
  },
});

export const auditRoutes: readonly Route[] = [list, exportLog];

/**
 * Fetches the first line before the response starts, so that an early failure becomes an error response.
 */
async function withFirstFetched<T>(lines: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  const first = await lines.next();
  return (async function* () {
    if (first.done !== true) yield first.value;
    yield* lines;
  })();
}

async function* ndjson(
  entries: AsyncIterable<AuditEntryWithActorName>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const entry of entries) yield encoder.encode(`${JSON.stringify(entry)}\n`);
}
