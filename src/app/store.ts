import type { Config } from "../config.ts";
import type { MediaFiles } from "../content/media.ts";
import { finishRestore, jobsFolder, mediaFolder, readingFile } from "../data-folder.ts";
import { makeFolder } from "../durable-files.ts";
import type { Log } from "../log.ts";
import { type FolderUse, lockFolder } from "../storage/folder-lock.ts";
import { openJobFolder } from "../storage/jobs/job-folder.ts";
import { openSharedJobs } from "../storage/jobs/shared-jobs.ts";
import { openMediaFolder } from "../storage/media/media-folder.ts";
import { MediaFollowing } from "../storage/media/media-following.ts";
import { openSharedMedia } from "../storage/media/shared-media.ts";
import { openRecord, type RecordOptions } from "../storage/record/open.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import type { JobFiles } from "../transfer/job.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";

interface OpeningOptions extends Omit<RecordOptions, "url" | "file" | "origin"> {
  use: FolderUse;
}

/**
 * The record in the engine that the settings name, with the reading copy beside it. The data folder is
 * locked until the record is closed.
 *
 * @throws {AppError} `conflict` when another server uses the folder.
 */
export async function openRecordOf(
  config: Config,
  { use, ...options }: OpeningOptions,
): Promise<OpenRecord> {
  const { databaseUrl: url, origin, dataDir } = config;
  const usesFolder = url === null || options.follows !== false;
  if (usesFolder) makeFolder(dataDir);
  const lock = usesFolder ? lockFolder(dataDir, use) : null;
  try {
    // While anybody has the lock, no restore can begin.
    if (await finishRestore(config)) options.log?.warn("Finished a restore that was interrupted");
    const record = await openRecord({ url, file: readingFile(config), origin, ...options });
    const close = async () => {
      await record.close();
      lock?.[Symbol.dispose]();
    };
    return { ...record, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    lock?.[Symbol.dispose]();
    throw error;
  }
}

/** Opens the record alone, for commands that run beside a server or without one. */
export async function openStore(config: Config): Promise<OpenRecord> {
  return await openRecordOf(config, { use: "beside", otherOrigin: "keep", follows: false });
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
  const workers = [new MediaFollowing(mediaFiles, log)];
  return { mediaFiles, jobFiles: openSharedJobs(files), workers };
}
