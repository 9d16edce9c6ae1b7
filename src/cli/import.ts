import { openMedia } from "../app/store.ts";
import type { FiledProblem, ImportCounts } from "../content/import/import-items.ts";
import type { ContentRecord, DryRun } from "../content/record.ts";
import { type ContentOptions, importContent } from "./import-content.ts";
import { findImportFiles, type ImportFiles } from "./import-files.ts";
import { filePublisher } from "./import-media.ts";
import { openImportStore } from "./import-store.ts";
import { progressMeter, SILENT_METER } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

export interface ImportFlags {
  publish?: boolean;
  draft?: boolean;
  dryRun?: boolean;
  lenient?: boolean;
  json?: boolean;
}

interface Report extends ImportCounts {
  dryRun: boolean;
  problems: FiledProblem[];
  /** Number of published media files. */
  files: number;
  /** Number of skipped files by extension. */
  leftOut: Record<string, number>;
}

/** Bounds the memory used by a report. */
const PROBLEMS_KEPT_MAX = 10_000;

/** `commonplace import PATH…`: exit code 0 without errors, 1 otherwise. */
export async function importCommand(
  paths: readonly string[],
  flags: ImportFlags,
  { config, terminal }: CommandContext,
): Promise<number> {
  const sources = paths.map((path) => findImportFiles(path));
  const now = new Date();
  const isDryRun = flags.dryRun === true;
  await using store = await openImportStore(config, { now, isDryRun });
  const { record } = store;
  const report = emptyReport(sources, flags);
  let errors = 0;
  const onProblem = (problem: FiledProblem) => {
    if (problem.severity === "error") errors += 1;
    if (report.problems.length < PROBLEMS_KEPT_MAX) report.problems.push(problem);
    if (flags.json !== true) terminal.err(problemLine(problem));
  };
  const onNotice = (file: string, message: string) =>
    onProblem({ file, line: 1, field: "", message, severity: "warning" });
  const files = openMedia(store.config, record);
  const publisher = filePublisher({ media: record.media, files }, { now, isDryRun, onNotice });
  const meter = flags.json === true ? SILENT_METER : await progressMeter("Reading", terminal);
  const bytesAll = sources.reduce((bytes, source) => bytes + source.bytes, 0);
  try {
    const counts = await run(record, sources, {
      unknown: flags.lenient === true ? "leave_out" : "refuse",
      ...(flags.publish === true ? { status: "published" as const } : {}),
      ...(flags.draft === true ? { status: "draft" as const } : {}),
      isDryRun,
      now,
      publisher,
      onProblem,
      onProgress: ({ items, bytes }) =>
        meter.show(bytes, bytesAll, `${items} items, ${percentage(bytes, bytesAll)} %`),
    });
    Object.assign(report, counts);
    countPublished(report, publisher.published);
  } finally {
    meter.stop();
  }
  if (flags.json === true) terminal.out(JSON.stringify(report));
  else for (const line of summaryLines(report, flags)) terminal.out(line);
  return errors === 0 ? 0 : 1;
}

/** A dry run is a full import into a temporary copy. */
async function run(
  { content, dryRun }: { content: ContentRecord; dryRun: DryRun },
  sources: readonly ImportFiles[],
  options: ContentOptions & { isDryRun: boolean },
): Promise<ImportCounts> {
  const importInto = (record: ContentRecord) => importContent(record, sources, options);
  return await (options.isDryRun ? dryRun(importInto) : importInto(content));
}

function emptyReport(sources: readonly ImportFiles[], flags: ImportFlags): Report {
  const leftOut: Record<string, number> = {};
  for (const [ending, count] of sources.flatMap((source) => [...source.leftOut])) {
    leftOut[ending] = (leftOut[ending] ?? 0) + count;
  }
  const counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  return { dryRun: flags.dryRun === true, ...counts, problems: [], files: 0, leftOut };
}

function countPublished(report: Report, taken: ReadonlyMap<string, number>): void {
  for (const [ending, count] of taken) {
    report.files += count;
    const rest = (report.leftOut[ending] ?? 0) - count;
    if (rest > 0) report.leftOut[ending] = rest;
    else delete report.leftOut[ending];
  }
}

function problemLine({ file, line, field, message, severity }: FiledProblem): string {
  const place = [`${file}:${line}`, ...(field === "" ? [] : [field])].join(": ");
  return `${place}: ${severity === "warning" ? "warning: " : ""}${message}`;
}

function summaryLines(report: Report, flags: ImportFlags): string[] {
  const { created, updated, unchanged, failed } = report;
  const lines = [
    `${report.dryRun ? "Would import: " : ""}${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`,
  ];
  if (report.files > 0) lines.push(`Pictures and other files taken in: ${report.files}`);
  const leftOut = Object.entries(report.leftOut).map(([ending, count]) => `${count} ${ending}`);
  if (leftOut.length > 0)
    lines.push(`Files that are no content were left out: ${leftOut.join(", ")}`);
  const hasUnknown = report.problems.some(
    ({ severity, message }) =>
      severity === "error" && /^(?:is not a key of|there is no content type)/.test(message),
  );
  if (hasUnknown && flags.lenient !== true) {
    lines.push("To import items without the keys and types nobody has declared, add --lenient");
  }
  return lines;
}

function percentage(part: number, whole: number): number {
  return Math.floor((100 * part) / Math.max(whole, 1));
}
