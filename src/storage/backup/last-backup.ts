import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile, systemCode } from "../../files/durable-files.ts";

/** File in the data folder: time and location of the last backup. */
const NAME = "last-backup.json";

const markSchema = z.object({ at: z.iso.datetime(), place: z.string() });

export type LastBackup = z.output<typeof markSchema>;

/** Null: no backup was made, or the file is unreadable. */
export async function readLastBackup(folder: string): Promise<LastBackup | null> {
  const text = await readFile(join(folder, NAME), "utf8").catch((error: unknown) => {
    if (["ENOENT", "EACCES"].includes(systemCode(error))) return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @returns false if the file cannot be written; the backup itself is still valid. */
export async function noteBackup(folder: string, { at, place }: LastBackup): Promise<boolean> {
  try {
    await replaceFile(join(folder, NAME), `${JSON.stringify({ at, place }, null, 2)}\n`);
    return true;
  } catch (error) {
    if (systemCode(error) === "") throw error;
    return false;
  }
}
