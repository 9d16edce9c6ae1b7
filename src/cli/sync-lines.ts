import type { SyncReport } from "../syncing/sync-report.ts";

const VALUE_CHARACTERS_MAX = 80;
/** Bounds the report, for example when everything in a folder is new. */
const LINES_MAX = 1000;

/** Lists what a sync did. */
export function formatSyncStepLines({ steps, dropped }: SyncReport): string[] {
  const lines = steps.slice(0, LINES_MAX).map(({ did, file, path, parts = [] }) => {
    const named = parts.length === 0 ? "" : `: ${parts.join(", ")}`;
    return `${capitalised(did)}: ${path} (${file})${named}`;
  });
  const more = steps.length - lines.length;
  const comments = dropped
    .slice(0, LINES_MAX)
    .map(({ file, comment }) => `Not kept in ${file}: the comment "${shortened(comment)}"`);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...comments];
}

/** Lists the conflicts and faults that a person has to resolve. */
export function formatUnresolvedProblemLines({
  conflicts,
  deletedThere,
  pending,
  failed,
  others,
}: SyncReport): string[] {
  const lines = [
    ...failed.map(({ message }) => message),
    ...conflicts.flatMap(({ file, path, parts }) => [
      `Conflict: both sides changed ${path} (${file}); neither was touched. ${file}.site shows the site's text: correct ${file}, then remove ${file}.site`,
      ...parts.map(
        ({ part, site, folder }) => `  ${part}: site ${shown(site)}, folder ${shown(folder)}`,
      ),
    ]),
    ...deletedThere.map(
      ({ file, path }) =>
        `Conflict: ${path} was deleted on the site, but ${file} changed since; restore it on the site, or remove the file`,
    ),
    ...pending.map(({ file, path, on }) =>
      on === "the site"
        ? `${file} is gone: --prune deletes ${path} on the site too`
        : `${path} was deleted on the site: --prune deletes ${file} too`,
    ),
  ];
  const more = lines.length - LINES_MAX;
  return [
    ...lines.slice(0, LINES_MAX),
    ...(more > 0 ? [`and ${more} more lines`] : []),
    ...(others.length === 0
      ? []
      : [`Not kept equal, as several items share a file: ${others.join(", ")}`]),
  ];
}

export function formatSyncSummaryLine(report: SyncReport, isDryRun: boolean): string {
  const { same, steps, conflicts, deletedThere, pending, failed } = report;
  const counts = [
    `${same} the same`,
    `${steps.length} steps`,
    `${conflicts.length + deletedThere.length} conflicts`,
    `${pending.length} deletions pending`,
    `${failed.length} failed`,
  ];
  return `${isDryRun ? "Would sync: " : ""}${counts.join(", ")}`;
}

function shown(value: unknown): string {
  return shortened(JSON.stringify(value ?? null));
}

function shortened(text: string): string {
  return text.length > VALUE_CHARACTERS_MAX ? `${text.slice(0, VALUE_CHARACTERS_MAX - 1)}…` : text;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
