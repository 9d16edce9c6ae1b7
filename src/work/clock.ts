import { isTransient } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedFaults } from "../repeated-faults.ts";

const TICK_MILLISECONDS = 1000;

export interface Clock {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Runs tasks one after the other every second, never twice at once. One that fails holds up none of the
 * others, is tried again at the next second, and is logged once until it succeeds. Where the record is
 * away for a moment, no further task asks for it in that second, and that is logged once, too.
 */
export function startClock(tasks: readonly (() => Promise<unknown>)[], log: Log): Clock {
  let round: Promise<void> | null = null;
  let waitsFor: string | null = null;
  const repeated = new RepeatedFaults(log);
  const runAll = async () => {
    const fault = await firstPassing(tasks, repeated);
    if (fault !== null && waitsFor === null) log.warn({ fault }, "The clock waits");
    if (fault === null && waitsFor !== null) log.info("The clock goes on");
    waitsFor = fault;
  };
  const timer = setInterval(() => {
    round ??= runAll().finally(() => {
      round = null;
    });
  }, TICK_MILLISECONDS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

/** Runs tasks until one meets a fault that passes by itself; says which that was. */
async function firstPassing(
  tasks: readonly (() => Promise<unknown>)[],
  repeated: RepeatedFaults,
): Promise<string | null> {
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      if (isTransient(error)) return error.message;
      repeated.met("A task of the clock failed", error);
    }
  }
  return null;
}
