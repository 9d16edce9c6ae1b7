import type { Actor } from "../access/actor.ts";
import { importItems } from "../content/import/import-items.ts";
import { parseJsonLines } from "../content/import/json-line.ts";
import type { ParsedItem } from "../content/import/parsed-item.ts";
import type { ContentRecord, DryRunner } from "../content/record.ts";
import { readSiteTimeZone } from "../content/site/time-zone.ts";
import { type FileToPack, packZip } from "../files/zip-packing.ts";
import { createImportProgress, type ImportProgress } from "./import-progress.ts";
import type { FileImporter, ImportChoices, JobFiles, LiveSiteCopier, RunningJob } from "./job.ts";
import { importInputId } from "./job-inputs.ts";
import { openReportTable, type ReportTable } from "./report-table.ts";

/** Limit on the time between two yields to the event loop. */
const WORK_MILLISECONDS_MAX = 5;

interface ImportJobParts {
  content: ContentRecord;
  dryRun: DryRunner;
  files: JobFiles;
  importFile: FileImporter;
  copyLiveSite: LiveSiteCopier;
  choices: ImportChoices;
  now: () => Date;
}

/**
 * If the job has the address of a live site, copies that site first. Imports the job's file, updates the
 * job's report, and writes the whole report as a ZIP.
 *
 * @throws the abort reason of `halt`.
 */
export async function runImport(
  running: RunningJob,
  actor: Actor,
  parts: ImportJobParts,
): Promise<void> {
  const { content, dryRun, choices } = parts;
  await using report = await openReportTable();
  const collected = createImportProgress(running);
  const progress = { ...collected, events: report.watching(collected.events) };
  await storeLiveSite(running, progress, parts);
  const importInto = async (record: ContentRecord) =>
    await importStoredItems(record, actor, running, { ...parts, progress });
  await (choices.isDryRun ? dryRun(importInto) : importInto(content));
  const packed = packZip(reportFiles(report), { at: parts.now() });
  await parts.files.writeResult(running.job.id, packed);
}

async function* reportFiles({ bytes }: ReportTable): AsyncGenerator<FileToPack> {
  yield { name: "report.csv", isCompressed: false, bytes };
}

/** Copies the live site to the input file of the job, unless the job already has an input file. */
async function storeLiveSite(
  { job: { id }, halt }: RunningJob,
  { events, onCopied }: ImportProgress,
  { files, copyLiveSite, choices: { address, inputOf, isWordPress = false } }: ImportJobParts,
): Promise<void> {
  if (address === undefined || inputOf !== undefined || (await files.hasInput(id))) return;
  await files.storeInput(id, await copyLiveSite(address, { isWordPress, halt, onCopied, events }));
}

async function importStoredItems(
  record: ContentRecord,
  actor: Actor,
  running: RunningJob,
  parts: ImportJobParts & { progress: ImportProgress },
): Promise<void> {
  const { files, importFile, progress } = parts;
  const { status, prefer, isLenient, isDryRun, file } = parts.choices;
  const fetchesUploads = parts.choices.isWordPress === true;
  const commonOptions = {
    ...{ now: parts.now(), yieldBetween: yieldAfterWork() },
    ...(prefer === undefined ? {} : { prefer }),
  };
  if (file === undefined) {
    const items = itemsInInput(record, running, parts);
    const counts = await importItems(record, actor, items, {
      ...{ ...commonOptions, ...progress.events },
      ...(status === null ? {} : { status }),
      onProgress: (items, currentCounts) =>
        progress.events.onProgress({ items, bytes: 0, counts: currentCounts }),
    });
    return progress.end(counts);
  }
  await using input = await files.localInput(importInputId(running.job));
  const { halt } = running;
  const choices = { status, isLenient, isDryRun, fetchesUploads };
  const options = { ...commonOptions, ...choices, halt, events: progress.events };
  progress.end(await importFile(record, actor, { ...file, path: input.path }, options));
}

async function* itemsInInput(
  record: ContentRecord,
  { job, halt }: RunningJob,
  { files, choices, now }: ImportJobParts,
): AsyncGenerator<ParsedItem> {
  const options = {
    file: "",
    types: await record.types(),
    now: now(),
    timeZone: await readSiteTimeZone(record),
    unknown: choices.isLenient ? ("leave_out" as const) : ("refuse" as const),
  };
  for await (const parsed of parseJsonLines(files.readInput(importInputId(job)), options)) {
    halt.throwIfAborted();
    yield withIdentity(parsed);
  }
}

/**
 * Rejects items without a source key, path or slug. After an interruption the import runs again, and must
 * recognize the items that it has already saved.
 */
function withIdentity(parsed: ParsedItem): ParsedItem {
  const { input } = parsed;
  if (input === null || (input.sourceKey ?? input.path ?? input.slug) !== undefined) return parsed;
  const message = {
    en: "needs a sourceKey or a path, by which it is known when it comes again",
    de: "braucht einen Schlüssel (sourceKey) oder eine Adresse (path), woran der Inhalt beim nächsten Mal erkannt wird",
  };
  const problem = { ...parsed.placeOf(""), message, severity: "error" as const };
  return { ...parsed, input: null, problems: [...parsed.problems, problem] };
}

/** Returns a function that yields to the event loop if enough work was done since the last yield. */
function yieldAfterWork(): () => Promise<void> {
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < WORK_MILLISECONDS_MAX) return;
    await new Promise((resolve) => setImmediate(resolve));
    startedAt = performance.now();
  };
}
