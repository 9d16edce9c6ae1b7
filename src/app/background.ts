import type { Config } from "../config.ts";
import { isTransientError } from "../errors.ts";
import type { ReadingCopyRepair } from "../storage/integrity/repair.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import { startClock } from "../work/clock.ts";
import type { BackgroundWorker } from "../work/queue-worker.ts";
import type { TrustedTime } from "../work/trusted-time.ts";
import { createClockTasks, createTrustedTimeTasks } from "./clock-tasks.ts";
import type { SharedDoorDependencies } from "./door-dependencies.ts";
import type { AppOptions } from "./options.ts";
import type { RateLimitsAndUsageCounts } from "./rate-limits-and-usage-counts.ts";
import { createSetupFileRemovalTask } from "./setup-code.ts";

interface BackgroundParts {
  common: Omit<SharedDoorDependencies, "deskIndex">;
  config: Config;
  limitsAndCounts: RateLimitsAndUsageCounts;
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
  const removeSetupFile = createSetupFileRemovalTask(record, config);
  const parts = { record, ...common, sendsMail, workers, saveCounts, removeSetupFile };
  const tasks =
    time === null ? [saveCounts] : createTrustedTimeTasks(time, createClockTasks(parts));
  const clock = startClock([() => repair.work(), ...tasks], log, tickMilliseconds);
  return {
    async [Symbol.asyncDispose]() {
      await clock.stop();
      await Promise.all([...workers, repair].map((worker) => worker.stop()));
      try {
        await limitsAndCounts.save();
        await time?.save();
      } catch (error) {
        if (!isTransientError(error)) throw error;
        log.warn({ fault: error.message }, "The counts of the last seconds are lost");
      }
    },
  };
}
