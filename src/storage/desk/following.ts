import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { YOUNG_GENERATION_MEGABYTES_MAX } from "../../work/thread-memory.ts";

const REPORT_MILLISECONDS_MAX = 100;
const RESTART_MILLISECONDS = 5000;
const RETRY_SECONDS = 10;
const THREAD_FILE = new URL("./following-thread.ts", import.meta.url);

/** How long a query waits for the index, in milliseconds. */
export interface DeskTimeouts {
  /** How long to wait for the index to be built; long enough for a small site. */
  toBuild: number;
  /**
   * How long to wait for the index to be built if a change depends on the query. Shorter than
   * `toBuild`, because changes are answered within 3 seconds.
   */
  toBuildForChange: number;
  /**
   * How long to wait for changes to be applied to the index. After that, the response says that the
   * index is not current.
   */
  toCatchUp: number;
}

export const DEFAULT_DESK_TIMEOUTS: DeskTimeouts = {
  toBuild: 5000,
  toBuildForChange: 1500,
  toCatchUp: 300,
};

/**
 * Timeouts of commands. They are longer than the default timeouts, because a command can wait. With the
 * default timeouts, a command on a large site would fail until the index is built.
 */
export const COMMAND_DESK_TIMEOUTS: DeskTimeouts = {
  toBuild: 600_000,
  toBuildForChange: 600_000,
  toCatchUp: 10_000,
};

export interface DeskFollowerData {
  /** PostgreSQL URL; null if the record is in `recordFile`. */
  url: string | null;
  recordFile: string;
  /** File of the index. */
  file: string;
  origin: string;
}

export type DeskFollowerReport =
  | { kind: "at"; position: number }
  | { kind: "building"; done: number; total: number }
  | { kind: "fault"; fault: string; isTransient: boolean };

export type DeskFollowerRequest = { kind: "wake" } | { kind: "rebuild" };

/** Keeps the editors' index up to date in a thread, which starts with the first query. */
export class DeskFollower implements AsyncDisposable {
  readonly #data: DeskFollowerData;
  readonly #log: Log;
  readonly #timeouts: DeskTimeouts;
  readonly #waiting = new Set<() => void>();
  #thread: Worker | null = null;
  /** Position of the last change in the index; null while the index is not known to be usable. */
  #position: number | null = null;
  #progress: { done: number; total: number } | null = null;
  #startsAfter = 0;
  #isClosed = false;

  constructor(data: DeskFollowerData, log: Log, timeouts: DeskTimeouts) {
    this.#data = data;
    this.#log = log;
    this.#timeouts = timeouts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#resumeWaiting();
    await this.#thread?.terminate();
  }

  start(): void {
    if (this.#thread !== null || this.#isClosed || performance.now() < this.#startsAfter) return;
    const thread = new Worker(THREAD_FILE, {
      workerData: this.#data,
      name: "desk",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES_MAX },
    });
    this.#thread = thread;
    thread.unref();
    thread.on("message", (report: DeskFollowerReport) => this.#read(report));
    thread.on("error", (error) => {
      this.#log.error({ err: error }, "The thread of the desk's index failed and is replaced");
      this.#startsAfter = performance.now() + RESTART_MILLISECONDS;
    });
    thread.on("exit", () => {
      if (this.#thread === thread) this.#thread = null;
      this.#position = null;
    });
  }

  rebuild(): void {
    this.#position = null;
    this.#send({ kind: "rebuild" });
  }

  /**
   * Waits up to `toCatchUp` for the index to contain a change. While the index is being built,
   * waits up to `toBuild` instead, or up to `toBuildForChange` if `isForChange`.
   * @returns whether the index contains the change.
   * @throws {AppError} `unavailable` if the index is not built in time.
   */
  async waitForChange(
    change: number,
    { isForChange = false }: { isForChange?: boolean } = {},
  ): Promise<boolean> {
    this.start();
    const isReached = () => this.#position !== null && this.#position >= change;
    if (isReached()) return true;
    this.#send({ kind: "wake" });
    const start = performance.now();
    const { toCatchUp } = this.#timeouts;
    const toBuild = isForChange ? this.#timeouts.toBuildForChange : this.#timeouts.toBuild;
    const hasTimedOut = () =>
      performance.now() - start > (this.#position === null ? toBuild : toCatchUp);
    while (!isReached() && !hasTimedOut() && !this.#isClosed) await this.#nextReport();
    if (this.#position === null) throw indexNotReady(this.#progress);
    return isReached();
  }

  async #nextReport(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await Promise.race([promise, sleep(REPORT_MILLISECONDS_MAX, undefined, { ref: false })]);
    this.#waiting.delete(resolve);
  }

  #read(report: DeskFollowerReport): void {
    switch (report.kind) {
      case "at":
        this.#position = report.position;
        this.#progress = null;
        break;
      case "building": {
        const { done, total } = report;
        this.#position = null;
        this.#progress = { done, total };
        break;
      }
      case "fault": {
        const { fault, isTransient } = report;
        const message = "The desk's index cannot be brought up to date";
        if (isTransient) this.#log.warn({ fault }, message);
        else this.#log.error({ fault }, message);
      }
    }
    this.#resumeWaiting();
  }

  #resumeWaiting(): void {
    for (const resolve of this.#waiting) resolve();
  }

  #send(request: DeskFollowerRequest): void {
    this.#thread?.postMessage(request);
  }
}

function indexNotReady(progress: { done: number; total: number } | null): AppError {
  const progressText = progress === null ? "" : ` (${progress.done} of ${progress.total})`;
  return new AppError(
    "unavailable",
    {
      en: `The index that finds content for editors is being built${progressText}; try again in a moment`,
      de: `Das Verzeichnis, mit dem Sie Inhalte finden, wird gerade aufgebaut${progress === null ? "" : ` (${progress.done} von ${progress.total})`}: Versuchen Sie es gleich noch einmal`,
    },
    { retryAfterSeconds: RETRY_SECONDS },
  );
}
