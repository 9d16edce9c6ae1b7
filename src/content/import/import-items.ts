import type { Actor } from "../../access/actor.ts";
import type { AppError, Problem, Wording } from "../../errors.ts";
import {
  type BatchItem,
  groupIntoBatches,
  type ItemSaveOutcome,
  saveInBatches,
} from "../editing/batch-saving.ts";
import { type LinkInput, pickLinkInput, propertyReferringTo } from "../editing/completing-links.ts";
import { MergeConflictError, type PreferredSide } from "../editing/imported/saving-imports.ts";
import type { ContentRecord } from "../record.ts";
import type { ImportProblem, ParsedItem } from "./parsed-item.ts";
import type { RedirectPair } from "./redirects/redirect-rule.ts";

export interface FileProblem extends ImportProblem {
  file: string;
}

export interface ImportCounts {
  created: number;
  updated: number;
  unchanged: number;
  /** Number of items changed both on the site and in the file; the import leaves them unchanged. */
  conflicts: number;
  failed: number;
}

export const ZERO_IMPORT_COUNTS: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  conflicts: 0,
  failed: 0,
};

const COUNT_OF_OUTCOME = {
  created: "created",
  updated: "updated",
  unchanged: "unchanged",
  conflict: "conflicts",
  failed: "failed",
} as const satisfies Record<string, keyof ImportCounts>;

/** The outcome for an item, with its file and line. */
export interface ItemOutcome {
  file: string;
  line: number;
  outcome: keyof typeof COUNT_OF_OUTCOME;
  /** The item's title; empty if the item could not be parsed. */
  title: string;
  path: string | null;
  /** The item's content type; absent if the item could not be saved. */
  type?: string;
  /** The parts of an updated item that changed, such as `title` or `fields.year`. */
  changed?: readonly string[];
  /**
   * The parts that were edited on the site since the last import and that this import kept; absent: none.
   */
  kept?: readonly string[];
}

export interface ImportOptions {
  now: Date;
  /** Overrides the status of each item. */
  status?: "draft" | "published";
  /** Which side wins where an item was changed both on the site and in the file. */
  prefer?: PreferredSide;
  onProblem: (problem: FileProblem) => void;
  onOutcome?: (outcome: ItemOutcome) => void;
  /**
   * Called for each new item that is a draft. `staysDraft`: whether the item remains a draft regardless of
   * the `status` option.
   */
  onDraft?: (staysDraft: boolean) => void;
  /**
   * Called for each item that the import made public (`public`), and for each draft that replaced an unedited
   * starter page (`hidden`).
   */
  onVisibility?: (change: "public" | "hidden", path: string) => void;
  /** Called for each file or row that is not content, with the reason. */
  onSkipped?: (file: string, reason: Wording, line: number) => void;
  /** Called for each address of a page that only redirects. */
  onRedirect?: (file: string, redirect: RedirectPair) => void;
  /** Called for each key or type of an item that has no equivalent in this service. */
  onLeftOut?: (key: string) => void;
  /** Called after each batch, with the number of items read so far and their outcomes. */
  onProgress?: (items: number, counts: ImportCounts) => void;
  /** Called before each transaction; returns the maximum number of items to save in it. */
  batchItemsMax?: (() => number) | undefined;
  /** Called between items to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
}

interface ReportedItem {
  file: string;
  title: string;
  staysDraft: boolean;
  links: LinkInput;
  placeOf: ParsedItem["placeOf"];
}

/**
 * Saves items as they are read. An item that cannot be saved is reported and skipped. Links to
 * unknown items are reported and left out.
 */
export async function importItems(
  record: ContentRecord,
  actor: Actor,
  items: AsyncIterable<ParsedItem>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const tally = tallyOf(options);
  const loaded = loadedItems(items, options);
  const batches = groupIntoBatches(loaded, ({ input }) => input?.body.length ?? 0, {
    itemsMax: options.batchItemsMax,
  });
  for await (const reports of saveInBatches(record, actor, batches, {
    ...options,
    unusableRedirects: "leave_out",
    merging: { prefer: options.prefer ?? null },
  })) {
    for (const report of reports) {
      tally.add(report);
      reportProblems(report, options);
    }
    options.onProgress?.(tally.read(), tally.counts);
  }
  tally.end();
  return tally.counts;
}

interface Tally {
  counts: ImportCounts;
  /** Number of items read so far. */
  read(): number;
  add(report: ItemSaveOutcome<ReportedItem>): void;
  end(): void;
}

/**
 * Counts and reports the outcome of each item once. If an existing item links to later items, its outcome is
 * known only after these links have been added.
 */
function tallyOf({ onOutcome }: ImportOptions): Tally {
  const counts = { ...ZERO_IMPORT_COUNTS };
  const unsettled = new Map<ReportedItem, ItemOutcome>();
  const settle = (outcome: ItemOutcome) => {
    counts[COUNT_OF_OUTCOME[outcome.outcome]] += 1;
    onOutcome?.(outcome);
  };
  let read = 0;
  return {
    counts,
    read: () => read,
    add(report) {
      if (report.outcome === "completed" || report.outcome === "incomplete") {
        const first = unsettled.get(report.place);
        if (first === undefined) return;
        unsettled.delete(report.place);
        settle(withLinks(first, report));
        return;
      }
      read += 1;
      const existed = report.outcome === "updated" || report.outcome === "unchanged";
      if (existed && report.waiting.length > 0) unsettled.set(report.place, outcomeOf(report));
      else settle(outcomeOf(report));
    },
    end() {
      // If an item occurs twice, links are added only for its last occurrence. The earlier ones are counted
      // here.
      for (const outcome of unsettled.values()) settle(outcome);
      unsettled.clear();
    },
  };
}

type FirstReport = Exclude<ItemSaveOutcome<ReportedItem>, { outcome: "completed" | "incomplete" }>;

type LinksReport = Extract<ItemSaveOutcome<ReportedItem>, { outcome: "completed" | "incomplete" }>;

function outcomeOf(report: FirstReport): ItemOutcome {
  const { outcome } = report;
  const { file, title, placeOf } = report.place;
  const place = { file, line: placeOf("").line };
  if (report.outcome === "failed") {
    return report.error instanceof MergeConflictError
      ? { ...place, outcome: "conflict", title, ...report.error.item }
      : { ...place, outcome: report.outcome, title, path: null };
  }
  const { path, type } = report.item;
  const known = {
    ...{ ...place, outcome: report.outcome, title, path, type },
    ...(report.kept === undefined || report.kept.length === 0 ? {} : { kept: report.kept }),
  };
  return outcome === "updated" ? { ...known, changed: report.changed } : known;
}

/** The final outcome of an item, once its links to later items have been added. */
function withLinks(first: ItemOutcome, report: LinksReport): ItemOutcome {
  if (report.outcome === "completed") return withMore(first, report.changed);
  return report.error instanceof MergeConflictError ? { ...first, outcome: "conflict" } : first;
}

function withMore(first: ItemOutcome, more: readonly string[]): ItemOutcome {
  const changed = [...new Set([...(first.changed ?? []), ...more])];
  return changed.length === 0 ? first : { ...first, outcome: "updated", changed };
}

function reportProblems(report: ItemSaveOutcome<ReportedItem>, options: ImportOptions): void {
  const { outcome, place } = report;
  if (outcome === "completed") {
    for (const name of report.missing) reportMissing(name, place, options);
  } else if (outcome === "failed" || outcome === "incomplete") {
    if (report.error !== null) reportError(report.error, place, options);
  } else {
    for (const problem of report.unusableRedirects) reportRedirect(problem, place, options);
    reportVisibility(report, options);
  }
}

function reportVisibility(report: FirstReport, options: ImportOptions): void {
  if (report.outcome === "failed" || report.outcome === "unchanged") return;
  const { item, changed, place, replacesStarterPage = false } = report;
  const isNew = report.outcome === "created" || replacesStarterPage;
  if (isNew && item.status === "draft") options.onDraft?.(place.staysDraft);
  if (replacesStarterPage && item.status !== "published")
    options.onVisibility?.("hidden", item.path);
  if (item.status === "published" && (isNew || changed.includes("status"))) {
    options.onVisibility?.("public", item.path);
  }
}

/** Reports problems and skipped files, and yields the items of all other files. */
async function* loadedItems(
  items: AsyncIterable<ParsedItem>,
  { status, onProblem, onLeftOut, onSkipped, onRedirect }: ImportOptions,
): AsyncGenerator<BatchItem<ReportedItem>> {
  for await (const { file, input, problems, placeOf, skipped, leftOut, ...parsed } of items) {
    for (const problem of problems) onProblem({ ...problem, file });
    for (const key of leftOut) onLeftOut?.(key);
    if (skipped !== null) {
      onSkipped?.(file, skipped, placeOf("").line);
      for (const redirect of parsed.redirects ?? []) onRedirect?.(file, redirect);
      continue;
    }
    const { hasStatus, isDeleted = false, updatedAt } = parsed;
    const staysDraft = parsed.isNotPublic || isDraftOfExport(parsed, input);
    const isNotPublic = status === "published" ? staysDraft : parsed.isNotPublic;
    const links = pickLinkInput(input);
    const place = { file, title: input?.title ?? "", staysDraft, links, placeOf };
    yield { place, input, hasStatus, isNotPublic, isDeleted, updatedAt };
  }
}

function isDraftOfExport(
  { isExported = false }: Pick<ParsedItem, "isExported">,
  input: ParsedItem["input"],
): boolean {
  return isExported && input?.status !== "published";
}

function reportError(error: AppError, place: ReportedItem, { onProblem }: ImportOptions): void {
  const { file, placeOf } = place;
  if (error.problems.length === 0) {
    onProblem({ file, ...placeOf(""), message: error.wording, severity: "error" });
  }
  for (const { where, message } of error.problems) {
    onProblem({ file, ...placeOf(where), message, severity: "error" });
  }
}

function reportRedirect(
  { where, message: { en, de } }: Problem,
  { file, placeOf }: ReportedItem,
  { onProblem }: ImportOptions,
): void {
  const message = {
    en: `${en}; the redirect is left out`,
    de: `${de}; die Weiterleitung wird weggelassen`,
  };
  onProblem({ file, ...placeOf(where), message, severity: "error" });
}

function reportMissing(name: string, place: ReportedItem, { onProblem }: ImportOptions): void {
  const { file, links, placeOf } = place;
  const where = propertyReferringTo(links, name);
  const message = {
    en: `there is no item "${name}"; the link is left out`,
    de: `den Inhalt „${name}“ gibt es nicht; der Link wird weggelassen`,
  };
  onProblem({ file, ...placeOf(where), message, severity: "error" });
}
