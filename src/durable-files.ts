import { createHash } from "node:crypto";
import { closeSync, constants, createReadStream, fsyncSync, mkdirSync, openSync } from "node:fs";
import { copyFile, open, rename, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Some file systems, as of network shares, cannot sync a folder. */
const CANNOT_SYNC: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EPERM"]);

export interface FileFacts {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** Creates a folder for its owner only, and the folders above it. Folders that exist stay as they are. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    syncFolderNow(dirname(folder));
    if (folder === resolve(first) || folder === dirname(folder)) return;
  }
}

/** Resolves when the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using entries = await open(folder, "r");
  await entries.sync().catch(passIfUnable);
}

/** Renames a file or folder whose bytes are on disk. Replaces a file that has the new name. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
  if (dirname(resolve(from)) !== dirname(resolve(to))) await syncFolder(dirname(from));
}

/**
 * Copies a file to a new one, see {@link settleFile}. The name of the copy survives a power cut only
 * once its folder is synced.
 */
export async function copyDurably(from: string, to: string): Promise<FileFacts> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  return await settleFile(to);
}

/** Keeps a file from other users, waits until its bytes survive a power cut, and reads them back. */
export async function settleFile(path: string): Promise<FileFacts> {
  await using file = await open(path, "r");
  await file.chmod(0o600);
  await file.sync();
  return await readFacts(path);
}

/** Writes a new file for its owner only, to the disk. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  await file.writeFile(text);
  await file.sync();
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

/** As `ENOENT`; empty for what is no fault of the system. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

async function readFacts(path: string): Promise<FileFacts> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function syncFolderNow(folder: string): void {
  const entries = openSync(folder, "r");
  try {
    fsyncSync(entries);
  } catch (error) {
    passIfUnable(error);
  } finally {
    closeSync(entries);
  }
}

function passIfUnable(error: unknown): void {
  if (!CANNOT_SYNC.has(systemCode(error))) throw error;
}
