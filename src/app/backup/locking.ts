import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { AppError, englishOnly } from "../../errors.ts";
import { lockStagingPath } from "../../files/staging.ts";
import { lockFolder } from "../../storage/folder-lock.ts";

/** With `.lock`, a file that is locked while backups are made in the places of the settings or packed. */
const LOCK_NAME = ".commonplace-backup-run";

/**
 * Keeps other backups, whose leftovers would be taken for abandoned, and restores away until disposed of.
 *
 * @throws {AppError} `conflict` while another is made.
 */
export async function lockBackups(config: Config): Promise<AsyncDisposable> {
  const { dataDir } = config;
  requireDataFolder(config);
  const folder = lockFolder(dataDir, "shared");
  try {
    const lock = await lockStagingPath(join(dataDir, LOCK_NAME));
    if (lock === null) {
      throw new AppError("conflict", englishOnly("A backup is being made already"));
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

/** @throws {AppError} `conflict`: nothing must be made where a name is mistyped. */
export function requireDataFolder({ dataDir }: Config): void {
  if (existsSync(dataDir)) return;
  const message = `There is nothing to back up: ${dataDir} does not exist`;
  throw new AppError("conflict", englishOnly(message));
}
