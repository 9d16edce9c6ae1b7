import { basename, dirname, extname, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import {
  exists,
  type FileFacts,
  makeFolder,
  moveDurably,
  settleFile,
  syncFolder,
  writeNewFile,
} from "../../files/durable-files.ts";
import { claimWorkPlace, clearWorkPlaces } from "../../files/work-place.ts";
import { copyStore, type OnShare } from "../record/sqlite/copy.ts";
import type { DataParts } from "./data-parts.ts";
import { explainedFault } from "./faults.ts";
import { writeManifest } from "./manifest.ts";
import { type CopiedMedia, copyMedia, damagedIn } from "./media-copying.ts";
import { readStoreFacts } from "./store-facts.ts";

const PART_PREFIX = ".commonplace-backup-";

export interface BackedUp {
  /** Of the store. */
  bytes: number;
  /** Files of the site; null: the backup is the store alone. */
  media: number | null;
  /** Names of files whose bytes are not those their names say. They are in the backup as they are. */
  damaged: string[];
  /** Names of files that the store knows and that are not in the media folder. */
  missing: string[];
}

export interface BackupOptions {
  onShare: OnShare;
  /** Of this program, for the manifest. */
  version: string;
  now: Date;
}

/**
 * Copies the store, and the site's files beside it, while a server may go on writing: into a folder
 * with a manifest, or the store alone into a file that ends in `.db`. Everything is checked and on disk
 * before the backup gets its name.
 *
 * @throws {AppError} `conflict` when something has that name; `unavailable` when the store cannot be
 * read, the copy is damaged or the disk is full. Then nothing is left behind.
 */
export async function writeBackup(
  data: DataParts,
  to: string,
  options: BackupOptions,
): Promise<BackedUp> {
  const store = join(data.folder, data.store);
  if (!(await exists(store))) {
    throw new AppError("conflict", `There is nothing to back up: ${store} does not exist`);
  }
  await requireFree(to);
  try {
    const parent = dirname(resolve(to));
    makeFolder(parent);
    await clearWorkPlaces(parent, PART_PREFIX);
    await using part = await claimWorkPlace(parent, PART_PREFIX);
    try {
      const written =
        extname(to) === ".db"
          ? await writeStoreAlone(store, part.path, options)
          : await writeFolder(data, part.path, options);
      await requireFree(to);
      await moveDurably(part.path, join(parent, basename(to)));
      return written;
    } catch (error) {
      await part.discard();
      throw error;
    }
  } catch (error) {
    throw explainedFault(error, `Cannot back up to ${to}`);
  }
}

async function requireFree(to: string): Promise<void> {
  if (!(await exists(to))) return;
  throw new AppError(
    "conflict",
    `Cannot back up to ${to}: something is there already; name a new place`,
  );
}

async function writeStoreAlone(
  store: string,
  to: string,
  { onShare }: BackupOptions,
): Promise<BackedUp> {
  const { bytes } = await writeStore(store, to, onShare);
  return { bytes, media: null, damaged: [], missing: [] };
}

/** Copies the files again after the store, for one may have been added meanwhile. */
async function writeFolder(
  data: DataParts,
  to: string,
  { onShare, version, now }: BackupOptions,
): Promise<BackedUp> {
  const media = { from: join(data.folder, data.media), to: join(to, data.media) };
  const copied: CopiedMedia = new Map();
  makeFolder(media.to);
  await copyMedia(media, copied);
  const store = join(to, data.store);
  const storeFile = await writeStore(join(data.folder, data.store), store, onShare);
  await copyMedia(media, copied);
  await syncFolder(media.to);
  const facts = readStoreFacts(store);
  const files = [...copied].map(([name, file]) => ({ path: `${data.media}/${name}`, ...file }));
  await writeManifest(to, {
    version,
    site: facts.site,
    madeAt: now.toISOString(),
    files: [{ path: data.store, ...storeFile }, ...files],
  });
  await syncFolder(to);
  return {
    bytes: storeFile.bytes,
    media: copied.size,
    damaged: damagedIn(copied),
    missing: facts.media.filter((name) => !copied.has(name)),
  };
}

async function writeStore(from: string, to: string, onShare: OnShare): Promise<FileFacts> {
  // SQLite would let other users read a file that it creates.
  await writeNewFile(to, "");
  await copyStore(from, to, onShare);
  return await settleFile(to);
}
