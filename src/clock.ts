import type { Log } from "./log.ts";

const TICK_MILLISECONDS = 1000;

export interface Clock {
  /** Waits for what is under way. */
  stop(): Promise<void>;
}

/**
 * Runs tasks one after the other every second, never twice at once. One that fails is logged, holds up
 * none of the others, and is tried again at the next second.
 */
export function startClock(tasks: readonly (() => Promise<unknown>)[], log: Log): Clock {
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    round ??= runAll(tasks, log).finally(() => {
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

async function runAll(tasks: readonly (() => Promise<unknown>)[], log: Log): Promise<void> {
  for (const task of tasks) {
    try {
      await task();
    } catch (error) {
      log.error({ err: error }, "A task of the clock failed");
    }
  }
}
