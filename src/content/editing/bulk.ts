import { type Actor, requireScope } from "../../access/actor.ts";
import { AppError, type Problem } from "../../errors.ts";
import type { ItemInput } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import {
  inBlocks,
  placeOfLink,
  type SavingReport,
  type StatedItem,
  saveInBlocks,
} from "./block-saving.ts";
import { triedOut } from "./trial.ts";

/** A parsed line of a bulk load. */
export interface BulkLine {
  /** From 1, counting empty lines. */
  number: number;
  /** Null if there are errors. */
  input: ItemInput | null;
  problems: readonly Problem[];
  /** Whether the line states a status. */
  statesStatus: boolean;
  bytes: number;
}

/** The outcome for a line. */
export interface BulkReport {
  line: number;
  sourceKey: string | null;
  /** `completed` is a second report, for a line with links to later items. */
  outcome: "created" | "updated" | "unchanged" | "failed" | "completed";
  id?: string;
  path?: string;
  /** Link targets that do not exist yet. */
  waitingFor?: readonly string[];
  problems?: readonly Problem[];
}

export interface BulkSummary {
  lines: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  /** Links left out because no item has the named path or source key. */
  linksLeftOut: number;
}

export interface BulkOptions {
  now: Date;
  /** Overrides the status of each line. */
  status?: "draft" | "published";
  requestId?: string;
  /** Called between items to yield to the event loop. */
  takeTurns?: () => Promise<void>;
}

export interface BulkResult {
  reports: BulkReport[];
  summary: BulkSummary;
}

const KEY_MISSING: Problem = {
  where: "sourceKey",
  message: "is missing; by it a repeat knows what is there already",
};
const PROBLEMS_TOLD_MAX = 100;

interface Place {
  line: number;
  sourceKey: string | null;
  relations: ItemInput["relations"];
  problems: readonly Problem[];
}

/**
 * Saves items by source key, in blocks of one transaction each. A line that cannot be saved is
 * reported and skipped. Repeating an interrupted load completes it.
 *
 * @param patience see {@link inBlocks}.
 * @returns reports block by block in the order of the lines, then the summary.
 * @throws {AppError} `forbidden` before the first line.
 */
export function saveBulk(
  record: ContentRecord,
  actor: Actor,
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>,
  options: BulkOptions & { patience?: () => Promise<unknown> },
): AsyncGenerator<BulkReport[] | BulkSummary> {
  requireScopes(actor, options);
  return savedInBlocks(record, actor, lines, options);
}

async function* savedInBlocks(
  record: ContentRecord,
  actor: Actor,
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>,
  { patience, ...options }: BulkOptions & { patience?: () => Promise<unknown> },
): AsyncGenerator<BulkReport[] | BulkSummary> {
  const summary = emptySummary();
  const blocks = inBlocks(statedItems(lines), ({ bytes }) => bytes, patience);
  for await (const reports of saveInBlocks(record, actor, blocks, options)) {
    const told = reports.map(bulkReport);
    for (const report of told) count(summary, report);
    yield told;
  }
  yield summary;
}

/**
 * As {@link saveBulk}, but all or nothing in one transaction.
 *
 * @throws {AppError} `invalid`, with a problem for each faulty line, up to 100; `forbidden`.
 */
export async function saveBulkWhole(
  record: ContentRecord,
  actor: Actor,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkResult> {
  return await record.write(async (transaction) => {
    const result = await savedLines(transaction, actor, lines, options);
    const problems = result.reports.flatMap(linedProblems);
    if (problems.length === 0) return result;
    throw refusal(problems);
  });
}

/** A dry run of {@link saveBulk}. */
export async function tryBulk(
  record: ContentRecord,
  actor: Actor,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkResult> {
  return await triedOut(record, (trial) => savedLines(trial, actor, lines, options));
}

async function savedLines(
  record: ContentRecord,
  actor: Actor,
  lines: readonly BulkLine[],
  options: BulkOptions,
): Promise<BulkResult> {
  const reports: BulkReport[] = [];
  let summary = emptySummary();
  for await (const told of saveBulk(record, actor, lines, options)) {
    if (Array.isArray(told)) reports.push(...told);
    else summary = told;
  }
  return { reports, summary };
}

function requireScopes(actor: Actor, { status }: BulkOptions): void {
  requireScope(actor, "content:write");
  if (status === "published") requireScope(actor, "content:publish");
}

async function* statedItems(
  lines: AsyncIterable<BulkLine> | Iterable<BulkLine>,
): AsyncGenerator<StatedItem<Place> & { bytes: number }> {
  for await (const line of lines) {
    const sourceKey = line.input?.sourceKey ?? null;
    const isKept = line.input === null || sourceKey !== null;
    yield {
      place: {
        line: line.number,
        sourceKey,
        relations: line.input?.relations ?? {},
        problems: isKept ? line.problems : [KEY_MISSING],
      },
      input: isKept ? line.input : null,
      statesStatus: line.statesStatus,
      bytes: line.bytes,
    };
  }
}

function bulkReport(report: SavingReport<Place>): BulkReport {
  const { line, sourceKey, relations, problems } = report.place;
  if (report.outcome === "failed") {
    return { line, sourceKey, outcome: "failed", problems: refusedFor(report.error, problems) };
  }
  const { id, path } = report.item;
  const told = { line, sourceKey, outcome: report.outcome, id, path };
  if (report.outcome !== "completed") {
    return report.waiting.length === 0 ? told : { ...told, waitingFor: report.waiting };
  }
  if (report.missing.length === 0) return told;
  const left = report.missing.map((name) => ({
    where: placeOfLink(relations, name),
    message: `there is no item "${name}"; the link is left out`,
  }));
  return { ...told, problems: left };
}

function refusedFor(error: AppError | null, problems: readonly Problem[]): readonly Problem[] {
  if (error === null) return problems;
  return error.problems.length > 0 ? error.problems : [{ where: "", message: error.message }];
}

function emptySummary(): BulkSummary {
  return { lines: 0, created: 0, updated: 0, unchanged: 0, failed: 0, linksLeftOut: 0 };
}

function count(summary: BulkSummary, { outcome, problems }: BulkReport): void {
  if (outcome === "completed") {
    summary.linksLeftOut += problems?.length ?? 0;
    return;
  }
  summary.lines += 1;
  summary[outcome] += 1;
}

function linedProblems({ line, problems = [] }: BulkReport): Problem[] {
  return problems.map(({ where, message }) => ({
    where: where === "" ? `line ${line}` : `line ${line}, ${where}`,
    message,
  }));
}

function refusal(problems: readonly Problem[]): AppError {
  const told = problems.slice(0, PROBLEMS_TOLD_MAX);
  const [first] = told;
  const count = problems.length === 1 ? "1 line cannot be" : `${problems.length} things are wrong`;
  const message = `Nothing was saved, for ${count}: ${first?.where}: ${first?.message}`;
  return new AppError("invalid", message, { problems: told });
}
