import type { Config } from "../config.ts";
import { isTransient } from "../errors.ts";
import type { ReadingCopyRepair } from "../storage/integrity/repair.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { startClock } from "../work/clock.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";
import type { TrustedTime } from "../work/trusted-time.ts";
import { clockTasks, trustedTimeTasks } from "./clock-tasks.ts";
import type { SharedDoorParts } from "./door-parts.ts";
import type { LimitsAndCounts } from "./limits-and-counts.ts";
import type { AppOptions } from "./options.ts";
import { setupFileRemovalTask } from "./setup-code.ts";

interface BackgroundParts {
  common: Omit<SharedDoorParts, "deskIndex">;
  config: Config;
  limitsAndCounts: LimitsAndCounts;
  workers: readonly BackgroundWorker[];
  repair: ReadingCopyRepair;
  /** Null in a worker process, whose only tasks are to repair the reading copy and to save counts. */
  time: TrustedTime | null;
}

/** Starts the scheduled tasks and the workers. Disposing of the result stops them and saves the counts. */
export function startBackgroundWork(
  record: OpenRecord,
  { common, config, limitsAndCounts, workers, repair, time }: BackgroundParts,
  { tickMilliseconds }: Pick<AppOptions, "tickMilliseconds">,
): AsyncDisposable {
  const { log } = common;
  const saveCounts = limitsAndCounts.saveDue;
  const sendsMail = config.mail !== null;
  const removeSetupFile = setupFileRemovalTask(record, config);
  const parts = { record, ...common, sendsMail, workers, saveCounts, removeSetupFile };
  const tasks = time === null ? [saveCounts] : trustedTimeTasks(time, clockTasks(parts));
  const clock = startClock([() => repair.work(), ...tasks], log, tickMilliseconds);
  return {
    async [Symbol.asyncDispose]() {
      await clock.stop();
      await Promise.all([...workers, repair].map((worker) => worker.stop()));
      try {
        await limitsAndCounts.save();
        await time?.save();
      } catch (error) {
        if (!isTransient(error)) throw error;
        log.warn({ fault: error.message }, "The counts of the last seconds are lost");
      }
    },
  };
}
