import type { ProblemWithTexts } from "../transfer/report-texts.ts";
import type { ImportFlags } from "./import-flags.ts";
import { hasOnlySkippedInput, type ImportCommandReport } from "./import-report.ts";
import { formatTableReportLines } from "./import-table-report.ts";

export function formatProblemLine({
  file,
  line,
  field,
  message,
  severity,
}: ProblemWithTexts<string>): string {
  const place = [`${file}:${line}`, ...(field === "" ? [] : [field])].join(": ");
  return `${place}: ${severity === "warning" ? "warning: " : ""}${message}`;
}

/** The lines that the command prints after an import. */
export function formatImportSummaryLines(
  report: ImportCommandReport,
  flags: ImportFlags,
): string[] {
  const lines = Object.entries(report.writtenFor).map(
    ([folder, generator]) => `${folder} is read as a folder of ${generator}`,
  );
  lines.push(...outcomeLines(report, flags));
  lines.push(...report.notes, ...report.tables.flatMap(formatTableReportLines));
  for (const { what, count, reason } of report.exportsLeftOut) {
    lines.push(`Left out: ${count} ${what}: ${reason}`);
  }
  lines.push(...changeLines(report), ...keptLines(report));
  for (const { file, reason } of report.skipped) lines.push(`Skipped: ${file} ${reason}`);
  lines.push(...redirectLines(report));
  if (report.files > 0) lines.push(`Pictures and other files taken in: ${report.files}`);
  const keys = Object.entries(report.keysLeftOut).sort(([, a], [, b]) => b - a);
  if (keys.length > 0) {
    const shown = keys.map(([key, count]) => `${key} (${count})`).join(", ");
    lines.push(`Keys without a meaning here were left out: ${shown}`);
  }
  const others = Object.entries(report.filesUnused)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ");
  if (others !== "") lines.push(`Files that are not content were left out: ${others}`);
  const hasUnknown = report.problems.some(
    ({ severity, message }) =>
      severity === "error" && /^(?:is not a key of|there is no content type)/.test(message),
  );
  if (hasUnknown && flags.lenient !== true) {
    lines.push("To import items without undeclared keys and types, add --lenient");
  }
  return lines;
}

function outcomeLines(report: ImportCommandReport, flags: ImportFlags): string[] {
  const { created, updated, unchanged, failed } = report;
  const outcomes = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} failed`;
  const conflicts = report.conflicts === 0 ? "" : `, ${report.conflicts} in conflict`;
  const alsoSkipped = report.skippedTotal === 0 ? "" : `, ${report.skippedTotal} skipped`;
  const lines = [`${report.dryRun ? "Would import: " : ""}${outcomes}${conflicts}${alsoSkipped}`];
  if (report.conflicts > 0) lines.push(HOW_TO_SETTLE);
  if (hasOnlySkippedInput(report)) lines.push(ALL_SKIPPED);
  if (report.drafts === 0) return lines;
  const ready = report.drafts - report.draftsThatStay;
  const advice =
    flags.publish === true || ready === 0
      ? "what says that it is not public stays so"
      : `--publish makes ${report.draftsThatStay === 0 ? "them" : `${ready} of them`} public`;
  return [...lines, `Drafts among the new ones: ${report.drafts}; ${advice}`];
}

const ALL_SKIPPED =
  "Nothing was taken in, as every file was skipped for the reasons below. If the texts are elsewhere, import the folder that has them";

const HOW_TO_SETTLE =
  "In conflict: changed on the site and in the file; nothing of these items was taken over. Make both say the same, or import again with --prefer file or --prefer site";

function keptLines({ kept, keptTotal }: ImportCommandReport): string[] {
  const lines = kept.map(
    ({ file, line, title, path, kept: parts }) =>
      `Edited on the site, kept: ${path ?? title} (${file}:${line}): ${parts.join(", ")}`,
  );
  const more = keptTotal - kept.length;
  return more > 0 ? [...lines, `Edited on the site, kept: ${more} more items`] : lines;
}

function changeLines({ changes, updated }: ImportCommandReport): string[] {
  const lines = changes.map(
    ({ file, line, title, path, changed }) =>
      `Changes in ${path ?? title} (${file}:${line}): ${changed.join(", ")}`,
  );
  const more = updated - changes.length;
  return more > 0 ? [...lines, `Changes in ${more} more items`] : lines;
}

export function percentage(part: number, whole: number): number {
  return Math.floor((100 * part) / Math.max(whole, 1));
}

function redirectLines({ redirects, unusedRedirects }: ImportCommandReport): string[] {
  const { created, unchanged, skipped, failed } = redirects;
  if (created + unchanged + skipped + failed === 0) return [];
  return [
    `Redirects: ${created} created, ${unchanged} unchanged, ${skipped} not needed, ${failed} failed`,
    ...unusedRedirects.map(({ place, reason }) => `Not needed: ${place}: ${reason}`),
  ];
}
