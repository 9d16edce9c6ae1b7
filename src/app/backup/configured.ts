import type { Config } from "../../config.ts";
import { AppError, buildWording, englishOnlyWording, type Wording } from "../../errors.ts";
import { readBackupStatus, saveBackupAttempt } from "../../storage/backup/last-backup.ts";
import { lockBackups } from "./locking.ts";
import { type CompletedBackup, makeAndTestBackupWithoutLock } from "./making.ts";

/**
 * Makes a backup in each configured place (a folder or an S3 bucket) and records the outcome. If the backup
 * fails in one place, the backups in the other places are still made.
 *
 * @param onMade called after each place.
 * @throws {AppError} `invalid` if no place is configured; `conflict` while another backup is being made;
 *   `unavailable`, with the faults of all places in which the backup failed.
 */
export async function backUpToConfiguredPlaces(
  config: Config,
  options: Omit<Parameters<typeof makeAndTestBackupWithoutLock>[2], "rotation">,
  onMade: (made: CompletedBackup) => void,
): Promise<void> {
  const { dataDir, backup } = config;
  const { to, keep: latest, keepWeekly: weekly } = backup;
  if (to.length === 0) {
    throw new AppError("invalid", englishOnlyWording("Name a place, or set BACKUP_TO"));
  }
  await using _lock = await lockBackups(config);
  const at = options.now.toISOString();
  const previous = (await readBackupStatus(dataDir)).attempt;
  const interruptions = previous?.state === "running" ? previous.interruptions + 1 : 0;
  const places = [...to];
  await saveBackupAttempt(dataDir, { at, state: "running", fault: null, interruptions, places });
  const faults: unknown[] = [];
  for (const place of to) {
    try {
      onMade(
        await makeAndTestBackupWithoutLock(config, place, {
          ...options,
          rotation: { latest, weekly },
        }),
      );
    } catch (error) {
      faults.push(error);
    }
  }
  const fault =
    faults.length === 0
      ? null
      : buildWording((language) => faults.map((each) => errorWording(each)[language]).join(". "));
  const state = fault === null ? "made" : "failed";
  await saveBackupAttempt(dataDir, { at, state, fault, interruptions: 0, places });
  if (fault === null) return;
  const unexpected = faults.find((error) => !(error instanceof AppError));
  throw unexpected ?? new AppError("unavailable", fault);
}

function errorWording(error: unknown): Wording {
  return error instanceof AppError ? error.wording : INTERNAL_ERROR;
}

const INTERNAL_ERROR: Wording = {
  en: "Internal error, which the log has",
  de: "Interner Fehler; er steht im Log des Servers",
};
