import type { Counting } from "../access/counting.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Log } from "../log.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import type { OpenDoors } from "./doors.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import type { Seed } from "./store.ts";

export interface AppOptions {
  log: Log;
  now?: () => Date;
  /** Milliseconds of a clock that nobody sets; follows `now` where only that is given. */
  monotonic?: () => number;
  /** Makes the site in a place that never had one; without it such a place is refused. */
  seed?: Seed;
  onProgress?: (done: number, total: number) => void;
  /** For a worker process: asks the first process, which keeps the limits and runs the clock. */
  rateLimits?: RateLimiter;
}

/** The running service. */
export interface App extends OpenDoors, AsyncDisposable {
  record: OpenRecord;
  reading: ReadingCopy;
  counting: Counting;
  /** Decides for this process and those that ask it. */
  rateLimits: RateLimiter;
  metrics: Pick<ServiceMetrics, "server" | "processSamples">;
  /** Has `/readyz` refuse and ends long requests in order, before the server stops. */
  drain(): void;
  /** Closes the store after running work has ended; the server must have stopped before. */
  close(): Promise<void>;
}
