import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { redactSecrets } from "../../../access/credentials.ts";
import {
  type BulkLine,
  type BulkOptions,
  type BulkReport,
  type BulkResult,
  type BulkSummary,
  saveBulk,
  saveBulkWhole,
  tryBulk,
} from "../../../content/editing/bulk.ts";
import { AppError } from "../../../errors.ts";
import type { HttpAnswer } from "../../exchange.ts";
import { bulkLines } from "../bulk-lines.ts";
import { apiProblem, problemOf } from "../refusal.ts";
import { defineStream, type Route, type StreamCall } from "../route.ts";

const NDJSON = "application/x-ndjson";
/** What is held in memory of a bulk that is saved whole or not at all. */
const WHOLE_BYTES_MAX = 16 * 1024 * 1024;
/** Reports held back while the client sends and does not read. */
const REPORTS_BYTES_MAX = 4 * 1024 * 1024;
/** Lines that have come wait no longer for more. */
const PATIENCE_MILLISECONDS = 200;
/** A request waits for a few of these, in steps of its own. */
const TURN_MILLISECONDS_MAX = 2;

const querySchema = z.strictObject({
  mode: z.enum(["best-effort", "all-or-nothing", "dry-run"]).default("best-effort").meta({
    description:
      "all-or-nothing and dry-run take up to 16 MiB; best-effort is without end, and saves in blocks",
  }),
  publish: z.enum(["true", "false"]).exactOptional().meta({
    description: "Publish every item (true) or make it a draft (false), whatever its line states",
  }),
  report: z.enum(["all", "problems"]).default("all").meta({
    description: "A report of every line, or only of those with problems; the summary always",
  }),
});

type BulkCall = StreamCall<z.output<typeof querySchema>>;

const bulk = defineStream({
  method: "POST",
  path: "/content/bulk",
  scope: "content:write",
  summary:
    "Save items by their source keys, one JSON object a line; answers a report a line, then a summary",
  query: querySchema,
  accepts: [NDJSON, "application/jsonl"],
  gives: [NDJSON],
  async answer(call) {
    const lines = bulkLines(call.request, {
      types: await call.stores.content.types(),
      now: call.now,
      draining: call.parts.draining,
    });
    const { mode, publish } = call.query;
    const options: BulkOptions = {
      now: call.now,
      requestId: call.requestId,
      takeTurns: takingTurns(),
      ...(publish === undefined ? {} : { status: publish === "true" ? "published" : "draft" }),
    };
    if (mode === "best-effort") {
      call.request.liftTimeLimit();
      return await streamed(call, lines, options);
    }
    const held = await heldLines(lines);
    const { content } = call.stores;
    const run = mode === "all-or-nothing" ? saveBulkWhole : tryBulk;
    const { reports, summary }: BulkResult = await run(content, call.actor, held, options);
    const body = textOf(reports, call.query.report) + textOf(summary, call.query.report);
    return { status: 200, headers: { "Content-Type": NDJSON }, body };
  },
});

export const bulkRoutes: readonly Route[] = [bulk];

/** Reads on only as far as reports are taken, so that neither side fills the memory. */
async function streamed(
  call: BulkCall,
  lines: AsyncIterable<BulkLine>,
  options: BulkOptions,
): Promise<HttpAnswer> {
  const { stores, actor, query } = call;
  const source = untilFault(lines);
  const saving = saveBulk(stores.content, actor, source.lines, {
    ...options,
    patience: () => sleep(PATIENCE_MILLISECONDS),
  });
  const encoder = new TextEncoder();
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await saving.next();
          if (isCancelled) return;
          if (done !== true) controller.enqueue(encoder.encode(textOf(value, query.report)));
          else if (source.fault === undefined) controller.close();
          else throw source.fault;
        } catch (error) {
          if (isCancelled) return;
          controller.enqueue(encoder.encode(endOf(error, call)));
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
  return { status: 200, headers: { "Content-Type": NDJSON }, body };
}

/** Ends the lines where they break off, so that those before are saved and counted. */
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

/** The last line of a bulk that ended early. */
function endOf(error: unknown, { requestId, parts }: BulkCall): string {
  const told = problemOf(error, requestId)?.problem;
  if (told === undefined) parts.log.error({ err: error, requestId }, "A bulk failed");
  const problem = told ?? apiProblem({ status: 500, detail: "Internal error", requestId });
  return `${JSON.stringify({ error: problem })}\n`;
}

function textOf(told: BulkReport[] | BulkSummary, report: "all" | "problems"): string {
  if (!Array.isArray(told)) return `${JSON.stringify({ summary: told })}\n`;
  const wanted = report === "all" ? told : told.filter(({ problems }) => problems !== undefined);
  return redactSecrets(wanted.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/** @throws {AppError} `too_large`. */
async function heldLines(lines: AsyncIterable<BulkLine>): Promise<BulkLine[]> {
  const held: BulkLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    bytes += line.bytes + 1;
    if (bytes > WHOLE_BYTES_MAX) {
      const message = `This mode takes up to ${WHOLE_BYTES_MAX / 1024 / 1024} MiB; send it as mode=best-effort, which a repeat makes whole`;
      throw new AppError("too_large", message);
    }
    held.push(line);
  }
  return held;
}

function takingTurns(): () => Promise<void> {
  let begun = performance.now();
  return async () => {
    if (performance.now() - begun < TURN_MILLISECONDS_MAX) return;
    await nextTurn();
    begun = performance.now();
  };
}
