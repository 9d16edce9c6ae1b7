import { lstatSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AppError, englishOnlyWording } from "../errors.ts";
import { openOrCreateDatabase } from "../files/database-file.ts";
import { makeFolder, pathExists, writeNewFile } from "../files/durable-files.ts";
import { isBusyError } from "../storage/sqlite/sqlite-errors.ts";

/**
 * Name of the database file in the folder of a base. A base stores the state in which folder and site were
 * last in sync.
 */
export const SYNC_BASE_FILE = "sync.db";
const GIT_FILE = ".gitignore";
const BASE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS site (id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS items (
    id TEXT PRIMARY KEY, file TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL,
    text TEXT NOT NULL, conflict TEXT
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS agreed (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
`;

/** Refuses symbolic links. In a folder from someone else, a link could point outside the folder. */
export function rejectSymbolicLinks(folder: string): void {
  for (const path of [folder, join(folder, GIT_FILE), join(folder, SYNC_BASE_FILE)]) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() !== true) continue;
    throw new AppError("conflict", englishOnlyWording(`${path} is a symbolic link: remove it`));
  }
}

/**
 * Opens the database of a base without locking it. If there is none, opens an empty database in memory.
 */
export async function openBaseForReading(folder: string): Promise<DatabaseSync> {
  const file = join(folder, SYNC_BASE_FILE);
  if (await pathExists(file)) {
    const db = new DatabaseSync(file, { timeout: 0 });
    return openChecked(db, folder, () => db.exec("PRAGMA query_only = 1"));
  }
  const db = new DatabaseSync(":memory:");
  return openChecked(db, folder, () => db.exec(BASE_SCHEMA));
}

/**
 * Opens the database of a base and locks it. Creates the folder and the database if they do not exist.
 *
 * @throws {AppError} `conflict` if another process has the base open.
 */
export async function openBaseForWriting(folder: string): Promise<DatabaseSync> {
  makeFolder(folder);
  // Makes Git ignore the folder.
  if (!(await pathExists(join(folder, GIT_FILE))))
    await writeNewFile(join(folder, GIT_FILE), "*\n");
  const db = openOrCreateDatabase(join(folder, SYNC_BASE_FILE), { timeout: 0 });
  return openChecked(db, folder, () => {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE; COMMIT");
    db.exec(BASE_SCHEMA);
  });
}

function openChecked(db: DatabaseSync, folder: string, prepare: () => void): DatabaseSync {
  try {
    prepare();
    db.prepare("SELECT count(*) FROM site").get();
    return db;
  } catch (error) {
    db.close();
    if (!isBusyError(error)) throw error;
    const message = `Another sync uses ${folder}: wait until it ends`;
    throw new AppError("conflict", englishOnlyWording(message), { cause: error });
  }
}
