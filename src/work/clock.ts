import { isTransient } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedFaults } from "../repeated-faults.ts";

/** Interval between the starts of two rounds. */
const TICK_MILLISECONDS = 1000;

export interface Clock {
  /** Waits for the running tasks. */
  stop(): Promise<void>;
}

/**
 * Runs tasks one after another, every second by default; rounds never overlap. A task that fails
 * does not stop the others, runs again in the next round, and is logged once until it succeeds. A
 * transient failure, such as a lost database connection, ends the round and is logged once.
 */
export function startClock(
  tasks: readonly (() => Promise<unknown>)[],
  log: Log,
  tickMilliseconds: number = TICK_MILLISECONDS,
): Clock {
  let round: Promise<void> | null = null;
  let outage: string | null = null;
  const repeated = new RepeatedFaults(log);
  const runAll = async () => {
    const fault = await runUntilTransient(tasks, repeated);
    if (fault !== null && outage === null) log.warn({ fault }, "The clock waits");
    if (fault === null && outage !== null) log.info("The clock continues");
    outage = fault;
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

/** Runs tasks until one fails transiently. @returns the message of that failure, or null. */
async function runUntilTransient(
  tasks: readonly (() => Promise<unknown>)[],
  repeated: RepeatedFaults,
): Promise<string | null> {
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      if (isTransient(error)) return error.message;
      repeated.failed("A task of the clock failed", error);
    }
  }
  return null;
}
