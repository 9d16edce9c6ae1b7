import type { Config } from "../config.ts";
import type { MediaFileStorage, ResizedPictureStore } from "../content/media/media.ts";
import type { SharePictures } from "../content/media/share-pictures.ts";
import type { ContentRecord } from "../content/record.ts";
import { fillEmptyStore } from "../content/site/starter-site.ts";
import { makeFolder } from "../files/durable-files.ts";
import type { Log } from "../log.ts";
import { type DataFolderUse, isUsedByServer, lockDataFolder } from "../storage/folder-lock.ts";
import { openJobFolder } from "../storage/jobs/job-folder.ts";
import { openSharedJobFiles } from "../storage/jobs/shared-jobs.ts";
import { removeLeftoverTemporaryFiles } from "../storage/leftovers.ts";
import { openMediaFolder } from "../storage/media/media-folder.ts";
import { MediaSync } from "../storage/media/media-sync.ts";
import { openSharePictureFolder } from "../storage/media/share/share-folder.ts";
import { openSharedMedia } from "../storage/media/shared-media.ts";
import { openPictureSizeFolder } from "../storage/media/sizes/size-folder.ts";
import { openRecord, type RecordOptions } from "../storage/record/open.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { readSiteMark, writeSiteMark } from "../storage/site-mark.ts";
import type { JobFiles } from "../transfer/job.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";
import {
  backUpStoreBeforeUpgrade,
  finishDataFolderRestore,
  hasInterruptedRestore,
  jobsFolderPath,
  mediaFolderPath,
  pictureSizesFolderPath,
  readingCopyFilePath,
  sharePicturesFolderPath,
} from "./data-folder.ts";
import { restrictDataFolderAccess } from "./folder-access.ts";
import { findConfiguredSite } from "./site/configured-site.ts";

interface OpeningOptions extends Omit<RecordOptions, "url" | "file" | "origin"> {
  use: DataFolderUse;
  /** Creates the site when there is none. If omitted, a missing site is an error. */
  seed?: WriteInitialContent | undefined;
}

/** Writes the initial content of a new site. */
export type WriteInitialContent = (record: ContentRecord) => Promise<void>;

/**
 * Opens the record in the configured engine, together with the reading copy. Locks the data folder
 * until the record is closed.
 *
 * @throws {AppError} `conflict`, without changing anything, when there is no site or another server
 * uses the folder.
 */
export async function openConfiguredRecord(
  config: Config,
  { use, seed, ...options }: OpeningOptions,
): Promise<OpenRecord> {
  if (await hasInterruptedRestore(config)) await finishInterruptedRestore(config, options.log);
  const site = await findConfiguredSite(config, { mayCreate: seed !== undefined });
  const usesFolder = config.databaseUrl === null || options.follows !== false;
  if (!usesFolder && site !== null) return await openAt(config, options);
  makeFolder(config.dataDir);
  const lock = lockDataFolder(config.dataDir, use);
  try {
    // No other restore can start while the lock is held.
    await finishDataFolderRestore(config);
    if (lock.wasUnused) await removeLeftoverTemporaryFiles(config.dataDir);
    if (use === "serve") restrictDataFolderAccess(config, options.log ?? null);
    if (site === null && seed !== undefined) await makeSite(config, seed);
    else await backUpOnUpgrade(config, options.log ?? null);
    const record = await openMarked(config, options);
    const close = async () => {
      await record.close();
      lock[Symbol.dispose]();
    };
    return { ...record, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

/** Opens the record only, for commands that run whether or not a server is running. */
export async function openRecordForCommand(
  config: Config,
  seed?: WriteInitialContent,
): Promise<OpenRecord> {
  return await openConfiguredRecord(config, {
    use: "shared",
    otherOrigin: "keep",
    follows: false,
    seed,
  });
}

async function openMarked(
  config: Config,
  options: Omit<OpeningOptions, "use" | "seed">,
): Promise<OpenRecord> {
  const record = await openAt(config, options);
  try {
    await markFolder(config, record);
    return record;
  } catch (error) {
    // Open connections would keep the process alive.
    await record.close();
    throw error;
  }
}

async function openAt(
  config: Config,
  options: Omit<OpeningOptions, "use" | "seed">,
): Promise<OpenRecord> {
  const { databaseUrl: url, origin } = config;
  return await openRecord({ url, file: readingCopyFilePath(config), origin, ...options });
}

/**
 * Whether other processes may write to an open store: instances on the same database, or a server that uses
 * the same folder.
 */
export function mayHaveOtherWriters({ databaseUrl, dataDir }: Config): boolean {
  return databaseUrl !== null || isUsedByServer(dataDir);
}

/** Call it before looking for the store: an interrupted restore may have left no store file. */
async function finishInterruptedRestore(config: Config, log?: Log | null): Promise<void> {
  using _lock = lockDataFolder(config.dataDir, "shared");
  if (await finishDataFolderRestore(config)) log?.warn("Finished a restore that was interrupted");
}

async function backUpOnUpgrade(config: Config, log: Log | null): Promise<void> {
  const file = await backUpStoreBeforeUpgrade(config, new Date());
  if (file !== null) log?.warn({ file }, "The store is of an earlier version: backed it up first");
}

/**
 * Creates the record before the reading copy. A reading copy alone, left by an interruption, would
 * look like a site that has lost its record.
 */
async function makeSite(config: Config, seed: WriteInitialContent): Promise<void> {
  await using record = await openAt(config, { follows: false });
  await fillEmptyStore(record.content, seed);
}

async function markFolder({ dataDir }: Config, record: OpenRecord): Promise<void> {
  const siteId = await record.siteId();
  if (siteId !== null && siteId !== readSiteMark(dataDir)) await writeSiteMark(dataDir, siteId);
}

/** Opens the media, for commands that run whether or not a server is running. */
export function openMediaFiles(
  config: Config,
  { files }: Pick<OpenRecord, "files">,
): MediaFileStorage {
  const folder = mediaFolderPath(config);
  return files === null ? openMediaFolder(folder) : openSharedMedia(folder, files);
}

export interface OpenFileStores {
  mediaFiles: MediaFileStorage;
  pictureSizes: ResizedPictureStore;
  sharePictures: SharePictures;
  jobFiles: JobFiles;
  /** Scheduled tasks. */
  workers: readonly BackgroundWorker[];
}

/** Media and job files, local or shared by all instances. `drawing` limits the drawing of share pictures. */
export function openFileStores(
  config: Config,
  { files }: Pick<OpenRecord, "files">,
  { log, ...drawing }: { log: Log; drawingSecondsMax?: number },
): OpenFileStores {
  const folder = mediaFolderPath(config);
  const pictureSizes = openPictureSizeFolder(pictureSizesFolderPath(config));
  const sharePictures = openSharePictureFolder(sharePicturesFolderPath(config), drawing);
  if (files === null) {
    const jobFiles = openJobFolder(jobsFolderPath(config));
    return {
      mediaFiles: openMediaFolder(folder),
      pictureSizes,
      sharePictures,
      jobFiles,
      workers: [],
    };
  }
  const mediaFiles = openSharedMedia(folder, files);
  const workers = [new MediaSync(mediaFiles, log)];
  return { mediaFiles, pictureSizes, sharePictures, jobFiles: openSharedJobFiles(files), workers };
}
