import { chownSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import {
  chmod,
  copyFile,
  type FileHandle,
  open,
  readdir,
  rename,
  rm,
  stat,
} from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { AppError, englishOnlyWording } from "../errors.ts";
import { type FileFingerprint, readFileFingerprint } from "./file-facts.ts";

/** Error codes of file systems that cannot sync a folder, such as network shares. */
const SYNC_UNSUPPORTED_CODES: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EPERM"]);

const OUT_OF_SPACE_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Reasons why a folder cannot be created, for messages. */
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
 * Creates a folder and missing parents, accessible to the owner only. Existing folders are unchanged.
 *
 * @throws {AppError} `unavailable`, naming the folder and the reason.
 */
export function makeFolder(path: string): void {
  // Creates the folders one by one, because Node's recursive mkdir hangs below /proc.
  for (const folder of missingFolders(resolve(path))) {
    createFolder(folder);
    syncFolderNow(dirname(folder));
  }
}

/** Syncs the entries of a folder, so that they survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  await using entries = await open(folder, "r");
  await entries.sync().catch(ignoreUnsupported);
}

/** Renames a file or folder that is already synced, and syncs its new folder. Replaces an existing file. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  await syncFolder(dirname(to));
}

/**
 * Copies a file to a new file, and calls {@link restrictAndSyncFile} for it. The caller syncs the folder.
 */
export async function copyDurably(from: string, to: string): Promise<FileFingerprint> {
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  return await restrictAndSyncFile(to);
}

/** Restricts a file to its owner, syncs it, and computes its hash and size by reading it back. */
export async function restrictAndSyncFile(path: string): Promise<FileFingerprint> {
  // The mode is changed before the file is opened, because a copy of a read-only file is read-only.
  await chmod(path, 0o600);
  chownToFolderOwner(dirname(path), path);
  await syncFile(path);
  return await readFileFingerprint(path);
}

/** Syncs a file by its path, for example after a copy. */
export async function syncFile(path: string): Promise<void> {
  // Opens the file for writing too, because Windows refuses to sync a file that is open only for
  // reading.
  await using file = await open(path, "r+");
  await file.sync();
}

/** Creates a file for its owner only; see {@link chownToFolderOwner} for files created by root. */
export async function createFile(path: string): Promise<FileHandle> {
  const file = await open(path, "wx", 0o600);
  chownToFolderOwner(dirname(path), path);
  return file;
}

/** Creates a file with a text, as {@link createFile} does, and syncs the file. */
export async function writeNewFile(path: string, text: string): Promise<void> {
  await using file = await createFile(path);
  await file.writeFile(text);
  await file.sync();
}

/** Replaces a file atomically, or creates it. The new file is created by {@link writeNewFile}. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part-${process.pid}`;
  await rm(part, { force: true });
  await writeNewFile(part, text);
  await moveDurably(part, path);
}

export async function pathExists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemErrorCode(error))) return false;
    throw error;
  }
}

/** The names of the files and folders in a folder; empty if the folder does not exist. */
export async function listFolderEntryNames(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The system error code, such as `ENOENT`; empty for other errors. */
export function systemErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Whether the disk or quota is full, or the file exceeds the size limit. */
export function isOutOfSpace(error: unknown): boolean {
  return OUT_OF_SPACE_CODES.has(systemErrorCode(error));
}

/** Gives a file created by root to the owner of its folder, so that a server run by that user can use it. */
export function chownToFolderOwner(folder: string, path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (uid !== 0) chownSync(path, uid, gid);
}

/** The folder and its parents that do not exist, outermost first. */
function missingFolders(path: string): string[] {
  if (isFolder(path) || path === dirname(path)) return [];
  return [...missingFolders(dirname(path)), path];
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    chownToFolderOwner(dirname(folder), folder);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (isFolder(folder)) return;
    const reason = FOLDER_FAULTS[systemErrorCode(error)];
    if (reason === undefined) throw error;
    const message = `Cannot create the folder ${folder}: ${reason}`;
    throw new AppError("unavailable", englishOnlyWording(message), { cause: error });
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function syncFolderNow(folder: string): void {
  const entries = openSync(folder, "r");
  try {
    fsyncSync(entries);
  } catch (error) {
    ignoreUnsupported(error);
  } finally {
    closeSync(entries);
  }
}

function ignoreUnsupported(error: unknown): void {
  if (!SYNC_UNSUPPORTED_CODES.has(systemErrorCode(error))) throw error;
}
