import type { Log } from "./log.ts";

/** Faults written to the log within one window; more are counted only. */
const LOGGED_MAX = 10;
const WINDOW_MILLISECONDS = 10_000;

/** SIGHUP: the terminal closed. SIGXFSZ: a file reached a size limit, which the write reports as well. */
const IGNORED_SIGNALS = ["SIGHUP", "SIGUSR2", "SIGXFSZ"] as const;

let faults = 0;

/** Exceptions that reached the event loop of this process since its start. */
export function faultsSurvived(): number {
  return faults;
}

/**
 * Keeps a serving process alive through every fault but the end of its memory: only SIGTERM and SIGINT
 * end it. An exception that reached the event loop belongs to one request or one task, as no state is
 * shared between requests but caches that follow the version of the reading copy; it is logged, at most
 * 10 in 10 seconds, and counted. Output that nobody reads, or that finds no room, is dropped.
 */
export function surviveFaults(log: Pick<Log, "error">): void {
  const isLogged = boundedRate(LOGGED_MAX, WINDOW_MILLISECONDS);
  // Unhandled rejections arrive here as well.
  process.on("uncaughtException", (err, origin) => {
    faults += 1;
    if (isLogged()) log.error({ err, origin, faults }, "An exception was not handled; going on");
  });
  // A stream without a listener throws what it cannot write. Lost log lines are counted by the log.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => {});
}

/** @returns a test that passes at most `max` times in each window. */
function boundedRate(max: number, windowMilliseconds: number): () => boolean {
  let windowStart = performance.now();
  let passed = 0;
  return () => {
    const now = performance.now();
    if (now - windowStart >= windowMilliseconds) {
      windowStart = now;
      passed = 0;
    }
    passed += 1;
    return passed <= max;
  };
}
