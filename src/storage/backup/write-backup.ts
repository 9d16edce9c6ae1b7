import { basename, dirname, extname, join, resolve } from "node:path";
import { AppError } from "../../errors.ts";
import {
  makeFolder,
  moveDurably,
  pathExists,
  restrictAndSyncFile,
  syncFolder,
  writeNewFile,
} from "../../files/durable-files.ts";
import type { FileFingerprint } from "../../files/file-facts.ts";
import { claimStagingPath, clearAbandonedStagingFiles } from "../../files/staging.ts";
import { copyStore, type OnCopyProgress } from "../record/sqlite/copy.ts";
import type { DataLocation } from "./data-parts.ts";
import { writeManifest } from "./manifest.ts";
import { type CopiedMedia, copyMedia, findDamagedMediaNames } from "./media-copying.ts";
import { explainStorageError } from "./storage-errors.ts";
import { readSiteAndMediaNames } from "./store-facts.ts";

export const BACKUP_STAGING_PREFIX = ".commonplace-backup-";

export interface BackupOutcome {
  /** Size of the store in bytes. */
  bytes: number;
  /** Number of media files; null if the backup has only the store. */
  media: number | null;
  /** Names of files whose bytes do not match the hash in the name. The backup contains them unchanged. */
  damaged: string[];
  /** Names of files that the store lists but that do not exist in the media folder. */
  missing: string[];
}

export interface BackupOptions {
  onShare: OnCopyProgress;
  /** Program version, for the manifest. */
  version: string;
  now: Date;
}

/**
 * Backs up the store and media files into a folder with a manifest, or only the store into a `.db`
 * file. The server may keep writing. The backup gets its final name only once it is checked and
 * synced.
 *
 * @throws {AppError} `conflict` when the name is taken; `unavailable` when the store cannot be
 * read, the copy is damaged or the disk is full. After an error, no part of the backup remains.
 */
export async function writeBackup(
  data: DataLocation,
  to: string,
  options: BackupOptions,
): Promise<BackupOutcome> {
  const store = join(data.folder, data.store);
  if (!(await pathExists(store))) {
    throw new AppError("conflict", {
      en: `There is nothing to back up: ${store} does not exist`,
      de: `Es gibt nichts zu sichern: ${store} fehlt`,
    });
  }
  await requireFree(to);
  try {
    const parent = dirname(resolve(to));
    makeFolder(parent);
    await clearAbandonedStagingFiles(parent, BACKUP_STAGING_PREFIX);
    await using part = await claimStagingPath(parent, BACKUP_STAGING_PREFIX);
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
    throw explainStorageError(error, {
      en: `Cannot back up to ${to}`,
      de: `Nach ${to} lässt sich nicht sichern`,
    });
  }
}

async function requireFree(to: string): Promise<void> {
  if (await pathExists(to)) throw backupNameTakenError(to);
}

export function backupNameTakenError(to: string): AppError {
  return new AppError("conflict", {
    en: `Cannot back up to ${to}: something is there already; name a new place`,
    de: `Nach ${to} lässt sich nicht sichern: Dort ist schon etwas. Nennen Sie einen neuen Ort`,
  });
}

async function writeStoreAlone(
  store: string,
  to: string,
  { onShare }: BackupOptions,
): Promise<BackupOutcome> {
  const { bytes } = await writeStore(store, to, onShare);
  return { bytes, media: null, damaged: [], missing: [] };
}

/** Copies the media, then the store, then the media that were added since the first step. */
async function writeFolder(
  data: DataLocation,
  to: string,
  { onShare, version, now }: BackupOptions,
): Promise<BackupOutcome> {
  const media = { from: join(data.folder, data.media), to: join(to, data.media) };
  const copied: CopiedMedia = new Map();
  makeFolder(media.to);
  await copyMedia(media, copied);
  const store = join(to, data.store);
  const storeFile = await writeStore(join(data.folder, data.store), store, onShare);
  await copyMedia(media, copied);
  await syncFolder(media.to);
  const facts = readSiteAndMediaNames(store);
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
    damaged: findDamagedMediaNames(copied),
    missing: facts.media.filter((name) => !copied.has(name)),
  };
}

async function writeStore(
  from: string,
  to: string,
  onShare: OnCopyProgress,
): Promise<FileFingerprint> {
  // Creates the file before SQLite does, so that only its owner can access it. A file created by
  // SQLite may be readable by other users.
  await writeNewFile(to, "");
  await copyStore(from, to, onShare);
  return await restrictAndSyncFile(to);
}
