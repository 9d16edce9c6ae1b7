import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathExists, systemErrorCode } from "../../files/durable-files.ts";

/**
 * Location of a site's data: the data folder and the names of its parts. Backups use the same
 * names.
 */
export interface DataLocation {
  folder: string;
  /** Name of the store's file. */
  store: string;
  /** Name of the media folder. */
  media: string;
}

/**
 * Names of a database file and of the companion files that SQLite puts next to it. A companion file
 * must never be left next to another database, because it could damage that database.
 */
export function databaseFileNames(part: string): string[] {
  return [part, `${part}-wal`, `${part}-shm`, `${part}-journal`];
}

/** Whether the folder has a store or one of its companion files. */
export async function hasStore({ folder, store }: DataLocation): Promise<boolean> {
  for (const part of databaseFileNames(store)) {
    if (await pathExists(join(folder, part))) return true;
  }
  return false;
}

/** Whether the media folder or a subfolder has a file. */
export async function hasMedia({ folder, media }: DataLocation): Promise<boolean> {
  try {
    const entries = await readdir(join(folder, media), { recursive: true, withFileTypes: true });
    return entries.some((entry) => !entry.isDirectory());
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return false;
    throw error;
  }
}
