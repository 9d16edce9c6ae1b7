import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { openOrCreateDatabase } from "../../files/database-file.ts";
import { isCurrentCopy } from "../reading/schema.ts";
import { numberOf, textOf } from "../sqlite/columns.ts";
import { isBusyError, isCorruptionError } from "../sqlite/sqlite-errors.ts";
import type { LogPosition } from "./change-source.ts";

const LOCK_RETRY_MILLISECONDS = 10;
const LOCK_WAIT_MILLISECONDS_MAX = 30_000;

export interface CopyPosition extends LogPosition {
  /** Random id of the copy, which changes when another process rebuilds it in the same file. */
  buildId: string;
}

/**
 * Creates the table with the copy's position in the log. The position is updated in the same transactions
 * as the rest of the copy.
 */
export function createCopyPositionTable(
  db: DatabaseSync,
  { recordId, position, at, buildId }: CopyPosition,
): void {
  db.exec(
    `CREATE TABLE followed (
       one INTEGER PRIMARY KEY CHECK (one = 1),
       record_id TEXT NOT NULL,
       position INTEGER NOT NULL,
       at TEXT NOT NULL,
       made TEXT NOT NULL
     ) STRICT`,
  );
  db.prepare("INSERT INTO followed VALUES (1, ?, ?, ?, ?)").run(recordId, position, at, buildId);
}

export function readCopyPosition(db: DatabaseSync): CopyPosition {
  const stored = db.prepare("SELECT * FROM followed").get();
  if (stored === undefined)
    throw new Error("The reading copy does not say how far it has followed");
  return {
    recordId: textOf(stored, "record_id"),
    position: numberOf(stored, "position"),
    at: textOf(stored, "at"),
    buildId: textOf(stored, "made"),
  };
}

export function saveCopyPosition(
  db: DatabaseSync,
  { position, at }: Pick<LogPosition, "position" | "at">,
): void {
  db.prepare("UPDATE followed SET position = ?, at = ?").run(position, at);
}

/**
 * Returns the position in the log from which this copy can be updated. Returns null if the copy cannot
 * be updated and must be built.
 */
export function readPositionOfUpdatableCopy(file: string, origin: string): CopyPosition | null {
  return readPositionIf(file, (db) => isCurrentCopy(db, { origin }));
}

/**
 * Returns the position in the log of a copy, whatever its version and origin; null if the copy is missing
 * or damaged.
 */
export function readPositionOfAnyCopy(file: string): CopyPosition | null {
  return readPositionIf(file, () => true);
}

function readPositionIf(
  file: string,
  isWanted: (db: DatabaseSync) => boolean,
): CopyPosition | null {
  if (!existsSync(file)) return null;
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MILLISECONDS_MAX });
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'followed'").get();
    return table !== undefined && isWanted(db) ? readCopyPosition(db) : null;
  } catch (error) {
    if (isCausedByDamage(error)) return null;
    throw error;
  }
}

/**
 * Whether damage may have caused the error. Also true for errors from outside SQLite, because
 * damage can hide rows and change the types of values.
 */
export function isCausedByDamage(error: unknown): boolean {
  return isCorruptionError(error) || !(error instanceof Error && "errcode" in error);
}

/**
 * Opens a copy being built: it has no readers and is discarded if incomplete, so it needs no
 * journal. With `defensive` on, SQLite would silently keep the journal.
 */
export function openCopyWithoutJournal(
  file: string,
  { cacheMegabytes = 16 }: { cacheMegabytes?: number } = {},
): DatabaseSync {
  const db = openOrCreateDatabase(file, { defensive: false });
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA cache_size = ${-1000 * cacheMegabytes}`);
  return db;
}

/** Removes a database with its journal and WAL files. */
export function removeDatabaseFiles(file: string): void {
  for (const path of databaseFiles(file)) rmSync(path, { force: true });
}

/** Begins a write transaction; waits for other processes without blocking the event loop. */
export async function beginWriteTransaction(
  db: DatabaseSync,
  statement = "BEGIN IMMEDIATE",
): Promise<void> {
  const until = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
  while (!tryBegin(db, statement)) {
    if (performance.now() > until) {
      throw new AppError(
        "unavailable",
        englishOnlyWording("Another process keeps the reading copy locked"),
        {
          retryAfterSeconds: LOCK_WAIT_MILLISECONDS_MAX / 1000,
        },
      );
    }
    await sleep(LOCK_RETRY_MILLISECONDS);
  }
}

/** Rolls back, unless SQLite already has, as it does when the disk is full. */
export function rollBack(db: DatabaseSync): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}

/**
 * Runs `work` while holding a lock file. Waits while another process holds the lock; if that process
 * dies, the lock is released. Once the lock is acquired, skips `work` if `isNeeded` returns false,
 * because another process has done the work.
 */
export async function withLockFile(
  file: string,
  { isNeeded, signal }: { isNeeded: () => boolean; signal: AbortSignal },
  work: () => Promise<void>,
): Promise<void> {
  using db = openOrCreateDatabase(`${file}.lock`, { timeout: 0 });
  while (!tryBegin(db, "BEGIN EXCLUSIVE")) {
    await sleep(LOCK_RETRY_MILLISECONDS * 10, undefined, { signal });
  }
  if (isNeeded()) await work();
}

/**
 * Removes temporary files of killed processes at these paths, unless a process is building a copy now.
 */
export function removeUnfinishedFiles(file: string, paths: readonly string[]): void {
  if (!paths.flatMap(databaseFiles).some((path) => existsSync(path))) return;
  using db = openOrCreateDatabase(`${file}.lock`, { timeout: 0 });
  if (tryBegin(db, "BEGIN EXCLUSIVE")) paths.forEach(removeDatabaseFiles);
}

function databaseFiles(file: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => `${file}${end}`);
}

function tryBegin(db: DatabaseSync, statement: string): boolean {
  try {
    db.exec(statement);
    return true;
  } catch (error) {
    if (!isBusyError(error)) throw error;
    return false;
  }
}
