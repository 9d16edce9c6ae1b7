import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { lockStagingPath } from "../../files/staging.ts";
import { lockDataFolder } from "../../storage/folder-lock.ts";

/** Name of the lock file, without its extension `.lock`. */
const LOCK_NAME = ".commonplace-backup-run";

/**
 * Prevents restores and other backups until the result is disposed of. A second backup at the same time would
 * mistake the unfinished files of the first for leftovers, and remove them.
 *
 * @throws {AppError} `conflict` while another backup is being made.
 */
export async function lockBackups(config: Config): Promise<AsyncDisposable> {
  const { dataDir } = config;
  requireExistingDataFolder(config);
  const folder = lockDataFolder(dataDir, "shared");
  try {
    const lock = await lockStagingPath(join(dataDir, LOCK_NAME));
    if (lock === null) {
      throw new AppError("conflict", {
        en: "A backup is being made already",
        de: "Es wird schon eine Sicherung gemacht",
      });
    }
    return {
      async [Symbol.asyncDispose]() {
        await lock[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  }
}

/**
 * @throws {AppError} `conflict` if the folder is missing. The folder is not created, because that would hide
 * a typo in its path.
 */
export function requireExistingDataFolder({ dataDir }: Config): void {
  if (existsSync(dataDir)) return;
  throw new AppError("conflict", {
    en: `There is nothing to back up: ${dataDir} does not exist`,
    de: `Es gibt nichts zu sichern: ${dataDir} fehlt`,
  });
}
