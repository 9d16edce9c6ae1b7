import { isTransientError } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedErrorLogger } from "../repeated-error-logger.ts";

/** Interval between the starts of two rounds. */
const TICK_MILLISECONDS = 1000;

/**
 * An outage that has not recurred for this long is over. During one outage, a database can be lost and come
 * back several times.
 */
const OUTAGE_QUIET_MILLISECONDS = 5000;

export interface Clock {
  /** Waits for the running tasks. */
  stop(): Promise<void>;
}

/**
 * Runs tasks one after another, every second by default; rounds never overlap. A task that fails does not
 * stop the others, and runs again in the next round. A transient failure, such as a lost database
 * connection, ends the round. Every failure is logged once for as long as it recurs.
 */
export function startClock(
  tasks: readonly (() => Promise<unknown>)[],
  log: Log,
  tickMilliseconds: number = TICK_MILLISECONDS,
): Clock {
  let round: Promise<void> | null = null;
  const bugs = new RepeatedErrorLogger(log);
  const outages = new RepeatedErrorLogger(log, { quietMilliseconds: OUTAGE_QUIET_MILLISECONDS });
  const runAll = async () => {
    for (const task of tasks) {
      try {
        await task();
      } catch (error) {
        if (isTransientError(error)) return outages.failed("The clock waits", error);
        bugs.failed("A task of the clock failed", error);
      }
    }
  };
  const timer = setInterval(() => {
    round ??= runAll().finally(() => {
      round = null;
    });
  }, tickMilliseconds);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
