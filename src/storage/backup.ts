import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { AppError } from "../errors.ts";
import { copyStore, isInUse, type OnShare, proveStore } from "./record/sqlite/copy.ts";

/** Where the service keeps everything, and what stands in a backup by the same names. */
export interface DataFolder {
  folder: string;
  /** Name of the store's file in it. */
  store: string;
  /** Name of the folder of the site's files. */
  media: string;
}

export interface BackedUp {
  bytes: number;
  /** Files of the site; null: the backup is the store alone. */
  media: number | null;
}

/**
 * Copies the store, and the site's files beside it, while a server may go on writing. Into a folder,
 * or the store alone into a file that ends in `.db`. The copy is proved before it gets its name.
 *
 * @throws {AppError} `conflict` when something is there already; `unavailable` when the store cannot
 * be read or the copy is damaged. Then nothing is left behind.
 */
export async function writeBackup(
  data: DataFolder,
  to: string,
  onShare: OnShare,
): Promise<BackedUp> {
  const store = join(data.folder, data.store);
  if (!(await exists(store))) {
    throw new AppError("conflict", `There is nothing to back up: ${store} does not exist`);
  }
  if (await exists(to)) {
    throw new AppError(
      "conflict",
      `Cannot back up to ${to}: something is there already; name a new place`,
    );
  }
  const part = join(dirname(resolve(to)), `.commonplace-backup-${randomUUID()}`);
  try {
    await mkdir(dirname(part), { recursive: true });
    const isFile = extname(to) === ".db";
    const written = isFile
      ? await writeStore(store, part, onShare)
      : await writeFolder(data, part, onShare);
    await rename(part, to);
    await syncFolder(dirname(resolve(to)));
    return written;
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw worded(error, to);
  }
}

/**
 * Puts a backup in the place of the data folder's store. What was there is kept in a folder beside
 * it, which is told.
 *
 * @throws {AppError} `invalid` for what is no backup; `unavailable` for a damaged one; `conflict` when
 * the store is in use, or there is one and it is not to be replaced. Then nothing has changed.
 */
export async function restoreBackup(
  from: string,
  data: DataFolder,
  { replaces, now }: { replaces: boolean; now: Date },
): Promise<{ replaced: string | null }> {
  const source = await sourceOf(from, data);
  const store = join(data.folder, data.store);
  const hasStore = await exists(store);
  if (hasStore && !replaces) {
    throw new AppError(
      "conflict",
      `Cannot restore into ${data.folder}: there is a store already; add --force to replace it`,
    );
  }
  if (hasStore && isInUse(store)) {
    throw new AppError(
      "conflict",
      `Cannot restore into ${data.folder}: the store is in use; stop the server first`,
    );
  }
  const incoming = join(data.folder, `restoring-${randomUUID()}`);
  try {
    await mkdir(join(incoming, data.media), { recursive: true });
    await copyFile(source.store, join(incoming, data.store));
    proveStore(join(incoming, data.store), source.store);
    if (source.media !== null) await copyMedia(source.media, join(incoming, data.media));
    const replaced = hasStore ? await putAside(data, now) : null;
    await rename(join(incoming, data.store), store);
    if (source.media !== null) {
      await rm(join(data.folder, data.media), { recursive: true, force: true });
      await rename(join(incoming, data.media), join(data.folder, data.media));
    }
    await syncFolder(data.folder);
    return { replaced };
  } catch (error) {
    throw worded(error, data.folder);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

async function writeStore(store: string, to: string, onShare: OnShare): Promise<BackedUp> {
  await copyStore(store, to, onShare);
  await chmod(to, 0o600);
  return { bytes: (await stat(to)).size, media: null };
}

/** Files are copied again after the store, for one may have been added meanwhile. */
async function writeFolder(data: DataFolder, to: string, onShare: OnShare): Promise<BackedUp> {
  await mkdir(join(to, data.media), { recursive: true, mode: 0o700 });
  const media = join(data.folder, data.media);
  await copyMedia(media, join(to, data.media));
  const { bytes } = await writeStore(join(data.folder, data.store), join(to, data.store), onShare);
  await copyMedia(media, join(to, data.media));
  await syncFolder(to);
  return { bytes, media: (await readdir(join(to, data.media))).length };
}

/** A file of the site never changes, so that one that is there needs no second look. */
async function copyMedia(from: string, to: string): Promise<void> {
  const there = new Set(await readdir(to));
  const found = (await exists(from)) ? await readdir(from, { withFileTypes: true }) : [];
  for (const entry of found) {
    if (!entry.isFile() || there.has(entry.name)) continue;
    const target = join(to, entry.name);
    try {
      await copyFile(join(from, entry.name), target, constants.COPYFILE_FICLONE);
    } catch (error) {
      // Withdrawn a moment ago.
      if (codeOf(error) === "ENOENT") continue;
      throw error;
    }
    await using file = await open(target, "r");
    await file.sync();
  }
}

async function sourceOf(
  from: string,
  data: DataFolder,
): Promise<{ store: string; media: string | null }> {
  const found = await stat(from).catch(() => null);
  if (found === null) throw new AppError("invalid", `Cannot restore ${from}: it does not exist`);
  if (!found.isDirectory()) return { store: from, media: null };
  const store = join(from, data.store);
  if (await exists(store)) return { store, media: join(from, data.media) };
  throw new AppError("invalid", `Cannot restore ${from}: there is no ${data.store} in it`);
}

async function putAside(data: DataFolder, now: Date): Promise<string> {
  const stamp = now.toISOString().replaceAll(/[:.]/g, "-");
  const aside = join(data.folder, `replaced-${stamp}`);
  await mkdir(aside);
  await rename(join(data.folder, data.store), join(aside, data.store));
  if (await exists(join(data.folder, data.media))) {
    await rename(join(data.folder, data.media), join(aside, data.media));
  }
  return aside;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function syncFolder(folder: string): Promise<void> {
  await using entries = await open(folder, "r");
  await entries.sync();
}

function worded(error: unknown, place: string): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  const faults: Readonly<Record<string, string>> = {
    ENOSPC: "the disk is full",
    EDQUOT: "the disk is full",
    EACCES: "it is not allowed to write there",
    EROFS: "it is not allowed to write there",
    ENOTDIR: "a part of the path is no folder",
  };
  const fault = faults[code];
  if (fault === undefined) return error;
  return new AppError("unavailable", `Cannot write to ${place}: ${fault}`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
