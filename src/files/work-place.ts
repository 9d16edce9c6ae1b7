import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isBusy } from "../storage/sqlite/sqlite-faults.ts";
import { exists, systemCode, writeNewFile } from "./durable-files.ts";

/** Places of earlier versions have no lock. */
const UNLOCKED_HOURS_MAX = 24;
const ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:\.lock|-journal|-wal|-shm)?$/;
/** What SQLite keeps beside a store that is being made. */
const COMPANIONS = ["-journal", "-wal", "-shm"];

/** The path of a file or folder that is being made; nothing is there at first. */
export interface WorkPlace extends AsyncDisposable {
  path: string;
  /** Removes what was made there so far. */
  discard(): Promise<void>;
}

/**
 * Claims a new path in a folder until disposal. A lock beside it, which the system releases when this
 * process ends, says that it is in use: see {@link clearWorkPlaces}.
 */
export async function claimWorkPlace(folder: string, prefix: string): Promise<WorkPlace> {
  const path = join(folder, `${prefix}${randomUUID()}`);
  const lock = await lockPlace(path);
  if (lock === null) throw new Error(`Another process has claimed ${path}`);
  return {
    path,
    discard: () => removeAll(path),
    [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
  };
}

/** Removes what processes that were killed left in a folder under this prefix. */
export async function clearWorkPlaces(folder: string, prefix: string): Promise<void> {
  const ids = (await readdir(folder))
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => ID.exec(name.slice(prefix.length))?.[1] ?? []);
  for (const id of new Set(ids)) await clear(join(folder, prefix + id));
}

/** @returns null: a process is using the place. */
export async function lockPlace(path: string): Promise<AsyncDisposable | null> {
  const file = `${path}.lock`;
  await create(file);
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
  return {
    async [Symbol.asyncDispose]() {
      lock.close();
      await rm(file, { force: true });
    },
  };
}

/** For its owner only, which SQLite does not see to. */
async function create(file: string): Promise<void> {
  try {
    // Fails if it exists: opening and closing it would release a lock that this process has on it.
    await writeNewFile(file, "");
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw error;
  }
}

async function clear(path: string): Promise<void> {
  if (!(await exists(`${path}.lock`)) && !(await isOld(path))) return;
  try {
    await using lock = await lockPlace(path);
    if (lock !== null) await removeAll(path);
  } catch {
    // What cannot be removed, as it belongs to another user, is in nobody's way.
  }
}

async function removeAll(path: string): Promise<void> {
  for (const companion of COMPANIONS) await rm(`${path}${companion}`, { force: true });
  await rm(path, { recursive: true, force: true });
}

async function isOld(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  const hours = found === null ? 0 : (Date.now() - found.mtimeMs) / 3_600_000;
  return hours > UNLOCKED_HOURS_MAX;
}
