import { existsSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { moveDurably, syncFile } from "../../files/durable-files.ts";
import { isCorruptionError } from "../sqlite/sqlite-errors.ts";
import { removeDatabaseFiles } from "./copy-file.ts";

/** Replaces the copy with a complete new copy. Readers see the old copy until then. */
export async function swapInCopy(newCopy: string, file: string): Promise<void> {
  await finalize(newCopy);
  await replaceDatabase(newCopy, file);
}

/** Switches the copy to its normal journal mode and syncs it to disk before it is put in place. */
async function finalize(newCopy: string): Promise<void> {
  const db = new DatabaseSync(newCopy);
  db.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL");
  db.close();
  await syncFile(newCopy);
}

/**
 * Overwrites the pages of `file` in one transaction. Readers see the old pages until the commit. If the
 * file is missing or damaged, moves the new copy there instead. An intact file is not replaced in this way,
 * because a move is unsafe while other processes have the file open.
 */
async function replaceDatabase(newCopy: string, file: string): Promise<void> {
  if (existsSync(file)) {
    try {
      using db = new DatabaseSync(newCopy, { readOnly: true });
      await backup(db, file, { rate: 10_000 });
      return;
    } catch (error) {
      if (!isCorruptionError(error)) throw error;
    }
  }
  removeDatabaseFiles(file);
  await moveDurably(newCopy, file);
}
