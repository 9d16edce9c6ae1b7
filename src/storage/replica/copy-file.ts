import { existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError, englishOnly } from "../../errors.ts";
import { isCurrentCopy } from "../reading/schema.ts";
import { numberOf, textOf } from "../sqlite/columns.ts";
import { isBusy, isDamaged } from "../sqlite/sqlite-faults.ts";
import type { LogPosition } from "./change-source.ts";

const LOCK_RETRY_MILLISECONDS = 10;
const LOCK_WAIT_MILLISECONDS_MAX = 30_000;

/** Position of a copy, and which of the successive copies in the file it is. */
export interface CopyPosition extends LogPosition {
  made: string;
}

/** Stored in the reading copy's own file and updated in the same transactions. */
export function createPositionTable(
  db: DatabaseSync,
  { recordId, position, at, made }: CopyPosition,
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
  db.prepare("INSERT INTO followed VALUES (1, ?, ?, ?, ?)").run(recordId, position, at, made);
}

export function readPosition(db: DatabaseSync): CopyPosition {
  const place = db.prepare("SELECT * FROM followed").get();
  if (place === undefined) throw new Error("The reading copy does not say how far it has followed");
  return {
    recordId: textOf(place, "record_id"),
    position: numberOf(place, "position"),
    at: textOf(place, "at"),
    made: textOf(place, "made"),
  };
}

export function savePosition(
  db: DatabaseSync,
  { position, at }: Pick<LogPosition, "position" | "at">,
): void {
  db.prepare("UPDATE followed SET position = ?, at = ?").run(position, at);
}

/** The position from which a copy can be updated; null if it is missing or damaged, and must be built. */
export function usablePosition(file: string, origin: string): CopyPosition | null {
  return readPositionIf(file, (db) => isCurrentCopy(db, { origin }));
}

/** The position of a copy of any version and origin; null if it is missing or damaged. */
export function storedPosition(file: string): CopyPosition | null {
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
    return table !== undefined && isWanted(db) ? readPosition(db) : null;
  } catch (error) {
    if (isCausedByDamage(error)) return null;
    throw error;
  }
}

/** Whether SQLite reported damage, or our own code did: damage can also hide rows and change types of values. */
export function isCausedByDamage(error: unknown): boolean {
  return isDamaged(error) || !(error instanceof Error && "errcode" in error);
}

/**
 * Opens a copy being built: it has no readers and is discarded if incomplete, so it needs no
 * journal. `defensive` must be off, or SQLite silently keeps its journal.
 */
export function openWithoutJournal(
  file: string,
  { cacheMegabytes = 16 }: { cacheMegabytes?: number } = {},
): DatabaseSync {
  const db = new DatabaseSync(file, { defensive: false });
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
    PRAGMA cache_size = ${-1000 * cacheMegabytes}`);
  return db;
}

/** Removes a database with its journal and WAL files. */
export function removeDatabase(file: string): void {
  for (const path of databaseFiles(file)) rmSync(path, { force: true });
}

/** Begins a write transaction; waits for other processes without blocking the event loop. */
export async function beginWriting(db: DatabaseSync, what = "BEGIN IMMEDIATE"): Promise<void> {
  const until = performance.now() + LOCK_WAIT_MILLISECONDS_MAX;
  while (!tryBegin(db, what)) {
    if (performance.now() > until) {
      throw new AppError(
        "unavailable",
        englishOnly("Another process keeps the reading copy locked"),
        {
          retryAfterSeconds: LOCK_WAIT_MILLISECONDS_MAX / 1000,
        },
      );
    }
    await sleep(LOCK_RETRY_MILLISECONDS);
  }
}

/** Rolls back, unless SQLite already has, as it does when the disk is full. */
export function undo(db: DatabaseSync): void {
  if (db.isTransaction) db.exec("ROLLBACK");
}

/**
 * Runs `work` while holding a lock file, and waits while another process holds it; the lock of a
 * process that dies is released. `isNeeded` is checked once the lock is held, as another process
 * may have done the work.
 */
export async function exclusively(
  file: string,
  { isNeeded, signal }: { isNeeded: () => boolean; signal: AbortSignal },
  work: () => Promise<void>,
): Promise<void> {
  using db = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  while (!tryBegin(db, "BEGIN EXCLUSIVE")) {
    await sleep(LOCK_RETRY_MILLISECONDS * 10, undefined, { signal });
  }
  if (isNeeded()) await work();
}

/**
 * Removes temporary files of killed processes in `made`, unless a process is building a copy now.
 */
export function clearUnfinished(file: string, made: readonly string[]): void {
  if (!made.flatMap(databaseFiles).some((path) => existsSync(path))) return;
  using db = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  if (tryBegin(db, "BEGIN EXCLUSIVE")) made.forEach(removeDatabase);
}

function databaseFiles(file: string): string[] {
  return ["", "-wal", "-shm", "-journal"].map((end) => `${file}${end}`);
}

function tryBegin(db: DatabaseSync, what: string): boolean {
  try {
    db.exec(what);
    return true;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return false;
  }
}
