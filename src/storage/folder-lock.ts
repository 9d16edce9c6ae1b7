import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, englishOnlyWording } from "../errors.ts";
import { chownToFolderOwner } from "../files/durable-files.ts";
import { isBusyError } from "./sqlite/sqlite-errors.ts";

/**
 * How a process uses a data folder. `shared`: commands and workers, any number of them. `serve`:
 * one server at a time, next to `shared` users. `exclusive`: no other process uses the folder.
 */
export type DataFolderUse = "serve" | "shared" | "exclusive";

export interface FolderLock extends Disposable {
  /** Whether no other process used the folder when the lock was acquired. */
  wasUnused: boolean;
}

/** File name in the data folder. */
export const LOCK_FILE_NAME = "server.lock";

interface LockMode {
  begin: string;
  waitMilliseconds: number;
  refusal: string;
}

/** For each use, the mode of the SQLite lock on an empty database: shared, reserved or exclusive. */
const LOCK_MODES: Readonly<Record<DataFolderUse, LockMode>> = {
  shared: {
    begin: "BEGIN; SELECT 1 FROM sqlite_schema",
    waitMilliseconds: 5000,
    refusal: "it is being restored; wait until that has ended",
  },
  serve: {
    begin: "BEGIN IMMEDIATE",
    // Waits, because a stopping server may need some time to exit.
    waitMilliseconds: 2000,
    refusal: "another server uses it; stop that one, or set another DATA_DIR",
  },
  exclusive: {
    begin: "BEGIN EXCLUSIVE",
    waitMilliseconds: 500,
    refusal: "a server or a command uses it; stop that first",
  },
};

/**
 * Acquires an advisory lock on an existing data folder. The lock ends when it is disposed of or the
 * process exits. Only SQLite may open the lock file, because closing any file descriptor of that
 * file drops all locks of the process.
 * @throws {AppError} `conflict` when another process's use of the folder excludes the requested
 * use.
 */
export function lockDataFolder(folder: string, use: DataFolderUse): FolderLock {
  const file = join(folder, LOCK_FILE_NAME);
  const db = new DatabaseSync(file, { timeout: 0 });
  try {
    chownToFolderOwner(folder, file);
    const wasUnused = use !== "shared" && isFree(db);
    acquireLock(db, folder, LOCK_MODES[use]);
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

/** Whether a server uses an existing data folder. Call while holding a lock on the folder. */
export function isUsedByServer(folder: string): boolean {
  using db = new DatabaseSync(join(folder, LOCK_FILE_NAME), { timeout: 0 });
  try {
    db.exec("BEGIN IMMEDIATE");
    return false;
  } catch (error) {
    if (isBusyError(error)) return true;
    throw error;
  }
}

function isFree(db: DatabaseSync): boolean {
  try {
    db.exec("BEGIN EXCLUSIVE; COMMIT");
    return true;
  } catch (error) {
    if (isBusyError(error)) return false;
    throw error;
  }
}

function acquireLock(
  db: DatabaseSync,
  folder: string,
  { begin, waitMilliseconds, refusal }: LockMode,
): void {
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMilliseconds}`);
    db.exec(begin);
  } catch (error) {
    if (!isBusyError(error)) throw error;
    throw new AppError(
      "conflict",
      englishOnlyWording(`Cannot use the data folder ${folder}: ${refusal}`),
    );
  }
}
