import type { Log } from "./log.ts";

/** Exceptions logged per window; further exceptions are only counted. */
const LOGGED_MAX = 10;
const WINDOW_MILLISECONDS = 10_000;

/**
 * Signals that must not end the server. SIGHUP: the terminal closed. SIGXFSZ: a file reached its size
 * limit. The failed write reports this itself.
 */
const IGNORED_SIGNALS = ["SIGHUP", "SIGUSR2", "SIGXFSZ"] as const;

let faults = 0;

/** Uncaught exceptions since the process started. */
export function uncaughtExceptionCount(): number {
  return faults;
}

/**
 * Keeps the server running after uncaught exceptions. This is safe because requests share no state
 * except caches, which are tied to the version of the reading copy. Exceptions are counted and logged,
 * at most 10 in 10 seconds. Output that cannot be written is dropped. Only SIGTERM, SIGINT and running
 * out of memory end the server.
 */
export function surviveUncaughtExceptions(log: Pick<Log, "error">): void {
  const isLogged = boundedRate(LOGGED_MAX, WINDOW_MILLISECONDS);
  // This event includes unhandled rejections.
  process.on("uncaughtException", (err, origin) => {
    faults += 1;
    if (isLogged()) log.error({ err, origin, faults }, "An exception was not handled; continuing");
  });
  // Without a listener, a failed write would throw. The listener does nothing, because the log
  // counts lost lines.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => {});
}

/** @returns a function that returns true at most `max` times per window. */
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
