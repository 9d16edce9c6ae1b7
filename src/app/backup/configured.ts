import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config.ts";
import { AppError, englishOnly } from "../../errors.ts";
import { lockStagingPath } from "../../files/staging.ts";
import { noteAttempt, readBackupNotes } from "../../storage/backup/last-backup.ts";
import { lockFolder } from "../../storage/folder-lock.ts";
import { backUpInto, type MadeBackup } from "./making.ts";

/** With `.lock`, a file that is locked while such a backup is made. */
const LOCK_NAME = ".commonplace-backup-run";

/**
 * Makes a backup in each place of the settings and notes how that ended. A place that fails does not stop the
 * others.
 *
 * @param onMade after each place.
 * @throws {AppError} `invalid` without a place; `conflict` while another such backup is made; the fault of
 * the places that failed.
 */
export async function backUpAsConfigured(
  config: Config,
  options: Omit<Parameters<typeof backUpInto>[2], "rotation">,
  onMade: (made: MadeBackup) => void,
): Promise<void> {
  const { dataDir, backup } = config;
  const { to, keep: latest, keepWeekly: weekly } = backup;
  if (to.length === 0) {
    throw new AppError("invalid", englishOnly("Name a place, or set BACKUP_TO"));
  }
  if (!existsSync(dataDir)) {
    const message = `There is nothing to back up: ${dataDir} does not exist`;
    throw new AppError("conflict", englishOnly(message));
  }
  using _folder = lockFolder(dataDir, "shared");
  await using lock = await lockStagingPath(join(dataDir, LOCK_NAME));
  if (lock === null) {
    throw new AppError("conflict", englishOnly("A backup is being made already"));
  }
  const at = options.now.toISOString();
  const before = (await readBackupNotes(dataDir)).attempt;
  const interruptions = before?.state === "running" ? before.interruptions + 1 : 0;
  await noteAttempt(dataDir, { at, state: "running", fault: null, interruptions });
  const faults: unknown[] = [];
  for (const place of to) {
    try {
      onMade(await backUpInto(config, place, { ...options, rotation: { latest, weekly } }));
    } catch (error) {
      faults.push(error);
    }
  }
  const fault = faults.length === 0 ? null : faults.map(faultText).join(". ");
  const state = fault === null ? "made" : "failed";
  await noteAttempt(dataDir, { at, state, fault, interruptions: 0 });
  if (fault === null) return;
  const unexpected = faults.find((error) => !(error instanceof AppError));
  throw unexpected ?? new AppError("unavailable", englishOnly(fault));
}

function faultText(error: unknown): string {
  return error instanceof AppError ? error.message : "Internal error, which the log has";
}
