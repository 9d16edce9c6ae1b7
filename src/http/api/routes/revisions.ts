import { z } from "zod";
import { diffItems } from "../../../content/editing/item-changes.ts";
import {
  listRevisions,
  readRevision,
  restoreRevision,
} from "../../../content/editing/revisions.ts";
import type { Revision } from "../../../content/record.ts";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { pageQueryShape } from "../page-query.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { changedItemResponse, readCurrentRevisionNumber } from "./content.ts";
import { itemResponseSchema, revisionResponseSchema } from "./content-shapes.ts";

/** Maximum number of items on a page. The list returns whole items, and an item can take up 1 MiB. */
const FULL_ITEMS_MAX = 10;

const list = defineRoute({
  method: "GET",
  path: "/content/{id}/revisions",
  scope: "content:read",
  summary: "List the revisions of an item, latest first; with their content only if detail=full",
  query: z.strictObject({ detail: z.enum(["short", "full"]).default("short"), ...pageQueryShape }),
  body: NO_BODY,
  response: z.object({ items: z.array(revisionResponseSchema), nextCursor: z.string().nullable() }),
  async answer({ stores, actor, pathParameter, query: { detail, limit, ...page } }) {
    const id = pathParameter("id");
    const { revisions, nextCursor } = await listRevisions(stores, actor, id, {
      ...page,
      limit: detail === "full" ? Math.min(limit, FULL_ITEMS_MAX) : limit,
    });
    if (detail === "short") return { body: { items: revisions, nextCursor } };
    const items = await Promise.all(
      revisions.map(({ revision }) => readRevision(stores.content, actor, id, revision)),
    );
    return { body: { items: items.map(withNumber), nextCursor } };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/content/{id}/revisions/{n}",
  scope: "content:read",
  summary: "Get an item as it was at a revision",
  query: NO_QUERY,
  body: NO_BODY,
  response: revisionResponseSchema.required(),
  async answer({ stores, actor, pathParameter }) {
    const revision = await readRevision(
      stores.content,
      actor,
      pathParameter("id"),
      parseRevisionNumber(pathParameter("n")),
    );
    return { body: withNumber(revision), state: revision.item.revision };
  },
});

const difference = defineRoute({
  method: "GET",
  path: "/content/{id}/revisions/{n}/difference",
  scope: "content:read",
  summary: "Compare a revision with the one before it, or with another",
  query: z.strictObject({ from: z.string().exactOptional() }),
  body: NO_BODY,
  response: z.object({
    from: z.int(),
    to: z.int(),
    changes: z.array(
      z.object({
        part: z.string(),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
        lines: z
          .array(
            z.object({
              kind: z.enum(["same", "removed", "added", "skipped"]),
              text: z.string().exactOptional(),
              lines: z.int().exactOptional(),
            }),
          )
          .exactOptional(),
      }),
    ),
  }),
  async answer({ stores, actor, pathParameter, query }) {
    const to = parseRevisionNumber(pathParameter("n"));
    const from = query.from === undefined ? Math.max(1, to - 1) : parseRevisionNumber(query.from);
    const after = await readRevision(stores.content, actor, pathParameter("id"), to);
    const before = await readRevision(stores.content, actor, pathParameter("id"), from);
    return { body: { from, to, changes: diffItems(before.item, after.item) } };
  },
});

const restore = defineRoute({
  method: "POST",
  path: "/content/{id}/revisions/{n}/restore",
  scope: "content:write",
  summary:
    "Restore the content of an earlier revision; path and status stay, a deleted item becomes a draft",
  query: NO_QUERY,
  body: NO_BODY,
  response: itemResponseSchema,
  stateToMatch: readCurrentRevisionNumber,
  async answer(call) {
    const { stores, actor, pathParameter, now, requestId } = call;
    const restored = parseRevisionNumber(pathParameter("n"));
    await restoreRevision(stores.content, actor, pathParameter("id"), {
      restore: restored,
      now,
      requestId,
    });
    return await changedItemResponse(call, pathParameter("id"));
  },
});

export const revisionRoutes: readonly Route[] = [list, read, difference, restore];

/** @throws {AppError} `not_found` if `text` is not a revision number. */
export function parseRevisionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new AppError(
    "not_found",
    englishOnlyWording(`"${text}" is not a revision; they are numbered from 1`),
  );
}

function withNumber({ item, ...rest }: Revision): Revision & { revision: number } {
  return { revision: item.revision, ...rest, item };
}
