import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import { RepeatedErrorLogger } from "../../repeated-error-logger.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import { YOUNG_GENERATION_MEGABYTES_MAX } from "../../work/thread-memory.ts";
import type { EmbeddingEndpoint } from "./endpoint.ts";
import type { IndexerLogLine } from "./indexer.ts";

const THREAD_FILE = new URL("./indexing-thread.ts", import.meta.url);
/** Grace period for the thread to stop. The next thread repeats unfinished work. */
const STOP_MILLISECONDS_MAX = 3000;
const RESTART_MILLISECONDS = 60_000;

export interface IndexingThreadData {
  /** Path of the store. */
  file: string;
  endpoint: EmbeddingEndpoint;
}

/** Runs the indexer in a worker thread, so that it delays neither pages nor scheduled tasks. */
export class VectorIndexingWorker implements BackgroundWorker {
  readonly #data: IndexingThreadData;
  readonly #log: Log;
  readonly #threadFaults: RepeatedErrorLogger;
  #thread: Worker | null = null;
  #isStopping = false;
  #nextStartAt = 0;

  constructor(data: IndexingThreadData, log: Log) {
    this.#data = data;
    this.#log = log;
    this.#threadFaults = new RepeatedErrorLogger(log, {
      quietMilliseconds: 2 * RESTART_MILLISECONDS,
    });
  }

  /** Starts the thread unless it is already running. Does not wait for it. */
  async work(): Promise<void> {
    if (this.#thread !== null || this.#isStopping || performance.now() < this.#nextStartAt) return;
    this.#nextStartAt = performance.now() + RESTART_MILLISECONDS;
    const thread = new Worker(THREAD_FILE, {
      workerData: this.#data,
      name: "embedding",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES_MAX },
    });
    this.#thread = thread;
    thread.unref();
    thread.on("message", ({ level, message, fields }: IndexerLogLine) =>
      this.#log[level](fields, message),
    );
    thread.on("error", (error) =>
      this.#threadFaults.failed("Making vectors failed and begins again in a minute", error),
    );
    thread.on("exit", () => {
      this.#thread = null;
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
    thread.ref();
    thread.postMessage("stop");
    const terminationTimer = setTimeout(() => void thread.terminate(), STOP_MILLISECONDS_MAX);
    await ended;
    clearTimeout(terminationTimer);
  }
}
