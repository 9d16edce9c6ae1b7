import type { Config } from "../config.ts";
import type { MediaFiles } from "../content/media/media.ts";
import type { ContentRecord } from "../content/record.ts";
import { fillEmpty } from "../content/site/starter-site.ts";
import { makeFolder } from "../files/durable-files.ts";
import type { Log } from "../log.ts";
import { type FolderUse, lockFolder } from "../storage/folder-lock.ts";
import { openJobFolder } from "../storage/jobs/job-folder.ts";
import { openSharedJobs } from "../storage/jobs/shared-jobs.ts";
import { clearLeftovers } from "../storage/leftovers.ts";
import { openMediaFolder } from "../storage/media/media-folder.ts";
import { MediaSync } from "../storage/media/media-sync.ts";
import { openSharedMedia } from "../storage/media/shared-media.ts";
import { openRecord, type RecordOptions } from "../storage/record/open.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { readSiteMark, writeSiteMark } from "../storage/site-mark.ts";
import type { JobFiles } from "../transfer/job.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";
import { finishRestore, isRestoring, jobsFolder, mediaFolder, readingFile } from "./data-folder.ts";
import { closeToOthers } from "./folder-access.ts";
import { requireSitePlace } from "./site-place.ts";

interface OpeningOptions extends Omit<RecordOptions, "url" | "file" | "origin"> {
  use: FolderUse;
  /** Makes the site where there never was one; without it such a place is refused. */
  seed?: Seed | undefined;
}

/** Fills an empty record with a site. */
export type Seed = (record: ContentRecord) => Promise<void>;

/**
 * The record in the engine that the settings name, with the reading copy beside it. The data folder is
 * locked until the record is closed.
 *
 * @throws {AppError} `conflict` when there is no site, or another server uses the folder. Then nothing
 * has changed.
 */
export async function openRecordOf(
  config: Config,
  { use, seed, ...options }: OpeningOptions,
): Promise<OpenRecord> {
  if (await isRestoring(config)) await finishInterruptedRestore(config, options.log);
  const site = await requireSitePlace(config, { mayMake: seed !== undefined });
  const usesFolder = config.databaseUrl === null || options.follows !== false;
  if (!usesFolder && site !== null) return await openAt(config, options);
  makeFolder(config.dataDir);
  const lock = lockFolder(config.dataDir, use);
  try {
    // While anybody has the lock, no restore can begin.
    await finishRestore(config);
    if (lock.wasUnused) await clearLeftovers(config.dataDir);
    if (use === "serve") closeToOthers(config, options.log ?? null);
    if (site === null && seed !== undefined) await makeSite(config, seed);
    const record = await openAt(config, options);
    await markFolder(config, record);
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

/** Opens the record alone, for commands that run beside a server or without one. */
export async function openStore(config: Config, seed?: Seed): Promise<OpenRecord> {
  return await openRecordOf(config, {
    use: "beside",
    otherOrigin: "keep",
    follows: false,
    seed,
  });
}

async function openAt(
  config: Config,
  options: Omit<OpeningOptions, "use" | "seed">,
): Promise<OpenRecord> {
  const { databaseUrl: url, origin } = config;
  return await openRecord({ url, file: readingFile(config), origin, ...options });
}

/** Until then the store may be missing. */
async function finishInterruptedRestore(config: Config, log?: Log | null): Promise<void> {
  using _lock = lockFolder(config.dataDir, "beside");
  if (await finishRestore(config)) log?.warn("Finished a restore that was interrupted");
}

/** Before anything else is in the folder, so that it tells of a site only once there is one. */
async function makeSite(config: Config, seed: Seed): Promise<void> {
  await using record = await openAt(config, { follows: false });
  await fillEmpty(record.content, seed);
}

async function markFolder({ dataDir }: Config, record: OpenRecord): Promise<void> {
  const siteId = await record.siteId();
  if (siteId !== null && siteId !== readSiteMark(dataDir)) await writeSiteMark(dataDir, siteId);
}

/** The site's files, for commands beside a server or without one. */
export function openMedia(config: Config, { files }: Pick<OpenRecord, "files">): MediaFiles {
  const folder = mediaFolder(config);
  return files === null ? openMediaFolder(folder) : openSharedMedia(folder, files);
}

export interface OpenFiles {
  mediaFiles: MediaFiles;
  jobFiles: JobFiles;
  /** For the clock. */
  workers: readonly BackgroundWorker[];
}

/** The files of the site and of jobs, on this machine or where all instances reach them. */
export function openFiles(
  config: Config,
  { files }: Pick<OpenRecord, "files">,
  log: Log,
): OpenFiles {
  const folder = mediaFolder(config);
  if (files === null) {
    const jobFiles = openJobFolder(jobsFolder(config));
    return { mediaFiles: openMediaFolder(folder), jobFiles, workers: [] };
  }
  const mediaFiles = openSharedMedia(folder, files);
  const workers = [new MediaSync(mediaFiles, log)];
  return { mediaFiles, jobFiles: openSharedJobs(files), workers };
}
