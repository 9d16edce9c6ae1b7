import { z } from "zod";
import type { Job } from "../../../transfer/job.ts";
import {
  cancelJob,
  inspectJob,
  listJobs,
  openResult,
  requestExport,
  requestImport,
} from "../../../transfer/jobs.ts";
import { type HttpAnswer, wholeAnswer } from "../../exchange.ts";
import { arrivingBytes } from "../arriving-bytes.ts";
import { jobEvents } from "../job-events.ts";
import { pageQuery } from "../page-query.ts";
import { defineRoute, defineStream, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { API_PATH } from "../route-table.ts";

const LINES_TYPES = ["application/x-ndjson", "application/jsonl"];
const EVENTS_TYPE = "text/event-stream";

const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((word) => word === "true");

const shownJob = z
  .object({
    id: z.string(),
    kind: z.enum(["import", "export"]),
    state: z.enum(["queued", "running", "done", "failed", "cancelled"]),
    createdAt: z.string(),
    createdBy: z.string(),
    startedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    progress: z.object({ done: z.int(), total: z.int() }),
    options: z
      .object({
        status: z.enum(["draft", "published"]).nullable(),
        lenient: z.boolean(),
        dryRun: z.boolean(),
      })
      .nullable(),
    report: z
      .object({
        created: z.int(),
        updated: z.int(),
        unchanged: z.int(),
        failed: z.int(),
        problemsTotal: z.int(),
        problems: z.array(
          z.object({
            line: z.int(),
            field: z.string(),
            message: z.string(),
            severity: z.enum(["error", "warning"]),
          }),
        ),
      })
      .nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "Job" });

const imports = defineStream({
  method: "POST",
  path: "/imports",
  scope: "transfer:run",
  summary: "Import JSON lines in the background; needs content:write as well",
  query: z.strictObject({
    status: z
      .enum(["draft", "published"])
      .exactOptional()
      .meta({ description: "Overrides the status in each item" }),
    lenient: flag.meta({ description: "Ignore undeclared keys and types" }),
    dryRun: flag.meta({ description: "Report the outcome without changing anything" }),
  }),
  accepts: LINES_TYPES,
  produces: ["application/json"],
  async answer({ actor, query, request, stores, parts, now, requestId }) {
    request.liftTimeLimit();
    const job = await requestImport({ jobs: stores.jobs, files: parts.jobFiles }, actor, {
      bytes: arrivingBytes(request, {
        advice: "nothing was kept; send the lines again",
        draining: parts.draining,
      }),
      choices: {
        status: query.status ?? null,
        isLenient: query.lenient,
        isDryRun: query.dryRun,
      },
      now,
      requestId,
    });
    return jsonResponse(202, job, { Location: `${API_PATH}/jobs/${job.id}` });
  },
});

const exports = defineRoute({
  method: "POST",
  path: "/exports",
  scope: "transfer:run",
  summary: "Export all items as JSON lines in the background",
  query: NO_QUERY,
  body: NO_BODY,
  reply: shownJob,
  async answer({ actor, stores, now, requestId }) {
    const job = await requestExport(stores.jobs, actor, { now, requestId });
    return {
      status: 202,
      body: toReply(job),
      headers: { Location: `${API_PATH}/jobs/${job.id}` },
    };
  },
});

const list = defineRoute({
  method: "GET",
  path: "/jobs",
  scope: "transfer:run",
  summary: "List imports and exports of the last week, latest first",
  query: z.strictObject(pageQuery),
  body: NO_BODY,
  reply: z.object({ items: z.array(shownJob), nextCursor: z.string().nullable() }),
  async answer({ actor, stores, query }) {
    const page = await listJobs(stores.jobs, actor, query);
    return { body: { items: page.items.map(toReply), nextCursor: page.nextCursor } };
  },
});

const inspect = defineStream({
  method: "GET",
  path: "/jobs/{id}",
  scope: "transfer:run",
  summary: "Get the progress of a job; as server-sent events if Accept is text/event-stream",
  query: NO_QUERY,
  accepts: [],
  produces: ["application/json", EVENTS_TYPE],
  async answer({ actor, part, request, stores }) {
    const readJob = async () => await inspectJob(stores.jobs, actor, part("id"));
    const job = await readJob();
    if (!(request.header("accept") ?? "").includes(EVENTS_TYPE)) return jsonResponse(200, job);
    return {
      status: 200,
      headers: { "Content-Type": EVENTS_TYPE, "X-Accel-Buffering": "no" },
      body: jobEvents(async () => toReply(await readJob())),
    };
  },
});

const result = defineStream({
  method: "GET",
  path: "/jobs/{id}/result",
  scope: "transfer:run",
  summary: "Download the file of an export",
  query: NO_QUERY,
  accepts: [],
  produces: ["application/x-ndjson"],
  async answer({ actor, part, stores, parts }) {
    const files = parts.jobFiles;
    const file = await openResult({ jobs: stores.jobs, files }, actor, part("id"));
    return {
      status: 200,
      headers: {
        "Content-Type": "application/x-ndjson",
        "Content-Length": String(file.bytes),
        "Content-Disposition": 'attachment; filename="export.jsonl"',
      },
      body: file.stream(),
    };
  },
});

const cancel = defineRoute({
  method: "DELETE",
  path: "/jobs/{id}",
  scope: "transfer:run",
  summary: "Cancel a job; items already imported stay",
  query: NO_QUERY,
  body: NO_BODY,
  reply: shownJob,
  async answer({ actor, part, stores, now, requestId }) {
    const job = await cancelJob(stores.jobs, actor, part("id"), { now, requestId });
    return { status: 202, body: toReply(job) };
  },
});

export const jobRoutes: readonly Route[] = [imports, exports, list, inspect, result, cancel];

function toReply({ choices, report, ...job }: Job): z.output<typeof shownJob> {
  return {
    ...job,
    options:
      choices === null
        ? null
        : { status: choices.status, lenient: choices.isLenient, dryRun: choices.isDryRun },
    report:
      report === null
        ? null
        : { ...report, problems: report.problems.map(({ file: _none, ...problem }) => problem) },
  };
}

function jsonResponse(status: number, job: Job, headers: Record<string, string> = {}): HttpAnswer {
  const all = { "Content-Type": "application/json", ...headers };
  return wholeAnswer(status, all, JSON.stringify(toReply(job)));
}
