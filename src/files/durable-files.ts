import { createHash } from "node:crypto";
import {
  chownSync,
  closeSync,
  constants,
  createReadStream,
  fsyncSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { copyFile, type FileHandle, open, rename, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AppError } from "../errors.ts";

/** Some file systems, as of network shares, cannot sync a folder. */
const CANNOT_SYNC: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EPERM"]);

export interface FileFacts {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What keeps a folder from being made, for the operator to read. */
const FOLDER_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "the system does not allow it",
  EPERM: "the system does not allow it",
  EROFS: "it is on a read-only file system",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EEXIST: "a file has that name",
  ENOENT: "the system makes no folders there",
  ENAMETOOLONG: "the name is too long",
};

/**
 * Creates a folder for its owner only, and the folders above it. Folders that exist stay as they are.
 *
 * @throws {AppError} `unavailable`, telling which folder cannot be made and why.
 */
export function makeFolder(path: string): void {
  // Node's own recursive creation never returns below /proc.
  for (const folder of missingFolders(resolve(path))) {
    makeOne(folder);
    syncFolderNow(dirname(folder));
  }
}

/** Resolves when the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using entries = await open(folder, "r");
  await entries.sync().catch(passIfUnable);
}

/**
 * Renames a file or folder whose bytes are on disk; resolves when the new name survives a power cut.
 * Replaces a file that has the new name.
 */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
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
  giveToOwnerOf(dirname(path), path);
  await file.sync();
  return await readFileFacts(path);
}

/** Creates a file for its owner only. What root creates in a folder of another user is that user's. */
export async function createFile(path: string): Promise<FileHandle> {
  const file = await open(path, "wx", 0o600);
  giveToOwnerOf(dirname(path), path);
  return file;
}

/** Writes a new file, see {@link createFile}, to the disk. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  await using file = await createFile(path);
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

/**
 * Gives what root has made in a folder to the folder's owner: a server that runs as that user could not
 * use it otherwise.
 */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) chownSync(path, uid, gid);
}

/** The topmost first. */
function missingFolders(path: string): string[] {
  if (isFolder(path) || path === dirname(path)) return [];
  return [...missingFolders(dirname(path)), path];
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    giveToOwnerOf(dirname(folder), folder);
  } catch (error) {
    // Another process may have made it just now.
    if (isFolder(folder)) return;
    const reason = FOLDER_FAULTS[systemCode(error)];
    if (reason === undefined) throw error;
    const message = `Cannot make the folder ${folder}: ${reason}`;
    throw new AppError("unavailable", message, { cause: error });
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export async function readFileFacts(path: string): Promise<FileFacts> {
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
