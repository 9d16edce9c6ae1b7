import type { ImportEventHandlers, ImportTotals } from "../content/import/import-events.ts";
import { type ItemOutcome, ZERO_IMPORT_COUNTS } from "../content/import/import-items.ts";
import type { Wording } from "../errors.ts";
import type { ImportFiles } from "../importing/import-files.ts";
import { NO_REDIRECT_COUNTS } from "../importing/redirects/import-redirects.ts";
import {
  findUnimportedFiles,
  groupUnimportedFiles,
  type UnreadFile,
} from "../importing/unimported-files.ts";
import {
  mapOmittedRecordTexts,
  mapTableTexts,
  type OmittedRecordsWithTexts,
  type ProblemWithTexts,
  type TableWithTexts,
} from "../transfer/report-texts.ts";
import type { ImportFlags } from "./import-flags.ts";

type ChangedItem = Pick<ItemOutcome, "file" | "line" | "title" | "path"> & {
  /** Names of the changed properties and fields, such as `title` or `fields.year`. */
  changed: readonly string[];
};

type KeptItem = Omit<ChangedItem, "changed"> & { kept: readonly string[] };

export interface ImportCommandReport extends ImportTotals {
  dryRun: boolean;
  problems: ProblemWithTexts<string>[];
  /** Changes to existing items; only the first 1,000. */
  changes: ChangedItem[];
  /**
   * Items edited on the site since the last import, each with the properties and fields that keep
   * the site's values; only the first 1,000 items.
   */
  kept: KeptItem[];
  keptTotal: number;
  /** Number of published media files. */
  files: number;
  /** Number of new items that are not public yet. */
  drafts: number;
  /** How many of the `drafts` are marked as drafts in the source itself. */
  draftsThatStay: number;
  /** The name of the site generator that each folder was written for, keyed by folder. */
  writtenFor: Record<string, string>;
  /** How tables were read. */
  tables: TableWithTexts<string>[];
  /** Remarks on exports from other systems. */
  notes: string[];
  /**
   * Content that the import leaves out, with the reason: records of another system's export, and files that
   * look like content.
   */
  exportsLeftOut: readonly OmittedRecordsWithTexts<string>[];
  /** Files that are not content, and duplicate rows, with the reason; only the first 10,000. */
  skipped: { file: string; reason: string }[];
  /** Total number of skipped files and rows, including those not listed in `skipped`. */
  skippedTotal: number;
  /** Redirects that this site does not need, with the reason. */
  unusedRedirects: { place: string; reason: string }[];
  /**
   * For each key or type that has no equivalent in this service: the number of items that use the key or
   * type.
   */
  keysLeftOut: Record<string, number>;
  /** Number of files left out, keyed by file extension. Includes the files in `filesUnused`. */
  leftOut: Record<string, number>;
  /** Number of files left out that do not look like content, keyed by file extension. */
  filesUnused: Record<string, number>;
}

/** Returns event handlers that fill `report` during an import. Problems go to `onProblem`. */
export function createImportEventHandlers(
  report: ImportCommandReport,
  onProblem: ImportEventHandlers["onProblem"],
): ImportEventHandlers {
  return {
    onProblem,
    onNote: (message) => report.notes.push(message.en),
    onExportsLeftOut(leftOut) {
      report.exportsLeftOut = [
        ...report.exportsLeftOut,
        ...mapOmittedRecordTexts(leftOut, englishText),
      ];
    },
    onOutcome({ file, line, title, path, changed, kept }) {
      if (kept !== undefined) {
        report.keptTotal += 1;
        if (report.kept.length < CHANGES_KEPT_MAX)
          report.kept.push({ file, line, title, path, kept });
      }
      if (changed === undefined || report.changes.length >= CHANGES_KEPT_MAX) return;
      report.changes.push({ file, line, title, path, changed });
    },
    onTable: (table) => report.tables.push(mapTableTexts(table, englishText)),
    onSkipped(file, reason) {
      report.skippedTotal += 1;
      if (report.skipped.length < SKIPPED_KEPT_MAX)
        report.skipped.push({ file, reason: reason.en });
    },
    onUnusedRedirect(file, reason, line) {
      report.unusedRedirects.push({ place: `${file}:${line}`, reason: reason.en });
    },
    onLeftOut(key) {
      report.keysLeftOut[key] = (report.keysLeftOut[key] ?? 0) + 1;
    },
    onDraft(staysDraft) {
      report.drafts += 1;
      if (staysDraft) report.draftsThatStay += 1;
    },
    onConventions(folder, generator) {
      report.writtenFor[folder] = generator;
    },
  };
}

/** The English text of a message: the command line is in English. */
function englishText({ en }: Wording): string {
  return en;
}

/** Bounds the memory used by a report. */
const SKIPPED_KEPT_MAX = 10_000;
const CHANGES_KEPT_MAX = 1000;

/** Whether the import left out files or parts of exports that look like content. */
export function hasOmittedContent(report: ImportCommandReport): boolean {
  return report.exportsLeftOut.some(({ isContent }) => isContent) || hasOnlySkippedInput(report);
}

/**
 * Whether the import found nothing to import: no item and no redirect, only skipped files or rows.
 */
export function hasOnlySkippedInput({
  created,
  updated,
  unchanged,
  skippedTotal,
  redirects,
}: ImportCommandReport): boolean {
  const items = created + updated + unchanged;
  return skippedTotal > 0 && items + redirects.created + redirects.unchanged === 0;
}

export function createImportReport(flags: ImportFlags): ImportCommandReport {
  return {
    dryRun: flags.dryRun === true,
    ...ZERO_IMPORT_COUNTS,
    ...{
      problems: [],
      changes: [],
      kept: [],
      keptTotal: 0,
      drafts: 0,
      draftsThatStay: 0,
      files: 0,
      writtenFor: {},
      skipped: [],
      skippedTotal: 0,
      keysLeftOut: {},
      leftOut: {},
      filesUnused: {},
    },
    ...{
      redirects: NO_REDIRECT_COUNTS,
      unusedRedirects: [],
      notes: [],
      exportsLeftOut: [],
      tables: [],
    },
  };
}

/**
 * Adds the numbers of published and omitted files to `report`. Calls `onExportsLeftOut` for omitted files
 * that look like content, and `onUnusedFile` for each other omitted file.
 */
export function addFileCounts(
  report: ImportCommandReport,
  sources: readonly ImportFiles[],
  published: ReadonlyMap<string, string>,
  {
    onExportsLeftOut,
    onUnusedFile,
  }: Pick<ImportEventHandlers, "onExportsLeftOut" | "onUnusedFile">,
): void {
  report.files += published.size;
  const files = findUnimportedFiles(sources, published);
  report.leftOut = countsByKind(files);
  onExportsLeftOut?.(groupUnimportedFiles(files.filter(({ isContent }) => isContent)));
  const unused = files.filter(({ isContent }) => !isContent);
  for (const { path } of unused) onUnusedFile?.(path);
  report.filesUnused = countsByKind(unused);
}

function countsByKind(files: readonly UnreadFile[]): Record<string, number> {
  const groups = Map.groupBy(files, ({ kind }) => kind);
  return Object.fromEntries([...groups].map(([kind, { length }]) => [kind, length]));
}
