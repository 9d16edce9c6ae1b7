import type { RateLimiter } from "../access/rate-limits.ts";
import type { UsageCounters } from "../access/usage-counters.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { CheckResults } from "../health/facts.ts";
import type { Log } from "../log.ts";
import type { OpenedDeskIndex } from "../storage/desk/desk-search.ts";
import type { DeskTimeouts } from "../storage/desk/following.ts";
import type { OpenRecord } from "../storage/record/stores.ts";
import type { MakeBackup } from "./backup/scheduling.ts";
import type { OpenDoors } from "./doors.ts";
import type { ServiceMetrics } from "./service-metrics.ts";
import type { WriteInitialContent } from "./store.ts";

export interface AppOptions {
  log: Log;
  now?: () => Date;
  /** Milliseconds of a monotonic clock; derived from `now` if only `now` is given. */
  monotonic?: () => number;
  /** Creates the site if there has never been one here. If omitted, a missing site is an error. */
  seed?: WriteInitialContent;
  onProgress?: (done: number, total: number) => void;
  /** For tests, which wait longer for the editors' index. */
  deskTimeouts?: DeskTimeouts;
  /** For tests: the interval of scheduled tasks; default one second. */
  tickMilliseconds?: number;
  /** For tests, which allow a search more time. */
  searchMillisecondsMax?: number;
  /** Makes a scheduled backup. If omitted, no backups are scheduled. */
  makeBackup?: MakeBackup;
  /** Set only in a worker process, whose first process applies the rate limits and runs the checks. */
  firstProcess?: CheckResults & { rateLimits: RateLimiter };
}

/** The running service. */
export interface App extends OpenDoors, AsyncDisposable {
  record: OpenRecord;
  reading: ReadingCopy;
  deskIndex: OpenedDeskIndex;
  counting: UsageCounters;
  /** Applies the rate limits to requests of this process, and of the worker processes. */
  rateLimits: RateLimiter;
  /** What the checks of this process have found. */
  checks: CheckResults;
  metrics: Pick<ServiceMetrics, "server" | "processSamples" | "noteFindings">;
  /**
   * Makes `/readyz` report that the server is stopping, and ends long requests cleanly. Call it
   * before stopping the server.
   */
  drain(): void;
  /** Waits for running work, then closes the store. Stop the server first. */
  close(): Promise<void>;
}
