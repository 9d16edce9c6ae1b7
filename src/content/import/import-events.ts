import { buildWording, type Wording } from "../../errors.ts";
import type { ImportCounts, ImportOptions } from "./import-items.ts";
import type { TablePreview, TableReadResult } from "./tables/reading/table-reading.ts";
import type { OmittedRecords } from "./wordpress/wordpress-plan.ts";

/** Callbacks for the progress and the findings of an import. */
export interface ImportEventHandlers
  extends Pick<
    ImportOptions,
    "onProblem" | "onSkipped" | "onLeftOut" | "onDraft" | "onOutcome" | "onVisibility"
  > {
  /** Called for each redirect that the import has added, or that the site already had. */
  onRedirected?: (redirect: ImportedRedirect) => void;
  /** Called for each file that is imported as a file rather than as content, with its address. */
  onFile?: (file: string, address: string) => void;
  /** Called for each file that is not imported and does not look like content. */
  onUnusedFile?: (file: string) => void;
  /** Called for each redirect that is not needed on this site, with the reason. */
  onUnusedRedirect?: (file: string, reason: Wording, line: number) => void;
  /** Called for each folder that was written for another site generator. */
  onConventions?: (folder: string, generator: string) => void;
  /** Called with the omitted parts of an export, a table, a document or a folder. */
  onExportsLeftOut?: (leftOut: readonly OmittedRecords[]) => void;
  /** Called for each table before its mapping is checked. */
  onPreview?: (preview: TablePreview) => void;
  /** Called for each table after its mapping is checked, before its rows are saved. */
  onTable?: (table: TableReadResult) => void;
  onNote?: (message: Wording) => void;
  /** Called after each batch of items. */
  onProgress?: (done: { items: number; bytes: number; counts: ImportCounts }) => void;
}

/** A redirect, with the file and line that state it. */
export interface ImportedRedirect {
  file: string;
  line: number;
  from: string;
  /** Null: the address is declared gone, so it has no target. */
  to: string | null;
  outcome: "created" | "unchanged";
}

export interface RedirectCounts {
  created: number;
  unchanged: number;
  skipped: number;
  failed: number;
}

/** The outcomes of all items and redirects of an import. */
export interface ImportTotals extends ImportCounts {
  redirects: RedirectCounts;
}

/**
 * Returns event handlers that replace file names in all events, such as names of files in a temporary folder.
 */
export function mapFileNamesInEvents(
  events: ImportEventHandlers,
  shownName: (text: string) => string,
): ImportEventHandlers {
  const withShownNames = (wording: Wording) =>
    buildWording((language) => shownName(wording[language]));
  return {
    ...events,
    onProblem: (problem) =>
      events.onProblem({
        ...problem,
        file: shownName(problem.file),
        message: withShownNames(problem.message),
      }),
    onSkipped: (file, reason, line) =>
      events.onSkipped?.(shownName(file), withShownNames(reason), line),
    onOutcome: (outcome) => events.onOutcome?.({ ...outcome, file: shownName(outcome.file) }),
    onRedirected: (redirect) =>
      events.onRedirected?.({ ...redirect, file: shownName(redirect.file) }),
    onFile: (file, address) => events.onFile?.(shownName(file), address),
    onUnusedFile: (file) => events.onUnusedFile?.(shownName(file)),
    onUnusedRedirect: (file, reason, line) =>
      events.onUnusedRedirect?.(shownName(file), withShownNames(reason), line),
    onConventions: (folder, generator) => events.onConventions?.(shownName(folder), generator),
    onExportsLeftOut: (leftOut) =>
      events.onExportsLeftOut?.(
        leftOut.map((each) => ({ ...each, reason: withShownNames(each.reason) })),
      ),
    onPreview: (preview) => events.onPreview?.({ ...preview, file: shownName(preview.file) }),
    onTable: (table) => events.onTable?.({ ...table, file: shownName(table.file) }),
    onNote: (message) => events.onNote?.(withShownNames(message)),
  };
}
