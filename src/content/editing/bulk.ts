import { type Actor, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import {
  AppError,
  type EnglishProblem,
  englishOnlyWording,
  toEnglishProblems,
} from "../../errors.ts";
import type { ItemInput } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import { type FindReferences, findAffectedReferences } from "./batch-references.ts";
import {
  type BatchItem,
  groupIntoBatches,
  type ItemSaveOutcome,
  saveInBatches,
} from "./batch-saving.ts";
import { type LinkInput, pickLinkInput, propertyReferringTo } from "./completing-links.ts";
import type { References } from "./references.ts";
import { runAndRollBack } from "./rollback.ts";

/** A parsed line of a bulk load. */
export interface BulkLine {
  /** Line number, from 1; empty lines are counted. */
  number: number;
  /** The parsed item; null if the line has errors. */
  input: ItemInput | null;
  problems: readonly EnglishProblem[];
  /** Whether the line specifies a status. */
  hasStatus: boolean;
  bytes: number;
}

/** The outcome for a line. */
export interface BulkLineReport {
  line: number;
  sourceKey: string | null;
  /** `completed`: a second report on a line, after its links to later items were added. */
  outcome: "created" | "updated" | "unchanged" | "failed" | "completed";
  id?: string;
  path?: string;
  /** Link targets that do not exist yet. */
  waitingFor?: readonly string[];
  problems?: readonly EnglishProblem[];
}

export interface BulkSummary {
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** Number of links left out because no item has the named path or source key. */
  linksLeftOut: number;
}

export interface BulkOptions extends ChangeContext {
  /** Overrides the status of each line. */
  status?: "draft" | "published";
  /** Returns the references to an item. Absent: items are withdrawn even if other items refer to them. */
  referencesOf?: FindReferences;
  /** Called between items to yield to the event loop. */
  yieldBetween?: () => Promise<void>;
  /** As `BatchSaveOptions.revalidate`. */
  revalidate?: (actor: Actor) => Promise<Actor>;
}

export interface BulkResult {
  reports: BulkLineReport[];
  summary: BulkSummary;
}

const KEY_MISSING: EnglishProblem = {
  where: "sourceKey",
  message: "is missing; by it a repeat knows what is there already",
};
const PROBLEMS_MAX = 100;

interface LineContext {
  line: number;
  sourceKey: string | null;
  links: LinkInput;
  problems: readonly EnglishProblem[];
}

/**
 * Saves items by source key, in batches of one transaction each. A line that cannot be saved is
 * reported and skipped. Repeating an interrupted load completes it.
 *
 * @param flushAfter see {@link groupIntoBatches}.
 * @returns the reports in batches, in the order of the lines, and then the summary.
 * @throws {AppError} `forbidden` before the first line.
 */
export function saveBulk(
  record: ContentRecord,
  actor: Actor,
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>,
  options: BulkOptions & { flushAfter?: () => Promise<unknown> },
): AsyncGenerator<BulkLineReport[] | BulkSummary> {
  requireScopes(actor, options);
  return saveLinesInBatches(record, actor, lines, options);
}

async function* saveLinesInBatches(
  record: ContentRecord,
  actor: Actor,
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>,
  { flushAfter, ...options }: BulkOptions & { flushAfter?: () => Promise<unknown> },
): AsyncGenerator<BulkLineReport[] | BulkSummary> {
  const summary = emptySummary();
  const batches = groupIntoBatches(loadedItems(lines), ({ bytes }) => bytes, { flushAfter });
  for await (const reports of saveInBatches(record, actor, batches, options)) {
    const bulkReports = reports.map(bulkReport);
    for (const report of bulkReports) addToSummary(summary, report);
    yield bulkReports;
  }
  yield summary;
}

/**
 * As {@link saveBulk}, but all or nothing in one transaction.
 *
 * @throws {AppError} `invalid`, with a problem for each faulty line, up to 100; `forbidden`.
 */
export async function saveBulkAtomically(
  record: ContentRecord,
  actor: Actor,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkResult> {
  const preparedOptions = await withReferences(record, lines, options);
  return await record.write(async (transaction) => {
    const result = await saveAllLines(transaction, actor, lines, preparedOptions);
    const problems = result.reports.flatMap(problemsWithLine);
    if (problems.length === 0) return result;
    throw nothingSavedError(problems);
  });
}

/** A dry run of {@link saveBulk}. */
export async function dryRunBulk(
  record: ContentRecord,
  actor: Actor,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkResult> {
  const preparedOptions = await withReferences(record, lines, options);
  return await runAndRollBack(record, (trial) =>
    saveAllLines(trial, actor, lines, preparedOptions),
  );
}

/**
 * Looks up the references to the items that the lines would withdraw. Call it before the transaction, which
 * must not wait for the editors' index.
 */
async function withReferences(
  record: ContentRecord,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkOptions> {
  const { referencesOf, ...rest } = options;
  if (referencesOf === undefined) return options;
  const referencesById = new Map<string, References | null>();
  await findAffectedReferences(record, lines, {
    ...rest,
    referencesOf: async (id) => {
      const references = await referencesOf(id);
      referencesById.set(id, references);
      return references;
    },
  });
  return { ...rest, referencesOf: async (id) => referencesById.get(id) ?? null };
}

async function saveAllLines(
  record: ContentRecord,
  actor: Actor,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkResult> {
  const reports: BulkLineReport[] = [];
  let summary = emptySummary();
  for await (const result of saveBulk(record, actor, lines, options)) {
    if (Array.isArray(result)) reports.push(...result);
    else summary = result;
  }
  return { reports, summary };
}

function requireScopes(actor: Actor, { status }: BulkOptions): void {
  requireScope(actor, "content:write");
  if (status === "published") requireScope(actor, "content:publish");
}

async function* loadedItems(
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>,
): AsyncGenerator<BatchItem<LineContext> & { bytes: number }> {
  for await (const line of lines) {
    const sourceKey = line.input?.sourceKey ?? null;
    const hasKey = line.input === null || sourceKey !== null;
    yield {
      place: {
        line: line.number,
        sourceKey,
        links: pickLinkInput(line.input ?? { relations: {} }),
        problems: hasKey ? line.problems : [KEY_MISSING],
      },
      input: hasKey ? line.input : null,
      hasStatus: line.hasStatus,
      bytes: line.bytes,
    };
  }
}

function bulkReport(report: ItemSaveOutcome<LineContext>): BulkLineReport {
  const { line, sourceKey, links, problems } = report.place;
  if (report.outcome === "failed") {
    return { line, sourceKey, outcome: "failed", problems: errorProblems(report.error, problems) };
  }
  const { id, path } = report.item;
  if (report.outcome === "incomplete") {
    const wrong = errorProblems(report.error, problems);
    return { line, sourceKey, outcome: "completed", id, path, problems: wrong };
  }
  const savedReport = { line, sourceKey, outcome: report.outcome, id, path };
  if (report.outcome !== "completed") {
    return report.waiting.length === 0
      ? savedReport
      : { ...savedReport, waitingFor: report.waiting };
  }
  if (report.missing.length === 0) return savedReport;
  const leftOut = report.missing.map((name) => ({
    where: propertyReferringTo(links, name),
    message: `there is no item "${name}"; the link is left out`,
  }));
  return { ...savedReport, problems: leftOut };
}

function errorProblems(
  error: AppError | null,
  problems: readonly EnglishProblem[],
): readonly EnglishProblem[] {
  if (error === null) return problems;
  return error.problems.length > 0
    ? toEnglishProblems(error.problems)
    : [{ where: "", message: error.message }];
}

function emptySummary(): BulkSummary {
  return { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, linksLeftOut: 0 };
}

function addToSummary(summary: BulkSummary, { outcome, problems }: BulkLineReport): void {
  if (outcome === "completed") {
    summary.linksLeftOut += problems?.length ?? 0;
    return;
  }
  summary.lines += 1;
  summary[outcome] += 1;
}

function problemsWithLine({ line, problems = [] }: BulkLineReport): EnglishProblem[] {
  return problems.map(({ where, message }) => ({
    where: where === "" ? `line ${line}` : `line ${line}, ${where}`,
    message,
  }));
}

function nothingSavedError(problems: readonly EnglishProblem[]): AppError {
  const [first] = problems;
  const count = problems.length === 1 ? "1 line cannot be" : `${problems.length} things are wrong`;
  const message = `Nothing was saved, for ${count}: ${first?.where}: ${first?.message}`;
  return new AppError("invalid", englishOnlyWording(message), {
    problems: problems
      .slice(0, PROBLEMS_MAX)
      .map((problem) => ({ ...problem, message: englishOnlyWording(problem.message) })),
  });
}
