import type { Config } from "../../config.ts";
import { lastMomentAtTimeOfDay } from "../../content/site/time-zone.ts";
import type { Log } from "../../log.ts";
import {
  type BackupAttempt,
  listUntriedBackupPlaces,
  readBackupStatus,
} from "../../storage/backup/last-backup.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";

const RETRY_MILLISECONDS = 60 * 60 * 1000;
/** How often to check whether a backup is due. */
const CHECK_MILLISECONDS = 10_000;

/**
 * Makes a backup in each configured place, in a separate process.
 *
 * @returns the fault; null if all backups were made.
 */
export type MakeBackup = (stopSignal: AbortSignal) => Promise<string | null>;

export interface BackupScheduleDependencies {
  config: Config;
  /** The time zone of the site. */
  timeZone: () => string;
  makeBackup: MakeBackup;
  now: () => Date;
  /** Milliseconds of a monotonic clock. */
  monotonic?: () => number;
  isTimeTrusted: () => boolean;
  log: Log;
}

/**
 * Starts the daily backup. Also starts the first backup in a newly configured place, makes up for a missed
 * backup, and retries a failed one after a delay.
 */
export class ScheduledBackups implements BackgroundWorker {
  readonly #parts: BackupScheduleDependencies;
  readonly #monotonic: () => number;
  readonly #stopping = new AbortController();
  #checkAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  /** The last attempt of this process, kept in memory in case the data folder cannot be written. */
  #lastAttempt: BackupAttempt | null = null;

  constructor(parts: BackupScheduleDependencies) {
    this.#parts = parts;
    this.#monotonic = parts.monotonic ?? (() => performance.now());
  }

  async work(): Promise<void> {
    const { config, timeZone, now, isTimeTrusted } = this.#parts;
    const { at, to } = config.backup;
    if (at === null || this.#running !== null || this.#monotonic() < this.#checkAt) return;
    this.#checkAt = this.#monotonic() + CHECK_MILLISECONDS;
    // Waits for a trusted clock: a backup with a wrong date could count as the latest and displace
    // older ones.
    if (!isTimeTrusted()) return;
    const { attempt: noted } = await readBackupStatus(config.dataDir);
    const startedAt = now();
    const attempt = latestOf(noted, this.#lastAttempt, startedAt);
    const scheduled = lastMomentAtTimeOfDay(timeZone(), at, startedAt);
    if (!isDue(attempt, { scheduled, places: to, now: startedAt })) return;
    if (this.#stopping.signal.aborted) return;
    this.#running = this.#make(startedAt).finally(() => {
      this.#running = null;
    });
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #make(startedAt: Date): Promise<void> {
    const { config, makeBackup, log } = this.#parts;
    const { signal } = this.#stopping;
    this.#lastAttempt = {
      at: startedAt.toISOString(),
      state: "failed",
      fault: null,
      interruptions: 0,
      places: [...config.backup.to],
    };
    try {
      const fault = await makeBackup(signal);
      if (fault === null) {
        this.#lastAttempt = { ...this.#lastAttempt, state: "made" };
        log.info("Made a backup");
      } else if (!signal.aborted) log.error({ fault }, "The backup failed");
    } catch (error) {
      log.error({ err: error }, "The backup failed");
    }
    this.#checkAt = this.#monotonic() + CHECK_MILLISECONDS;
  }
}

function latestOf(
  noted: BackupAttempt | null,
  remembered: BackupAttempt | null,
  now: Date,
): BackupAttempt | null {
  if (noted === null || remembered === null) return remembered ?? noted;
  const at = Date.parse(noted.at);
  return at >= Date.parse(remembered.at) && at <= now.getTime() ? noted : remembered;
}

/** Whether to make a backup now. `scheduled` is the latest scheduled time that has passed. */
function isDue(
  attempt: BackupAttempt | null,
  { scheduled, places, now }: { scheduled: Date; places: readonly string[]; now: Date },
): boolean {
  // Tries a new place at once, so that a wrong address is noticed early.
  if (attempt === null || listUntriedBackupPlaces(attempt, places).length > 0) return true;
  const at = Date.parse(attempt.at);
  if (at < scheduled.getTime() || at > now.getTime()) return true;
  const isRetryDue = now.getTime() - at >= RETRY_MILLISECONDS;
  switch (attempt.state) {
    case "made":
      return false;
    case "failed":
      return isRetryDue;
    case "running":
      // The attempt is still noted as running, so the server stopped during the attempt. Only the first retry
      // is immediate.
      return attempt.interruptions === 0 || isRetryDue;
  }
}
