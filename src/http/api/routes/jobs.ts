import { z } from "zod";
import { GENERATOR_CHOICES_OR_DETECT } from "../../../content/site/import-choices/generator-choices.ts";
import {
  repeatImport,
  requestImport,
  requestSiteImport,
} from "../../../transfer/import-requests.ts";
import type { Job } from "../../../transfer/job.ts";
import {
  cancelJob,
  inspectJob,
  listJobs,
  openJobResult,
  requestExport,
} from "../../../transfer/jobs.ts";
import { type HttpResponse, responseWithContentLength } from "../../exchange.ts";
import { IMPORT_MEDIA_TYPES } from "../file-kinds.ts";
import { streamJobEvents } from "../job-events.ts";
import { pageQueryShape } from "../page-query.ts";
import { defineRoute, defineStreamRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { API_PATH } from "../route-table.ts";
import {
  JSON_LINES_MEDIA_TYPES,
  MULTIPART_FORM_MEDIA_TYPE,
  readImportUpload,
} from "./import-input.ts";
import {
  columnTargetsSchema,
  jobResponseSchema,
  jobToListEntry,
  toJobResponse,
} from "./job-shapes.ts";

const NAME_CHARACTERS_MAX = 200;
const COLUMNS_CHARACTERS_MAX = 8000;
const AS_MAX = 50;
const EVENTS_TYPE = "text/event-stream";

const flag = z
  .enum(["true", "false"])
  .default("false")
  .transform((word) => word === "true");

const imports = defineStreamRoute({
  method: "POST",
  path: "/imports",
  scope: "transfer:run",
  summary:
    "Import JSON lines or any file that the command line reads, or several as a form (multipart/form-data), in the background; needs content:write as well, and for other files than lines and tables content:publish and media:write",
  query: z.strictObject({
    status: z
      .enum(["draft", "published"])
      .exactOptional()
      .meta({ description: "Overrides the status in each item" }),
    prefer: z.enum(["file", "site"]).exactOptional().meta({
      description:
        "What wins where an item was changed both on the site and in the file; otherwise it stays as it is, as a conflict",
    }),
    lenient: flag.meta({ description: "Ignore undeclared keys and types" }),
    dryRun: flag.meta({ description: "Report the outcome without changing anything" }),
    type: z.string().max(NAME_CHARACTERS_MAX).exactOptional().meta({
      description:
        "Of a table or bibliography: the content type of its rows or entries; otherwise it is guessed",
    }),
    sheet: z
      .string()
      .max(NAME_CHARACTERS_MAX)
      .exactOptional()
      .meta({ description: "Of a workbook: the sheet to read; otherwise the first" }),
    as: z.string().max(COLUMNS_CHARACTERS_MAX).exactOptional().meta({
      description:
        "Of a folder or an export: pairs of types that correct what posts become, post=page,portfolio=work; otherwise as in the last import of a file of this name, unless it is empty",
    }),
    generator: z.enum(GENERATOR_CHOICES_OR_DETECT).exactOptional().meta({
      description:
        "Of a folder: the site generator it was written for, where another one is recognised; otherwise as in the last import of a file of this name, unless it is detect",
    }),
    columns: z.string().max(COLUMNS_CHARACTERS_MAX).exactOptional().meta({
      description:
        'Of a table: corrections of the guessed mapping as a JSON object of places by column, {"Wer": "authors", "Notiz": "-"}; the name of any file is taken from Content-Disposition',
    }),
  }),
  accepts: [...JSON_LINES_MEDIA_TYPES, ...IMPORT_MEDIA_TYPES, MULTIPART_FORM_MEDIA_TYPE],
  produces: ["application/json"],
  async answer({ actor, query, request, stores, parts, now, requestId }) {
    await using upload = await readImportUpload(request, query, parts.draining);
    const { input, file, others, bytesAtLeast } = upload;
    const job = await requestImport({ jobs: stores.jobs, files: parts.jobFiles }, actor, {
      ...{ file, bytesAtLeast },
      ...(others === undefined ? {} : { others }),
      choices: {
        status: query.status ?? null,
        ...(query.prefer === undefined ? {} : { prefer: query.prefer }),
        isLenient: query.lenient,
        isDryRun: query.dryRun,
        ...(input === null ? {} : { file: input }),
      },
      now,
      requestId,
    });
    return jsonResponse(202, job, { Location: `${API_PATH}/jobs/${job.id}` });
  },
});

const ADDRESS_CHARACTERS_MAX = 2000;

const siteImport = defineRoute({
  method: "POST",
  path: "/imports/site",
  scope: "transfer:run",
  summary:
    "Copy a live site in the background, a page a second, and report what importing it would do; POST /jobs/{id}/repeat imports the copy. Needs content:write, content:publish and media:write as well",
  query: NO_QUERY,
  body: z.strictObject({
    address: z
      .string()
      .min(1)
      .max(ADDRESS_CHARACTERS_MAX)
      .meta({ description: "Where the site begins, such as https://example.org/" }),
    wordpress: z.boolean().default(false).meta({
      description:
        "Read the REST interface of WordPress instead of pages: texts with dates, topics and authors; files are fetched when the copy is imported",
    }),
  }),
  response: jobResponseSchema,
  async answer({ actor, body: { address, wordpress: isWordPress }, stores, now, requestId }) {
    const options = { isWordPress, now, requestId };
    const job = await requestSiteImport(stores.jobs, actor, address, options);
    const headers = { Location: `${API_PATH}/jobs/${job.id}` };
    return { status: 202, body: toJobResponse(job), headers };
  },
});

const repeat = defineRoute({
  method: "POST",
  path: "/jobs/{id}/repeat",
  scope: "transfer:run",
  summary: "Import the same file again, as after its dry run; needs what its import needed",
  query: NO_QUERY,
  body: z.strictObject({
    dryRun: z.boolean().default(false),
    lenient: z.boolean().default(false),
    status: z.enum(["draft", "published"]).nullable().default(null),
    prefer: z.enum(["file", "site"]).nullable().default(null),
    type: z.string().max(NAME_CHARACTERS_MAX).nullable().default(null),
    sheet: z.string().max(NAME_CHARACTERS_MAX).nullable().default(null),
    columns: columnTargetsSchema.default({}),
    as: z.array(z.string().max(NAME_CHARACTERS_MAX)).max(AS_MAX).nullable().default(null),
    generator: z.enum(GENERATOR_CHOICES_OR_DETECT).nullable().default(null),
  }),
  response: jobResponseSchema,
  async answer({ actor, pathParameter, body, stores, now, requestId }) {
    const { dryRun: isDryRun, lenient: isLenient, prefer, as, generator, ...others } = body;
    const changes = {
      ...{ isDryRun, isLenient, ...others },
      ...(prefer === null ? {} : { prefer }),
      ...(as === null ? {} : { as }),
      ...(generator === null ? {} : { generator }),
    };
    const job = await repeatImport(stores.jobs, actor, pathParameter("id"), {
      changes,
      now,
      requestId,
    });
    const headers = { Location: `${API_PATH}/jobs/${job.id}` };
    return { status: 202, body: toJobResponse(job), headers };
  },
});

const startExport = defineRoute({
  method: "POST",
  path: "/exports",
  scope: "transfer:run",
  summary: "Export the whole site in the background, as a ZIP that an import takes back",
  query: NO_QUERY,
  body: NO_BODY,
  response: jobResponseSchema,
  async answer({ actor, stores, now, requestId }) {
    const job = await requestExport(stores.jobs, actor, { now, requestId });
    return {
      status: 202,
      body: toJobResponse(job),
      headers: { Location: `${API_PATH}/jobs/${job.id}` },
    };
  },
});

const list = defineRoute({
  method: "GET",
  path: "/jobs",
  scope: "transfer:run",
  summary: "List imports and exports of the last week, latest first",
  query: z.strictObject(pageQueryShape),
  body: NO_BODY,
  response: z.object({ items: z.array(jobResponseSchema), nextCursor: z.string().nullable() }),
  async answer({ actor, stores, query }) {
    const page = await listJobs(stores.jobs, actor, query);
    return { body: { items: page.items.map(jobToListEntry), nextCursor: page.nextCursor } };
  },
});

const inspect = defineStreamRoute({
  method: "GET",
  path: "/jobs/{id}",
  scope: "transfer:run",
  summary: "Get the progress of a job; as server-sent events if Accept is text/event-stream",
  query: NO_QUERY,
  accepts: [],
  produces: ["application/json", EVENTS_TYPE],
  async answer({ actor, pathParameter, request, stores }) {
    const readJob = async () => await inspectJob(stores.jobs, actor, pathParameter("id"));
    const job = await readJob();
    if (!(request.header("accept") ?? "").includes(EVENTS_TYPE)) return jsonResponse(200, job);
    return {
      status: 200,
      headers: { "Content-Type": EVENTS_TYPE, "X-Accel-Buffering": "no" },
      body: streamJobEvents(async () => toJobResponse(await readJob())),
    };
  },
});

const result = defineStreamRoute({
  method: "GET",
  path: "/jobs/{id}/result",
  scope: "transfer:run",
  summary: "Download the ZIP of an export, or of an import the whole report: report.csv in a ZIP",
  query: NO_QUERY,
  accepts: [],
  produces: ["application/zip"],
  async answer({ actor, pathParameter, stores, parts }) {
    const files = parts.jobFiles;
    const file = await openJobResult({ jobs: stores.jobs, files }, actor, pathParameter("id"));
    return {
      status: 200,
      headers: {
        "Content-Type": "application/zip",
        "Content-Length": String(file.bytes),
        "Content-Disposition": `attachment; filename="${file.name}"`,
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
  response: jobResponseSchema,
  async answer({ actor, pathParameter, stores, now, requestId }) {
    const job = await cancelJob(stores.jobs, actor, pathParameter("id"), { now, requestId });
    return { status: 202, body: toJobResponse(job) };
  },
});

export const jobRoutes: readonly Route[] = [
  imports,
  siteImport,
  repeat,
  startExport,
  list,
  inspect,
  result,
  cancel,
];

function jsonResponse(
  status: number,
  job: Job,
  headers: Record<string, string> = {},
): HttpResponse {
  const allHeaders = { "Content-Type": "application/json", ...headers };
  return responseWithContentLength(status, allHeaders, JSON.stringify(toJobResponse(job)));
}
