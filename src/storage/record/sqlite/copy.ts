import { existsSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { isBusyError, isCorruptionError } from "../../sqlite/sqlite-errors.ts";
import { requireKnownMigrations } from "./migrate.ts";

/** Pages of 4 KiB copied between progress reports. */
const PAGES_PER_STEP = 5000;
const FAULTS_REPORTED_MAX = 3;
/** Long enough to wait for a process that is closing the store and so locks it briefly. */
const LOCK_WAIT_MILLISECONDS = 10_000;

/** Progress from 0 to 1. */
export type OnCopyProgress = (share: number) => void;

/**
 * Copies a consistent snapshot of a store to a new file and verifies the copy. Other processes may write to
 * the store during the copy.
 *
 * @throws {AppError} `unavailable` when the store cannot be read or the copy is damaged; `invalid` for a
 * database of another program.
 */
export async function copyStore(from: string, to: string, onShare: OnCopyProgress): Promise<void> {
  const source = openStoreFile(from, { readOnly: true, timeout: LOCK_WAIT_MILLISECONDS });
  try {
    // Pins the snapshot: without a read transaction, every write would restart the copy.
    source.exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
    await backup(source, to, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onShare(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
    });
  } finally {
    source.close();
  }
  verifyStore(to, "The copy");
}

/**
 * Checks every page of a store that is not in use, and copies its write-ahead log into the file. `label` is
 * the store's name in messages.
 *
 * @throws {AppError} `unavailable` for a damaged store or one of a newer version; `invalid` for a database of
 * another program.
 */
export function verifyStore(file: string, label: string): void {
  const db = openStoreFile(file, { readOnly: false, timeout: 0 });
  try {
    db.exec("PRAGMA journal_mode = DELETE");
    const faults = db
      .prepare(`PRAGMA integrity_check(${FAULTS_REPORTED_MAX})`)
      .all()
      .map((row) => String(row["integrity_check"]));
    if (faults.join() !== "ok") {
      throw new AppError(
        "unavailable",
        englishOnlyWording(`${label} is damaged: ${faults.join("; ")}`),
      );
    }
    requireCommonplaceStore(db, label);
  } catch (error) {
    throw storeFault(label, error);
  } finally {
    db.close();
  }
}

/**
 * Whether any process has the store open; false if it is missing or too damaged to open. Switches a store that
 * is not in use out of WAL mode.
 */
export function isStoreInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = openStoreFile(file, { readOnly: false, timeout: 0 });
  try {
    // Leaving WAL mode fails while any other connection is open.
    db.exec("PRAGMA journal_mode = DELETE");
    return false;
  } catch (error) {
    if (isBusyError(error)) return true;
    if (isCorruptionError(error)) return false;
    throw storeFault(file, error);
  } finally {
    db.close();
  }
}

/**
 * @throws {AppError} `invalid` for an empty file or a database of another program; `unavailable` for a store
 * of a newer version.
 */
export function requireCommonplaceStore(db: DatabaseSync, label: string): void {
  const tables = db.prepare("SELECT name FROM sqlite_schema").all();
  if (!tables.some(({ name }) => name === "migrations")) {
    const fault = tables.length === 0 ? "is empty" : "is a database of another program";
    throw new AppError("invalid", englishOnlyWording(`${label} ${fault}`));
  }
  requireKnownMigrations(db, "use that version for this");
}

function openStoreFile(
  file: string,
  options: { readOnly: boolean; timeout: number },
): DatabaseSync {
  try {
    return new DatabaseSync(file, options);
  } catch (error) {
    throw storeFault(file, error);
  }
}

function storeFault(file: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError(
    "unavailable",
    englishOnlyWording(`Cannot read the store ${file}: ${reason}`),
    {
      cause: error,
    },
  );
}
