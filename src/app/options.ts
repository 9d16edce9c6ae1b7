import type { Counting } from "../access/counting.ts";
import type { RateLimiter } from "../access/rate-limits.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Log } from "../log.ts";
import type { OpenDeskIndex } from "../storage/desk/desk-search.ts";
import type { DeskPatience } from "../storage/desk/following.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import type { MakeBackup } from "./backup/scheduling.ts";
import type { OpenDoors } from "./doors.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import type { Seed } from "./store.ts";

export interface AppOptions {
  log: Log;
  now?: () => Date;
  /** Milliseconds of a monotonic clock; follows `now` if only that is given. */
  monotonic?: () => number;
  /** Creates the site if there has never been one here; if omitted, opening fails. */
  seed?: Seed;
  onProgress?: (done: number, total: number) => void;
  /** Tests wait longer for the desk than people do. */
  deskPatience?: DeskPatience;
  /** Tests do not wait a second for the clock. */
  tickMilliseconds?: number;
  /** Tests let a search take longer than the service does. */
  searchMillisecondsMax?: number;
  /** If omitted, the clock makes no backups. */
  makeBackup?: MakeBackup;
  /**
   * For a worker process: asks the first process, which keeps the rate limits and runs the clock.
   */
  rateLimits?: RateLimiter;
}

/** The running service. */
export interface App extends OpenDoors, AsyncDisposable {
  record: OpenRecord;
  reading: ReadingCopy;
  deskIndex: OpenDeskIndex;
  counting: Counting;
  /** Decides for this process and those that ask it. */
  rateLimits: RateLimiter;
  metrics: Pick<ServiceMetrics, "server" | "processSamples">;
  /** Makes `/readyz` refuse and ends long requests cleanly, before the server stops. */
  drain(): void;
  /** Closes the store after running work has ended; the server must have stopped before. */
  close(): Promise<void>;
}
