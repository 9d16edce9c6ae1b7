import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { mediaFileIdFromHash, parseMediaFileName } from "../../content/media/media-kinds.ts";
import { copyDurably, systemErrorCode } from "../../files/durable-files.ts";
import type { FileFingerprint } from "../../files/file-facts.ts";

/** Size and hash of each copied file, keyed by file name. */
export type CopiedMedia = Map<string, FileFingerprint>;

/**
 * Copies the media files that are not in `copied` yet, and adds them to `copied`. Skips files that
 * are removed during the copy.
 */
export async function copyMedia(
  { from, to }: { from: string; to: string },
  copied: CopiedMedia,
): Promise<void> {
  for (const name of await listMediaFileNames(from)) {
    if (copied.has(name)) continue;
    try {
      copied.set(name, await copyDurably(join(from, name), join(to, name)));
    } catch (error) {
      if (systemErrorCode(error) !== "ENOENT") throw error;
    }
  }
}

/** Names of the media files in a folder, which may be missing. */
export async function listMediaFileNames(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && parseMediaFileName(entry.name) !== null)
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Names of files whose bytes do not match the hash in the name: they were damaged before the copy. */
export function findDamagedMediaNames(copied: CopiedMedia): string[] {
  return [...copied]
    .filter(([name, { sha256 }]) => parseMediaFileName(name)?.id !== mediaFileIdFromHash(sha256))
    .map(([name]) => name);
}
