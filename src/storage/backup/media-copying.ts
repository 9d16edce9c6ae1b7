import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { mediumId, readMediumFile } from "../../content/media/media-kinds.ts";
import { copyDurably, type FileFacts, systemCode } from "../../files/durable-files.ts";

/** Facts of copied files by their names. */
export type CopiedMedia = Map<string, FileFacts>;

/**
 * Copies the site's files that `copied` lacks, and notes them there. A file never changes; one that is
 * withdrawn meanwhile is left out.
 */
export async function copyMedia(
  { from, to }: { from: string; to: string },
  copied: CopiedMedia,
): Promise<void> {
  for (const name of await mediaIn(from)) {
    if (copied.has(name)) continue;
    try {
      copied.set(name, await copyDurably(join(from, name), join(to, name)));
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
  }
}

/** Names of the site's files in a folder, which may be missing. */
export async function mediaIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && readMediumFile(entry.name) !== null)
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Names of files whose bytes are not those their names say: they were damaged before. */
export function damagedIn(copied: CopiedMedia): string[] {
  return [...copied]
    .filter(([name, { sha256 }]) => readMediumFile(name)?.id !== mediumId(sha256))
    .map(([name]) => name);
}
