import { createHash } from "node:crypto";
import { AppError } from "../../errors.ts";
import { type ComparedTable, compareTables } from "./comparing.ts";
import { copyTables } from "./copying.ts";
import type { KeptNote, MoveNote } from "./move-note.ts";
import { type ComparedFiles, compareFiles, copyFiles } from "./moving-files.ts";
import type { Side, Source, Target } from "./sides.ts";
import { AUDIT } from "./tables.ts";

/** Number of first audit entries that identify a record. Entries never change. */
const TELLING_ENTRIES = 20;

/** Reports the current step and its progress. */
export type OnStep = (
  step: "Copying" | "Copying files" | "Comparing" | "Comparing files",
  progress: { done: number; total: number; of: string },
) => void;

export interface Comparison {
  source: string;
  target: string;
  tables: readonly ComparedTable[];
  files: ComparedFiles;
  isSame: boolean;
}

export interface Moved extends Comparison {
  /** Did an earlier run start this move? */
  isContinued: boolean;
  /** Changes of the source since its snapshot, which were not moved. */
  changesSince: number;
}

/**
 * Copies a record with its files, compares both sides, and marks the target complete if they are equal.
 * Resumes an earlier run.
 *
 * @throws {AppError} `conflict`, before any change, if the target holds anything but a move of the same
 * record, or an unfinished one of another state of it.
 */
export async function moveRecord(
  source: Source,
  target: Target,
  { now, startsOver, onStep }: { now: () => Date; startsOver: boolean; onStep: OnStep },
): Promise<Moved> {
  const begun = await begin(source, target, { now, startsOver });
  if (!begun.isComplete) await copyAll(source, target, { note: begun.note, onStep });
  const compared = await compareSides(source, target, onStep);
  const changesSince = await source.changesSince();
  const isWhole = compared.isSame && changesSince === 0;
  if (isWhole && !begun.isComplete) await target.complete(now());
  return { ...compared, isContinued: begun.isContinued, changesSince };
}

interface Begun {
  note: MoveNote;
  isContinued: boolean;
  /** An earlier run completed the move. */
  isComplete: boolean;
}

async function begin(
  source: Source,
  target: Target,
  { now, startsOver }: { now: () => Date; startsOver: boolean },
): Promise<Begun> {
  const identity = await identify(source);
  const kept = await target.found();
  if (kept !== null) await requireSameRecord(kept, source, target);
  if (kept !== null && kept.completedAt !== null) {
    return { note: kept.note, isContinued: true, isComplete: true };
  }
  if (kept !== null && !startsOver) {
    requireSameState(kept.note, identity, { source, target });
    return { note: kept.note, isContinued: true, isComplete: false };
  }
  if (kept !== null) await target.empty();
  const note = { ...UNBEGUN, ...identity, beganAt: now().toISOString() };
  return { note, isContinued: false, isComplete: false };
}

async function copyAll(
  source: Source,
  target: Target,
  { note, onStep }: { note: MoveNote; onStep: OnStep },
): Promise<void> {
  const prepared = await target.prepare(note);
  await copyTables(source, target, {
    note: prepared,
    onRows: (done, total, of) => onStep("Copying", { done, total, of }),
  });
  await copyFiles(source.files, target.files, (done, total) =>
    onStep("Copying files", { done, total, of: "files" }),
  );
}

/** Compares two records with their files. Changes nothing. */
export async function compareSides(
  source: Side,
  target: Side,
  onStep: OnStep,
): Promise<Comparison> {
  const tables = await compareTables(source, target, (done, total, of) =>
    onStep("Comparing", { done, total, of }),
  );
  const files = await compareFiles(source.files, target.files, (done, total) =>
    onStep("Comparing files", { done, total, of: "files" }),
  );
  const isSame = tables.every(({ differing }) => differing === 0) && files.differences.length === 0;
  return { source: source.name, target: target.name, tables, files, isSame };
}

type Identity = Pick<MoveNote, "record" | "entries" | "latest">;

const UNBEGUN = { table: null, after: null, setAside: null, isCopied: false };

async function identify(source: Source): Promise<Identity> {
  const entries = await firstEntries(source, TELLING_ENTRIES);
  if (entries.length === 0) {
    throw new AppError("conflict", `There is nothing to move: ${source.name} is empty`);
  }
  const latest = await source.lastNumber(AUDIT);
  return { record: hashOf(entries), entries: entries.length, latest };
}

async function requireSameRecord(
  { note, completedAt }: KeptNote,
  source: Source,
  target: Target,
): Promise<void> {
  const entries = await firstEntries(source, note.entries);
  if (entries.length === note.entries && hashOf(entries) === note.record) return;
  const what = completedAt === null ? "an unfinished move" : "what was moved there";
  throw new AppError(
    "conflict",
    `Cannot move to ${target.name}: it holds ${what} from another record; name an empty place`,
  );
}

function requireSameState(
  note: MoveNote,
  { latest }: Identity,
  { source, target }: { source: Source; target: Target },
): void {
  if (latest === note.latest) return;
  throw new AppError(
    "conflict",
    `Cannot go on: ${source.name} has changed since the move began. Add --start-over, which throws away what was copied into ${target.name}`,
  );
}

async function firstEntries(source: Source, limit: number): Promise<string[]> {
  const columns = await source.columns(AUDIT);
  const bytes = Number.MAX_SAFE_INTEGER;
  const rows = await source.read(AUDIT, { columns, after: null, rowsMax: limit, bytes });
  return rows.map((row) => JSON.stringify(row));
}

function hashOf(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
