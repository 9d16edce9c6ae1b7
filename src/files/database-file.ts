import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";
import { chownToFolderOwner } from "./durable-files.ts";

/**
 * Opens an SQLite file, or creates it as {@link chownToFolderOwner} says. Its WAL and journal, which
 * SQLite creates later, get the same owner.
 */
export function openOrCreateDatabase(
  file: string,
  options: DatabaseSyncOptions = {},
): DatabaseSync {
  const isNew = !existsSync(file);
  const db = new DatabaseSync(file, options);
  try {
    if (isNew) chownToFolderOwner(dirname(file), file);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
