import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { SearchPage, SearchQuery } from "../content/library.ts";
import { AppError, type ErrorCode, type Wording } from "../errors.ts";
import type { Log } from "../log.ts";
import { DamageError, type DamageLocation } from "../storage/sqlite/damage.ts";
import { FairQueue } from "../work/fair-queue.ts";
import { currentClientName } from "./current-client.ts";
import { SEARCH_MILLISECONDS_MAX, searchTimeoutError } from "./time-limit.ts";

/** A search that waits longer than this for a thread is refused. */
const WAIT_MILLISECONDS_MAX = 500;
/**
 * Time limit for starting a thread. Starting takes most of a second, and many seconds on an
 * overloaded machine.
 */
const START_MILLISECONDS_MAX = 20_000;
/** At least this many searches may queue for each thread, even if searches are slow. */
const QUEUED_PER_THREAD_MIN = 8;
const QUEUED_PER_THREAD_MAX = 200;
/** Weight of the latest search in the moving average of durations. */
const LATEST_WEIGHT = 0.1;
/** A thread that is still running this long after the time limit of its search is terminated. */
const GRACE_MILLISECONDS = 3000;
/**
 * Longest pause of a thread after a search. The pause is short, so that no search waits long for a
 * pausing thread.
 */
const PAUSE_MILLISECONDS_MAX = 20;
const RETRY_SECONDS = 1;

export interface SearchThreadData {
  file: string;
  searchMillisecondsMax: number;
}

/** The message that a thread sends once it can search. */
export const READY_MESSAGE = "ready";

export type SearchResponse<Page = SearchPage> =
  | { page: Page }
  | { refusal: { code: ErrorCode; wording: Wording; retryAfterSeconds: number | undefined } }
  | { damage: DamageLocation }
  | { bug: unknown };

export interface SearchThreadsOptions {
  /** Path of the store. */
  file: string;
  log: Log;
  threads: number;
  searchMillisecondsMax?: number | undefined;
  /** The module that the thread runs; defaults to the public search. */
  program?: URL;
  /** How long a thread pauses after a search, as a multiple of the search's duration; default 0. */
  pauseFactor?: number;
}

interface Job<Query, Page> {
  query: Query;
  /** Latest time at which the search may start, by `performance.now()`. */
  startDeadline: number;
  resolve(page: Page): void;
  reject(error: unknown): void;
}

/**
 * Runs searches in worker threads, each with its own connection, so that no search delays a page.
 * Threads start on demand. A search sees everything committed before it starts.
 */
export class SearchThreads<Query = SearchQuery, Page = SearchPage> {
  readonly #options: SearchThreadsOptions;
  readonly #millisecondsMax: number;
  readonly #threads = new Set<SearchThread<Query, Page>>();
  /** Alternates between clients, so that no client delays the searches of others. */
  readonly #queue = new FairQueue<Job<Query, Page>>();
  /**
   * Moving average of how long a search and the pause after it occupy a thread; 0 until the first
   * measurement.
   */
  #averageMilliseconds = 0;
  #isClosed = false;

  constructor(options: SearchThreadsOptions) {
    this.#options = options;
    this.#millisecondsMax = options.searchMillisecondsMax ?? SEARCH_MILLISECONDS_MAX;
  }

  /** @throws {AppError} `invalid` for a malformed query; `unavailable` when busy or out of time. */
  async search(query: Query): Promise<Page> {
    if (this.#isClosed) throw unavailable(STOPPING);
    return await new Promise((resolve, reject) => {
      const startDeadline = performance.now() + this.#waitMilliseconds();
      this.#queue.push(currentClientName(), { query, startDeadline, resolve, reject });
      this.#dispatch();
      if (this.#queue.size > this.#queuedMax()) this.#queue.dropFromLongest()?.reject(busyError());
    });
  }

  #waitMilliseconds(): number {
    return this.#averageMilliseconds === 0 ? START_MILLISECONDS_MAX : WAIT_MILLISECONDS_MAX;
  }

  /** Ends the threads; running searches fail. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
      job.reject(unavailable(STOPPING));
    }
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #dispatch(): void {
    while (this.#queue.size > 0) {
      const thread = this.#idleThread();
      if (thread === null) return;
      const job = this.#queue.shift();
      if (job === undefined) return;
      if (performance.now() > job.startDeadline) job.reject(busyError());
      else thread.run(job);
    }
  }

  #queuedMax(): number {
    const startable = WAIT_MILLISECONDS_MAX / Math.max(this.#averageMilliseconds, 1);
    const perThread = Math.min(Math.max(startable, QUEUED_PER_THREAD_MIN), QUEUED_PER_THREAD_MAX);
    return perThread * this.#options.threads;
  }

  #idleThread(): SearchThread<Query, Page> | null {
    for (const thread of this.#threads) if (thread.isIdle()) return thread;
    if (this.#threads.size >= this.#options.threads || this.#isClosed) return null;
    const thread = new SearchThread<Query, Page>({
      ...this.#options,
      searchMillisecondsMax: this.#millisecondsMax,
      onIdle: (milliseconds) => {
        const weight = this.#averageMilliseconds === 0 ? 1 : LATEST_WEIGHT;
        this.#averageMilliseconds += (milliseconds - this.#averageMilliseconds) * weight;
        this.#dispatch();
      },
      onEnd: () => {
        this.#threads.delete(thread);
        this.#dispatch();
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}

interface ThreadOptions extends SearchThreadsOptions {
  searchMillisecondsMax: number;
  /** Called when the thread is free again. `milliseconds` is how long the search occupied it. */
  onIdle: (milliseconds: number) => void;
  onEnd: () => void;
}

class SearchThread<Query, Page> {
  readonly #worker: Worker;
  readonly #options: ThreadOptions;
  #job: Job<Query, Page> | null = null;
  #terminationTimer: NodeJS.Timeout | undefined;
  #isStarted = false;
  #isPausing = false;
  #isEnded = false;
  #startedAt = 0;

  constructor(options: ThreadOptions) {
    this.#options = options;
    const { file, searchMillisecondsMax, program = THREAD_FILE } = options;
    const workerData = { file, searchMillisecondsMax } satisfies SearchThreadData;
    this.#worker = new Worker(program, { workerData, name: "search" });
    this.#worker.unref();
    this.#terminationTimer = this.#terminateAfter(START_MILLISECONDS_MAX, busyError());
    this.#worker.on("message", (message: typeof READY_MESSAGE | SearchResponse<Page>) => {
      if (!this.#isStarted) this.#onReady();
      if (message !== READY_MESSAGE) this.#answer(message);
    });
    this.#worker.on("error", (error) => this.#fail(error));
    this.#worker.on("exit", () => this.#finish(unavailable(SEARCH_INTERRUPTED)));
  }

  isIdle(): boolean {
    return this.#job === null && !this.#isPausing && !this.#isEnded;
  }

  run(job: Job<Query, Page>): void {
    this.#job = job;
    if (this.#isStarted) this.#limitSearch();
    this.#worker.postMessage(job.query);
  }

  #onReady(): void {
    this.#isStarted = true;
    clearTimeout(this.#terminationTimer);
    if (this.#job !== null) this.#limitSearch();
  }

  #limitSearch(): void {
    const { searchMillisecondsMax } = this.#options;
    this.#startedAt = performance.now();
    const timeoutError = searchTimeoutError(searchMillisecondsMax);
    this.#terminationTimer = this.#terminateAfter(
      searchMillisecondsMax + GRACE_MILLISECONDS,
      timeoutError,
    );
  }

  #terminateAfter(milliseconds: number, error: AppError): NodeJS.Timeout {
    const terminate = () => {
      this.#finish(error);
      void this.#worker.terminate();
    };
    return setTimeout(terminate, milliseconds).unref();
  }

  async end(): Promise<void> {
    this.#finish(unavailable(STOPPING));
    await this.#worker.terminate();
  }

  #answer(response: SearchResponse<Page>): void {
    const job = this.#takeJob();
    if (job === null) return;
    if ("page" in response) job.resolve(response.page);
    else if ("damage" in response) job.reject(new DamageError(response.damage));
    else if ("bug" in response) job.reject(response.bug);
    else job.reject(refused(response.refusal));
    void this.#pause();
  }

  async #pause(): Promise<void> {
    const { pauseFactor = 0, onIdle } = this.#options;
    const searchMilliseconds = performance.now() - this.#startedAt;
    const pauseMilliseconds = Math.min(searchMilliseconds * pauseFactor, PAUSE_MILLISECONDS_MAX);
    if (pauseMilliseconds > 0) {
      this.#isPausing = true;
      await sleep(pauseMilliseconds, undefined, { ref: false });
      this.#isPausing = false;
    }
    onIdle(performance.now() - this.#startedAt);
  }

  #fail(error: unknown): void {
    this.#options.log.error({ err: error }, "A search thread failed and is replaced");
    this.#finish(unavailable(SEARCH_INTERRUPTED));
  }

  #finish(error: AppError): void {
    clearTimeout(this.#terminationTimer);
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#takeJob()?.reject(error);
    this.#options.onEnd();
  }

  #takeJob(): Job<Query, Page> | null {
    clearTimeout(this.#terminationTimer);
    const job = this.#job;
    this.#job = null;
    return job;
  }
}

const STOPPING: Wording = {
  en: "The service is stopping",
  de: "Der Dienst wird gerade angehalten",
};
const SEARCH_INTERRUPTED: Wording = {
  en: "The search was interrupted",
  de: "Die Suche wurde unterbrochen",
};

const THREAD_FILE = new URL("./search-thread.ts", import.meta.url);

function refused({
  code,
  wording,
  retryAfterSeconds,
}: Extract<SearchResponse, { refusal: unknown }>["refusal"]): AppError {
  return new AppError(code, wording, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

function busyError(): AppError {
  return unavailable({
    en: "More searches are under way than can be answered",
    de: "Gerade wird zu viel auf einmal gesucht",
  });
}

function unavailable(reason: Wording): AppError {
  const wording = {
    en: `${reason.en}: repeat the search a little later`,
    de: `${reason.de}: Suchen Sie gleich noch einmal`,
  };
  return new AppError("unavailable", wording, { retryAfterSeconds: RETRY_SECONDS });
}
