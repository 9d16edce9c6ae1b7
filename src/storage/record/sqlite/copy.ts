import { existsSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { AppError } from "../../../errors.ts";
import { isBusy, isDamaged } from "../../sqlite/sqlite-faults.ts";
import { requireKnownMigrations } from "./migrate.ts";

/** Pages copied between two looks at how far it is; 4 KiB each. */
const PAGES_A_STEP = 5000;
const FAULTS_TOLD_MAX = 3;
/** Whoever closes a store holds it for a moment. */
const LOCK_WAIT_MILLISECONDS = 10_000;

/** Is told shares from 0 to 1. */
export type OnShare = (share: number) => void;

/**
 * Copies a store to a new file as it is at one moment, while others go on writing to it, and proves
 * the copy.
 *
 * @throws {AppError} `unavailable` when the store cannot be read or the copy is damaged.
 */
export async function copyStore(from: string, to: string, onShare: OnShare): Promise<void> {
  const source = openStoreFile(from, { readOnly: true, timeout: LOCK_WAIT_MILLISECONDS });
  try {
    // A read transaction held open keeps the moment: without it, every write would begin the copy anew.
    source.exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
    await backup(source, to, {
      rate: PAGES_A_STEP,
      progress: ({ totalPages, remainingPages }) =>
        onShare(totalPages === 0 ? 1 : 1 - remainingPages / totalPages),
    });
  } finally {
    source.close();
  }
  proveStore(to, "The copy");
}

/**
 * Looks at every page of a store that nobody uses, and makes it one file without companions. Messages
 * speak of it as `named`.
 *
 * @throws {AppError} `unavailable`, telling what is damaged; or that a newer version made it.
 */
export function proveStore(file: string, named: string): void {
  const db = openStoreFile(file, { readOnly: false, timeout: 0 });
  try {
    db.exec("PRAGMA journal_mode = DELETE");
    const faults = db
      .prepare(`PRAGMA integrity_check(${FAULTS_TOLD_MAX})`)
      .all()
      .map((row) => String(row["integrity_check"]));
    if (faults.join() !== "ok") {
      throw new AppError("unavailable", `${named} is damaged: ${faults.join("; ")}`);
    }
    requireOurs(db, named);
  } catch (error) {
    throw worded(named, error);
  } finally {
    db.close();
  }
}

/** Does any process have this store open? None has one that is missing, or damaged beyond opening. */
export function isInUse(file: string): boolean {
  if (!existsSync(file)) return false;
  const db = openStoreFile(file, { readOnly: false, timeout: 0 });
  try {
    // Leaving write-ahead logging needs the file for oneself, also of those who only have it open.
    db.exec("PRAGMA journal_mode = DELETE");
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    if (isDamaged(error)) return false;
    throw worded(file, error);
  } finally {
    db.close();
  }
}

function requireOurs(db: DatabaseSync, named: string): void {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'migrations'").get();
  if (table === undefined) {
    throw new AppError("invalid", `${named} is a database of another program`);
  }
  requireKnownMigrations(db);
}

function openStoreFile(
  file: string,
  options: { readOnly: boolean; timeout: number },
): DatabaseSync {
  try {
    return new DatabaseSync(file, options);
  } catch (error) {
    throw worded(file, error);
  }
}

function worded(file: string, error: unknown): unknown {
  if (error instanceof AppError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError("unavailable", `Cannot read the store ${file}: ${reason}`, { cause: error });
}
