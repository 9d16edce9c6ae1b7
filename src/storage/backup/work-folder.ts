import { makeFolder } from "../../files/durable-files.ts";
import { claimStagingPath, clearAbandonedStagingFiles } from "../../files/staging.ts";

/** Prefix of folders in the data folder for packing and unpacking backups. */
export const WORK_FOLDER_PREFIX = ".commonplace-backup-work-";

/** Makes a work folder in the data folder, and removes the work folders of killed processes. */
export async function makeWorkFolder(dataDir: string): Promise<AsyncDisposable & { path: string }> {
  await clearAbandonedStagingFiles(dataDir, WORK_FOLDER_PREFIX);
  const work = await claimStagingPath(dataDir, WORK_FOLDER_PREFIX);
  makeFolder(work.path);
  return {
    path: work.path,
    async [Symbol.asyncDispose]() {
      await work.discard();
      await work[Symbol.asyncDispose]();
    },
  };
}
