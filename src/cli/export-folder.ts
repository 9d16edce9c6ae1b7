import { type FileHandle, lstat, readdir, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AppError, englishOnlyWording } from "../errors.ts";
import {
  createFile,
  makeFolder,
  moveDurably,
  syncFolder,
  systemErrorCode,
} from "../files/durable-files.ts";
import { joinPathBelow } from "../files/path-below.ts";
import { claimStagingPath, clearAbandonedStagingFiles } from "../files/staging.ts";
import type { FileToPack } from "../files/zip-packing.ts";

const PART_PREFIX = ".commonplace-export-";

/**
 * Writes a site folder that `import` can read; leaves nothing behind if it fails.
 *
 * @throws {AppError} `conflict` when the path exists and is not an empty folder.
 */
export async function writeSiteFolder(
  path: string,
  files: AsyncIterable<FileToPack>,
): Promise<void> {
  await requireFreeFolder(path);
  await writeThenRename(path, async (part) => {
    makeFolder(part);
    await writeFiles(part, files);
    await syncFolders(part);
    await rmdir(path).catch(() => {});
  });
}

/** Writes new files below a folder. @throws when one of them exists. */
async function writeFiles(folder: string, files: AsyncIterable<FileToPack>): Promise<void> {
  for await (const { name, bytes } of files) {
    await using file = await createNewFile(joinPathBelow(folder, ...name.split("/")));
    await file.writeFile(bytes());
    await file.sync();
  }
}

/** Writes a file or folder under a temporary name and renames it when it is complete. */
export async function writeThenRename<T>(
  path: string,
  write: (part: string) => Promise<T>,
): Promise<T> {
  const folder = dirname(resolve(path));
  makeFolder(folder);
  await clearAbandonedStagingFiles(folder, PART_PREFIX);
  await using part = await claimStagingPath(folder, PART_PREFIX);
  try {
    const written = await write(part.path);
    await moveDurably(part.path, resolve(path));
    return written;
  } catch (error) {
    await part.discard();
    throw error;
  }
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolder(join(folder, entry.name));
  }
  await syncFolder(folder);
}

async function requireFreeFolder(path: string): Promise<void> {
  try {
    const isLink = (await lstat(path)).isSymbolicLink();
    if (!isLink && (await readdir(path)).length === 0) return;
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return;
    if (systemErrorCode(error) !== "ENOTDIR") throw error;
  }
  throw new AppError(
    "conflict",
    englishOnlyWording(
      `Cannot export to ${path}: something is there already; name a new folder, or a file that ends in .zip or .jsonl`,
    ),
  );
}

/** Creates a file and its missing parent folders. @throws when the path exists, even as a symbolic link. */
export async function createNewFile(path: string): Promise<FileHandle> {
  makeFolder(dirname(path));
  return await createFile(path);
}
