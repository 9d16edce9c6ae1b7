import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { claimStagingPath, clearAbandonedStagingFiles } from "./staging.ts";

const NAME_PREFIX = "commonplace-temporary-";

/** A new private folder in the system's temporary folder, deleted when disposed of. */
export async function makeTemporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  await clearAbandonedTemporaryFolders();
  const staging = await claimStagingPath(tmpdir(), NAME_PREFIX);
  await mkdir(staging.path, { mode: 0o700 });
  return {
    path: staging.path,
    async [Symbol.asyncDispose]() {
      await staging.discard();
      await staging[Symbol.asyncDispose]();
    },
  };
}

/** Deletes the temporary folders of processes that were killed. */
export async function clearAbandonedTemporaryFolders(): Promise<void> {
  await clearAbandonedStagingFiles(tmpdir(), NAME_PREFIX);
}
