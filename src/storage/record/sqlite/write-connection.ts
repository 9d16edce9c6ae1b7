import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { openOrCreateDatabase } from "../../../files/database-file.ts";
import { makeFolder } from "../../../files/durable-files.ts";
import { removeReadingTablesFromSchema } from "../../reading/schema.ts";
import { describeFileError, isBusyError, isCorruptionError } from "../../sqlite/sqlite-errors.ts";
import { migrate } from "./migrate.ts";

/** Longest wait for a lock. It is long enough for another process to start and run migrations. */
const LOCK_WAIT_SECONDS_MAX = 10;

/**
 * Opens the store for writing. If damaged reading tables prevent that, removes them first.
 *
 * @throws {AppError} `unavailable` when the file cannot be opened or was changed by a newer version.
 */
export function openStoreForWriting(
  file: string,
  { isTemporary }: { isTemporary: boolean },
): DatabaseSync {
  try {
    return openWritingOnce(file, isTemporary);
  } catch (error) {
    if (!namesReadingTable(error)) throw openingError(file, error);
  }
  try {
    {
      using db = new DatabaseSync(file, { timeout: LOCK_WAIT_SECONDS_MAX * 1000 });
      db.exec("BEGIN IMMEDIATE");
      removeReadingTablesFromSchema(db);
      db.exec("COMMIT");
    }
    return openWritingOnce(file, isTemporary);
  } catch (error) {
    throw openingError(file, error);
  }
}

function openWritingOnce(file: string, isTemporary: boolean): DatabaseSync {
  makeFolder(dirname(file));
  const timeout = LOCK_WAIT_SECONDS_MAX * 1000;
  const db = openOrCreateDatabase(file, { timeout, enableForeignKeyConstraints: true });
  try {
    prepareWriting(db, file, isTemporary);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Prepares the connection. `synchronous = NORMAL`: a commit does not wait for the disk, but `WalSync` does,
 * before the change is acknowledged. `cache_size`: readers wait while a commit writes the cached pages to
 * the log. A cache of 2 MB keeps this wait short, because a larger change writes most of its pages before
 * the commit. A temporary copy has no readers. Its cache is larger, so that each page is written less
 * often. `wal_autocheckpoint`: SQLite itself checkpoints at 128 MB, if `WalCheckpointer` falls behind.
 */
function prepareWriting(db: DatabaseSync, file: string, isTemporary: boolean): void {
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  // Removes the journal of a killed process. SQLite has already rolled back the unfinished write.
  rmSync(`${file}-journal`, { force: true });
  db.exec(`PRAGMA cache_size = -${isTemporary ? 8000 : 2000}; PRAGMA wal_autocheckpoint = 32000`);
  // Without this setting, erased personal data would stay in free parts of the file and in later
  // backups.
  db.exec("PRAGMA secure_delete = ON");
  migrate(db);
  // Migrations need no further sync: they ran with `synchronous = FULL`.
  db.exec(`PRAGMA synchronous = ${isTemporary ? "OFF" : "NORMAL"}`);
  // From here on `TransactionRunner` waits for the write lock, without blocking the process.
  db.exec("PRAGMA busy_timeout = 0");
}

/** Whether a reading table is damaged: SQLite names the table whose definition it cannot read. */
function namesReadingTable(error: unknown): boolean {
  return isCorruptionError(error) && error instanceof Error && /\(\w*reading_/.test(error.message);
}

function openingError(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isCorruptionError(error)) return damagedStoreError(file, error);
  const wording = englishOnlyWording(`Cannot open the store ${file}: ${openingFault(error)}`);
  return new AppError("unavailable", wording, { cause: error });
}

export function damagedStoreError(file: string, cause: unknown): AppError {
  const message = `Cannot open the store ${file}: it is damaged. "commonplace verify" says where; put a backup back with "commonplace restore"`;
  return new AppError("unavailable", englishOnlyWording(message), { cause });
}

function openingFault(error: unknown): string {
  if (isBusyError(error)) {
    return `another process has locked it for ${LOCK_WAIT_SECONDS_MAX} seconds. If that is migrate-to, wait until it has ended: the store must not change while it is moved`;
  }
  return describeFileError(error)?.en ?? (error instanceof Error ? error.message : String(error));
}
