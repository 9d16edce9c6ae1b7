import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { exists, systemCode } from "../../files/durable-files.ts";

/** Where the service keeps everything. A backup has the same names. */
export interface DataParts {
  folder: string;
  /** Name of the store's file in it. */
  store: string;
  /** Name of the folder of the site's files. */
  media: string;
}

/** A part with what SQLite keeps beside a database, which must never meet another database. */
export function withCompanions(part: string): string[] {
  return [part, `${part}-wal`, `${part}-shm`, `${part}-journal`];
}

/** Is there a store in the folder, or what SQLite kept beside one? */
export async function hasStore({ folder, store }: DataParts): Promise<boolean> {
  for (const part of withCompanions(store)) {
    if (await exists(join(folder, part))) return true;
  }
  return false;
}

/** Is there a file in the media folder, or in a folder below it? */
export async function hasMedia({ folder, media }: DataParts): Promise<boolean> {
  try {
    const entries = await readdir(join(folder, media), { recursive: true, withFileTypes: true });
    return entries.some((entry) => !entry.isDirectory());
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}
