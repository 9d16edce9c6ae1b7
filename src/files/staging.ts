import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusyError } from "../storage/sqlite/sqlite-errors.ts";
import { pathExists, systemErrorCode, writeNewFile } from "./durable-files.ts";

/** Entries removed per batch, because removing 30,000 at once blocks everything else for most of a second. */
const REMOVAL_BATCH = 64;
/**
 * Age after which a staging path without a lock file is removed. Only earlier versions of the
 * program created such paths.
 */
const UNLOCKED_HOURS_MAX = 24;
const STAGED_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.lock|-journal|-wal|-shm)?$/;
/** Error codes with which Windows refuses to remove an open file. */
const REFUSED_WHILE_OPEN: ReadonlySet<string> = new Set(["EBUSY", "EPERM"]);
/** Suffixes of SQLite's companion files. */
const SQLITE_SUFFIXES = ["-journal", "-wal", "-shm"];

/**
 * A temporary path for a file or folder under construction. Nothing exists at the path when it is
 * claimed.
 */
export interface StagingPath extends AsyncDisposable {
  path: string;
  /** Removes everything at the path. */
  discard(): Promise<void>;
}

/**
 * Claims a new path in a folder until disposal. A lock file marks the path as in use. The system
 * releases the lock when the process ends, so that {@link clearAbandonedStagingFiles} can remove
 * leftovers. If another process removes the lock file before this process has locked the file,
 * claims another path.
 */
export async function claimStagingPath(folder: string, prefix: string): Promise<StagingPath> {
  for (;;) {
    const path = join(folder, `${prefix}${randomUUID()}`);
    const lock = await lockStagingPath(path);
    if (lock === null) continue;
    if (await pathExists(lockFile(path))) return staging(path, lock);
    await lock[Symbol.asyncDispose]();
  }
}

function staging(path: string, lock: AsyncDisposable): StagingPath {
  return {
    path,
    discard: () => removeAll(path),
    [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
  };
}

/** Removes the staging files with this prefix that killed processes left in a folder. */
export async function clearAbandonedStagingFiles(folder: string, prefix: string): Promise<void> {
  const ids = (await readdir(folder))
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => STAGED_FILE.exec(name.slice(prefix.length))?.[1] ?? []);
  for (const id of new Set(ids)) await clearUnlocked(join(folder, prefix + id));
}

/** Locks a staging path until disposal. @returns null if another process has locked the path. */
export async function lockStagingPath(path: string): Promise<AsyncDisposable | null> {
  const file = lockFile(path);
  await createLockFile(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (isBusyError(error)) return null;
    throw error;
  }
  return { [Symbol.asyncDispose]: () => unlock(file, lock) };
}

/**
 * Removes the lock file before releasing the lock, so that the next process to lock the file
 * notices that the file is gone.
 */
async function unlock(file: string, lock: DatabaseSync): Promise<void> {
  try {
    await rm(file, { force: true });
  } catch (error) {
    if (!REFUSED_WHILE_OPEN.has(systemErrorCode(error))) throw error;
    lock.close();
    // Fails again if another process has opened the file in the meantime. That process removes the
    // file later.
    await rm(file, { force: true }).catch(() => {});
  } finally {
    if (lock.isOpen) lock.close();
  }
}

function lockFile(path: string): string {
  return `${path}.lock`;
}

/** Creates the lock file for its owner only, which SQLite would not do. */
async function createLockFile(file: string): Promise<void> {
  try {
    // Creates the file only if none exists: opening and closing an existing file would release this process's
    // lock on it.
    await writeNewFile(file, "");
  } catch (error) {
    if (systemErrorCode(error) !== "EEXIST") throw error;
  }
}

async function clearUnlocked(path: string): Promise<void> {
  if (!(await pathExists(lockFile(path))) && !(await isOld(path))) return;
  try {
    await using lock = await lockStagingPath(path);
    if (lock !== null) await removeAll(path);
  } catch {
    // Leftovers of other users cannot be removed, and are harmless.
  }
}

async function removeAll(path: string): Promise<void> {
  for (const companion of SQLITE_SUFFIXES) await rm(`${path}${companion}`, { force: true });
  const names = await readdir(path).catch(() => []);
  for (let start = 0; start < names.length; start += REMOVAL_BATCH) {
    const batch = names.slice(start, start + REMOVAL_BATCH);
    await Promise.all(batch.map((name) => rm(join(path, name), { recursive: true, force: true })));
  }
  await rm(path, { recursive: true, force: true });
}

async function isOld(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => null);
  const hours = stats === null ? 0 : (Date.now() - stats.mtimeMs) / 3_600_000;
  return hours > UNLOCKED_HOURS_MAX;
}
