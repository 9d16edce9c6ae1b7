import { createHash } from "node:crypto";
import { AppError } from "../../errors.ts";
import { type ComparedTable, compareTables } from "./comparing.ts";
import { copyTables } from "./copying.ts";
import type { KeptNote, MoveNote } from "./move-note.ts";
import { type ComparedFiles, compareFiles, copyFiles } from "./moving-files.ts";
import type { Side, Source, Target } from "./sides.ts";
import { AUDIT } from "./tables.ts";

/** So many entries of the audit log, which never change, tell one record from all others. */
const TELLING_ENTRIES = 20;

/** What is under way, how far it has come of how much, and of what. */
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
  /** Had an earlier run begun it? */
  isContinued: boolean;
  /** Changes of the source that came after the moment it was read at, and were not moved. */
  changesSince: number;
}

/**
 * Copies a record with its files, compares both sides, and marks the target as complete if they are
 * the same. What an earlier run has copied is not copied again.
 *
 * @throws {AppError} `conflict` when the target holds anything else than an unfinished move of the same
 * record in the same state. Then nothing has changed.
 */
export async function moveRecord(
  source: Source,
  target: Target,
  { now, startsOver, onStep }: { now: () => Date; startsOver: boolean; onStep: OnStep },
): Promise<Moved> {
  const identity = await identify(source);
  let kept = await target.found();
  if (kept !== null && startsOver && kept.completedAt === null) {
    await target.empty();
    kept = null;
  }
  if (kept !== null) await requireSame(kept, { source, target, identity });
  let note: MoveNote = kept?.note ?? { ...UNBEGUN, ...identity, beganAt: now().toISOString() };
  if (kept?.completedAt === undefined || kept.completedAt === null) {
    note = await target.prepare(note);
    const onRows = (done: number, total: number, of: string) =>
      onStep("Copying", { done, total, of });
    note = await copyTables(source, target, { note, onRows });
    await copyFiles(source.files, target.files, (done, total) =>
      onStep("Copying files", { done, total, of: "files" }),
    );
  }
  const compared = await compareSides(source, target, onStep);
  const changesSince = await source.changesSince();
  const isComplete = compared.isSame && changesSince === 0;
  if (isComplete && (kept?.completedAt ?? null) === null) await target.complete(now());
  return { ...compared, isContinued: kept !== null, changesSince };
}

/** Compares two records with their files, and changes nothing. */
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

async function requireSame(
  { note, completedAt }: KeptNote,
  { source, target, identity }: { source: Source; target: Target; identity: Identity },
): Promise<void> {
  const entries = await firstEntries(source, note.entries);
  const what = completedAt === null ? "an unfinished move" : "what was moved there";
  if (entries.length < note.entries || hashOf(entries) !== note.record) {
    throw new AppError(
      "conflict",
      `Cannot move to ${target.name}: it holds ${what} from another record; name an empty place`,
    );
  }
  if (completedAt === null && identity.latest !== note.latest) {
    throw new AppError(
      "conflict",
      `Cannot go on: ${source.name} has changed since the move began (${identity.latest - note.latest} entries in its audit log). Add --start-over, which throws away what was copied into ${target.name}`,
    );
  }
}

async function firstEntries(source: Source, limit: number): Promise<string[]> {
  const columns = await source.columns(AUDIT);
  const rows = await source.read(AUDIT, { columns, after: null, limit });
  return rows.map((row) => JSON.stringify(row));
}

function hashOf(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}
