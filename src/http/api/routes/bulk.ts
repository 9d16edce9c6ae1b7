import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { redactIssuedSecrets } from "../../../access/credentials.ts";
import { revalidateActor } from "../../../access/revalidation.ts";
import {
  type BulkLine,
  type BulkLineReport,
  type BulkOptions,
  type BulkResult,
  type BulkSummary,
  dryRunBulk,
  saveBulk,
  saveBulkAtomically,
} from "../../../content/editing/bulk.ts";
import { findReferencesToUnchecked, type References } from "../../../content/editing/references.ts";
import { readSiteTimeZone } from "../../../content/site/time-zone.ts";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import type { HttpResponse } from "../../exchange.ts";
import { apiProblem, problemFromError } from "../api-problem.ts";
import { parseBulkLines } from "../bulk-lines.ts";
import { defineStreamRoute, type Route, type StreamCall } from "../route.ts";
import { REFERENCES_SHOWN_MAX, referencesQuerySchema } from "./content.ts";

const NDJSON_TYPE = "application/x-ndjson";
/** Size limit of an atomic bulk request, which is buffered in memory. */
const WHOLE_BYTES_MAX = 16 * 1024 * 1024;
/** Size limit of the reports buffered for a client that does not read. */
const REPORTS_BYTES_MAX = 4 * 1024 * 1024;
/** How long a batch waits for more lines before it is saved. */
const BATCH_WAIT_MILLISECONDS = 200;
/** Time slice between yields to other requests. */
const SLICE_MILLISECONDS = 2;

const querySchema = referencesQuerySchema.extend({
  mode: z.enum(["best-effort", "all-or-nothing", "dry-run"]).default("best-effort").meta({
    description:
      "all-or-nothing and dry-run take up to 16 MiB; best-effort has no limit and saves in blocks",
  }),
  publish: z.enum(["true", "false"]).exactOptional().meta({
    description: "Publish every item (true) or make it a draft (false), regardless of its line",
  }),
  report: z.enum(["all", "problems"]).default("all").meta({
    description: "Report every line, or only those with problems; the summary is always sent",
  }),
});

type BulkCall = StreamCall<z.output<typeof querySchema>>;

const bulk = defineStreamRoute({
  method: "POST",
  path: "/content/bulk",
  scope: "content:write",
  summary:
    "Save items by their source keys, one JSON object per line; responds with a report per line and a summary",
  query: querySchema,
  accepts: [NDJSON_TYPE, "application/jsonl"],
  produces: [NDJSON_TYPE],
  async answer(call) {
    const lines = parseBulkLines(call.request, {
      types: await call.stores.content.types(),
      now: call.now,
      timeZone: await readSiteTimeZone(call.stores.content),
      draining: call.parts.draining,
      yieldBetween: yieldBetween(),
    });
    const { mode, publish } = call.query;
    const options: BulkOptions = {
      now: call.now,
      requestId: call.requestId,
      yieldBetween: yieldBetween(),
      ...(call.query.references === "keep" ? {} : { referencesOf: referencesIn(call) }),
      ...(publish === undefined ? {} : { status: publish === "true" ? "published" : "draft" }),
    };
    if (mode === "best-effort") {
      call.request.liftTimeLimit();
      return await streamReports(call, lines, options);
    }
    const buffered = await bufferedLines(lines);
    const { content } = call.stores;
    const run = mode === "all-or-nothing" ? saveBulkAtomically : dryRunBulk;
    const { reports, summary }: BulkResult = await run(content, call.actor, buffered, options);
    const body = jsonLines(reports, call.query.report) + jsonLines(summary, call.query.report);
    return { status: 200, headers: { "Content-Type": NDJSON_TYPE }, body };
  },
});

function referencesIn({ stores, parts }: BulkCall): (id: string) => Promise<References> {
  return async (id) =>
    await findReferencesToUnchecked({ ...stores, ...parts }, id, REFERENCES_SHOWN_MAX);
}

export const bulkRoutes: readonly Route[] = [bulk];

/**
 * Streams the reports. Reads input only as fast as the client reads reports, which bounds memory.
 */
async function streamReports(
  call: BulkCall,
  lines: AsyncIterable<BulkLine>,
  options: BulkOptions,
): Promise<HttpResponse> {
  const { stores, actor, query } = call;
  const source = untilFault(lines);
  const saving = saveBulk(stores.content, actor, source.lines, {
    ...options,
    flushAfter: () => sleep(BATCH_WAIT_MILLISECONDS),
    // The stream may stay open for hours after the key was authenticated.
    revalidate: (actor) => revalidateActor(actor, stores, call.parts.now()),
  });
  const encoder = new TextEncoder();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await saving.next();
          if (isCancelled) return;
          if (done !== true) controller.enqueue(encoder.encode(jsonLines(value, query.report)));
          else if (source.fault === undefined) controller.close();
          else throw source.fault;
        } catch (error) {
          if (isCancelled) return;
          controller.enqueue(encoder.encode(errorLine(error, call)));
          controller.close();
        }
      },
      async cancel() {
        isCancelled = true;
        await saving.return(undefined);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: REPORTS_BYTES_MAX }),
  );
  return { status: 200, headers: { "Content-Type": NDJSON_TYPE }, body };
}

/** Ends the lines at the first fault instead of throwing, so that the preceding lines are saved. */
function untilFault(lines: AsyncIterable<BulkLine>): {
  lines: AsyncIterable<BulkLine>;
  fault?: unknown;
} {
  const source: { lines: AsyncIterable<BulkLine>; fault?: unknown } = { lines: read() };
  async function* read(): AsyncGenerator<BulkLine> {
    try {
      yield* lines;
    } catch (error) {
      source.fault = error;
    }
  }
  return source;
}

/** The last report line of a bulk request that ended early. */
function errorLine(error: unknown, { requestId, parts }: BulkCall): string {
  const known = problemFromError(error, requestId)?.problem;
  if (known === undefined) parts.log.error({ err: error, requestId }, "A bulk failed");
  const problem = known ?? apiProblem({ status: 500, detail: "Internal error", requestId });
  return `${JSON.stringify({ error: problem })}\n`;
}

function jsonLines(output: BulkLineReport[] | BulkSummary, report: "all" | "problems"): string {
  if (!Array.isArray(output)) return `${JSON.stringify({ summary: output })}\n`;
  const reported =
    report === "all" ? output : output.filter(({ problems }) => problems !== undefined);
  return redactIssuedSecrets(reported.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** @throws {AppError} `too_large`. */
async function bufferedLines(lines: AsyncIterable<BulkLine>): Promise<BulkLine[]> {
  const buffered: BulkLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    bytes += line.bytes + 1;
    if (bytes > WHOLE_BYTES_MAX) {
      const message = `This mode takes up to ${WHOLE_BYTES_MAX / 1024 / 1024} MiB; send it as mode=best-effort, which a repeat makes whole`;
      throw new AppError("too_large", englishOnlyWording(message));
    }
    buffered.push(line);
  }
  return buffered;
}

function yieldBetween(): () => Promise<void> {
  let sliceStart = performance.now();
  return async () => {
    if (performance.now() - sliceStart < SLICE_MILLISECONDS) return;
    await nextTurn();
    sliceStart = performance.now();
  };
}
