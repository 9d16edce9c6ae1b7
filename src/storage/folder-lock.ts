import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../errors.ts";
import { giveToOwnerOf } from "../files/durable-files.ts";
import { isBusy } from "./sqlite/sqlite-faults.ts";

/**
 * What a process does with a data folder. `serve`: one at a time, with any number of `beside`, which
 * are commands and workers. `alone`: nothing else uses the folder meanwhile.
 */
export type FolderUse = "serve" | "beside" | "alone";

export interface FolderLock extends Disposable {
  /** Was no other process using the folder when the lock was taken? */
  wasUnused: boolean;
}

const LOCK_FILE = "server.lock";

interface Way {
  begin: string;
  waitMilliseconds: number;
  refusal: string;
}

/** SQLite's own locks on an empty database: a shared one, a reserved one and an exclusive one. */
const WAYS: Readonly<Record<FolderUse, Way>> = {
  beside: {
    begin: "BEGIN; SELECT 1 FROM sqlite_schema",
    waitMilliseconds: 5000,
    refusal: "it is being restored; wait until that has ended",
  },
  serve: {
    begin: "BEGIN IMMEDIATE",
    // A server that was stopped may need a moment to end.
    waitMilliseconds: 2000,
    refusal: "another server uses it; stop that one, or set another DATA_DIR",
  },
  alone: {
    begin: "BEGIN EXCLUSIVE",
    waitMilliseconds: 500,
    refusal: "a server or a command uses it; stop that first",
  },
};

/**
 * Locks a data folder, which must exist, until the lock is disposed of or the process ends, however it
 * ends. Nothing but SQLite may open the lock file: closing a file drops all locks that the process has
 * on it.
 *
 * @throws {AppError} `conflict` when another process uses the folder in a way that excludes this one.
 */
export function lockFolder(folder: string, use: FolderUse): FolderLock {
  const file = join(folder, LOCK_FILE);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    giveToOwnerOf(folder, file);
    const wasUnused = use !== "beside" && isFree(db);
    take(db, folder, WAYS[use]);
    return {
      wasUnused,
      [Symbol.dispose]: () => {
        if (db.isOpen) db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function isFree(db: DatabaseSync): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE; COMMIT");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function take(db: DatabaseSync, folder: string, { begin, waitMilliseconds, refusal }: Way): void {
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMilliseconds}`);
    db.exec(begin);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new AppError("conflict", `Cannot use the data folder ${folder}: ${refusal}`);
  }
}
