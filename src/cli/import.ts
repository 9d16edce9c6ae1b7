import { dirname, join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import type { Actor } from "../access/actor.ts";
import { createSiteRedirectOptions } from "../app/site/redirect-options.ts";
import { mayHaveOtherWriters, openMediaFiles } from "../app/store.ts";
import type { Config } from "../config.ts";
import { BATCH_ITEMS_MAX } from "../content/editing/batch-saving.ts";
import { type ImportTotals, mapFileNamesInEvents } from "../content/import/import-events.ts";
import type { FileProblem } from "../content/import/import-items.ts";
import { sourceNameOfFile } from "../content/import/tables/reading/open-table-import.ts";
import type { ContentRecord, DryRunner } from "../content/record.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { ImportFiles } from "../importing/import-files.ts";
import { createFilePublisher } from "../importing/publish-files.ts";
import { importWithSavedChoices } from "../importing/saved-choices.ts";
import { unpackSources } from "../importing/unpack-sources.ts";
import type { UploadSource } from "../importing/wordpress/uploads.ts";
import { readSiteIdOfBase, SYNC_BASE_FOLDER } from "../syncing/sync-base.ts";
import { VERSION } from "../version.ts";
import type { ImportFlags } from "./import-flags.ts";
import {
  addFileCounts,
  createImportEventHandlers,
  createImportReport,
  hasOmittedContent,
} from "./import-report.ts";
import { openImportStore } from "./import-store.ts";
import { formatImportSummaryLines, formatProblemLine, percentage } from "./import-summary.ts";
import { tableOptionsFromFlags } from "./import-table.ts";
import { createProgressMeter, SILENT_PROGRESS_METER } from "./progress-meter.ts";
import { openImportReportFile } from "./report-file.ts";
import type { CommandContext } from "./terminal.ts";

const OPERATOR_ACTOR: Actor = { kind: "operator" };
/**
 * The value of `--as` that discards the pairs of types, such as `post=page`, that an earlier import saved.
 */
const NO_PAIRS = "-";
/** Bounds the memory used by a report. */
const PROBLEMS_KEPT_MAX = 10_000;

/**
 * Number of items saved per transaction when no editor has to wait: in a dry run, and if there is no
 * server.
 */
const BATCH_ITEMS_ALONE = 4000;

/**
 * How far the heap may grow before a garbage collection, as a percentage of the heap in use. V8's
 * default is several times as much. Imports produce a lot of garbage, most of all where whole texts
 * are parsed.
 */
const HEAP_GROWING_PERCENT = { texts: 20, lines: 30 };

/** `commonplace import PATH…`: exit code 1 on errors or if content was left out, 0 otherwise. */
export async function runImportCommand(
  paths: readonly string[],
  flags: ImportFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  await using unpacked = await unpackSources(paths);
  const { sources } = unpacked;
  const hasTexts = sources.some(({ exports, isFolder }) => isFolder || exports.length > 0);
  const percent = HEAP_GROWING_PERCENT[hasTexts ? "texts" : "lines"];
  setFlagsFromString(`--heap-growing-percent=${percent}`);
  const now = new Date();
  const isDryRun = flags.dryRun === true;
  await using store = await openImportStore(config, { now, isDryRun, sources });
  const { record } = store;
  if (!isDryRun) await requireNotSynced(paths, await record.siteId());
  const report = createImportReport(flags);
  await using reportFile =
    flags.report === undefined ? null : await openImportReportFile(flags.report);
  let errors = 0;
  const onProblem = (problem: FileProblem) => {
    if (problem.severity === "error") errors += 1;
    const inEnglish = { ...problem, message: problem.message.en };
    if (report.problems.length < PROBLEMS_KEPT_MAX) report.problems.push(inEnglish);
    if (flags.json !== true) terminal.err(formatProblemLine(inEnglish));
  };
  const collected = createImportEventHandlers(report, onProblem);
  const found = reportFile?.table.watching(collected) ?? collected;
  const events = mapFileNamesInEvents(found, unpacked.withArchiveNames);
  for (const problem of unpacked.problems) found.onProblem(problem);
  found.onExportsLeftOut?.(unpacked.leftOut);
  const files = openMediaFiles(store.config, record);
  const publisher = createFilePublisher(
    { media: record.media, files },
    {
      ...{ actor: OPERATOR_ACTOR, now, isDryRun },
      onNotice: (file, message) =>
        events.onProblem({ file, line: 1, field: "", message, severity: "warning" }),
      onFile: (path, address) => events.onFile?.(path, address),
    },
  );
  const meter =
    flags.json === true ? SILENT_PROGRESS_METER : await createProgressMeter("Reading", terminal);
  const bytesTotal = sources.reduce((bytes, source) => bytes + source.bytes, 0);
  try {
    const counts = await run(record, sources, {
      ...choicesIn(flags),
      isDryRun,
      now,
      batchItemsMax: () =>
        isDryRun || !mayHaveOtherWriters(store.config) ? BATCH_ITEMS_ALONE : BATCH_ITEMS_MAX,
      publisher,
      given: givenChoices(paths, flags),
      uploads: uploadSource(flags, config),
      tables: { ...tableOptionsFromFlags(flags), desk: record.desk },
      addresses: createSiteRedirectOptions(config),
      events: {
        ...events,
        onProgress: ({ items, bytes }) =>
          meter.show(bytes, bytesTotal, `${items} items, ${percentage(bytes, bytesTotal)} %`),
      },
    });
    Object.assign(report, counts);
    addFileCounts(report, sources, publisher.published, events);
  } finally {
    meter.stop();
  }
  await reportFile?.write();
  if (flags.json === true) terminal.out(JSON.stringify(report));
  else for (const line of formatImportSummaryLines(report, flags)) terminal.out(line);
  return errors === 0 && !hasOmittedContent(report) ? 0 : 1;
}

/**
 * The flags that the next import from the same source reuses. They are saved under the name of the
 * first source.
 */
function givenChoices([path = ""]: readonly string[], { as, generator, sheet }: ImportFlags) {
  return {
    source: sourceNameOfFile(resolve(path)),
    ...(as === undefined ? {} : { as: as.filter((pair) => pair !== NO_PAIRS) }),
    ...(generator === undefined ? {} : { generator }),
    ...(sheet === undefined ? {} : { sheet }),
  };
}

function choicesIn({ lenient, publish, draft, prefer }: ImportFlags) {
  return {
    unknown: lenient === true ? ("leave_out" as const) : ("refuse" as const),
    ...(publish === true ? { status: "published" as const } : {}),
    ...(draft === true ? { status: "draft" as const } : {}),
    prefer,
  };
}

/** Refuses a synced folder: an import would overwrite changes made on the site since the last sync. */
async function requireNotSynced(paths: readonly string[], siteId: string | null): Promise<void> {
  for (const path of paths) {
    for (let folder = resolve(path); folder !== dirname(folder); folder = dirname(folder)) {
      const synced = await readSiteIdOfBase(join(folder, SYNC_BASE_FOLDER));
      if (synced === null || synced !== siteId) continue;
      const message = `${folder} is kept equal with this site: use sync, which takes over the changes of both sides`;
      throw new AppError("conflict", englishOnlyWording(message));
    }
  }
}

/**
 * Time limit for fetching each uploaded file of the former site. Large files from a slow host take a long
 * time.
 */
const FETCH_MILLISECONDS_MAX = 120_000;

function uploadSource({ media, fetch, dryRun }: ImportFlags, config: Config): UploadSource {
  if (fetch === true && media === undefined) {
    throw new AppError(
      "invalid",
      englishOnlyWording("Name the folder that keeps what is fetched: --media FOLDER"),
    );
  }
  const parts = {
    userAgent: `Commonplace/${VERSION} (+${config.origin}; imports its site)`,
    privateNetworks: config.webhookPrivateNetworks,
    milliseconds: FETCH_MILLISECONDS_MAX,
    now: () => new Date(),
  };
  return {
    folders: media === undefined ? [] : [media],
    fetchInto: fetch === true && media !== undefined ? { folder: media, parts } : null,
    isDryRun: dryRun === true,
  };
}

type RunOptions = Parameters<typeof importWithSavedChoices>[3] & { isDryRun: boolean };

/** Imports the sources. A dry run is a complete import into a temporary copy. */
async function run(
  { content, dryRun }: { content: ContentRecord; dryRun: DryRunner },
  sources: readonly ImportFiles[],
  options: RunOptions,
): Promise<ImportTotals> {
  const importInto = (record: ContentRecord) =>
    importWithSavedChoices(record, OPERATOR_ACTOR, sources, options);
  return await (options.isDryRun ? dryRun(importInto) : importInto(content));
}
