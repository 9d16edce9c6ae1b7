import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { IndexWriter, TextToIndex } from "../../search/postings/index-writer.ts";
import { YOUNG_GENERATION_MEGABYTES_MAX } from "../../work/thread-memory.ts";

/**
 * Limit on the batches queued for the thread, because all of them are in memory. With a lower limit, the
 * two threads would wait for each other.
 */
const QUEUED_MAX = 3;
const THREAD_FILE = new URL("./index-build-thread.ts", import.meta.url);

export type IndexBuildTask =
  | { kind: "write"; items: readonly TextToIndex[] }
  | { kind: "create indexes"; copy: string }
  | { kind: "move"; copy: string };

/**
 * Does two tasks of building a large copy in a worker thread: writes the search index into a separate file,
 * and runs the SQLite statements that block for many seconds.
 */
export class IndexBuildWorker implements IndexWriter, AsyncDisposable {
  readonly #thread: Worker;
  #queued = 0;
  #failure: unknown = null;

  /** `file`: where the search index is written until {@link IndexBuildWorker.move}. */
  constructor(file: string) {
    this.#thread = new Worker(THREAD_FILE, {
      workerData: file,
      name: "building",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES_MAX },
    });
    this.#thread.on("message", () => {
      this.#queued -= 1;
    });
    // `#wait` throws the error.
    this.#thread.on("error", (error) => {
      this.#failure = error;
    });
  }

  *write(items: readonly TextToIndex[]): Generator<void> {
    this.#send({ kind: "write", items });
    yield;
  }

  remove(row: number): void {
    throw new Error(`A new copy has no row ${row} to remove`);
  }

  *finish(): Generator<void> {}

  discard(): void {}

  /** Resolves when the queue has room. */
  async hasRoom(): Promise<void> {
    await this.#wait({ queuedMax: QUEUED_MAX });
  }

  /** No other connection may write to the copy while this runs. */
  async createIndexes(copy: string, signal: AbortSignal): Promise<void> {
    this.#send({ kind: "create indexes", copy });
    await this.#wait({ queuedMax: 0, signal });
  }

  /** Moves the search index into the copy; call last. No other connection may have the copy open. */
  async move(copy: string, signal: AbortSignal): Promise<void> {
    this.#send({ kind: "move", copy });
    await this.#wait({ queuedMax: 0, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate();
  }

  #send(task: IndexBuildTask): void {
    this.#queued += 1;
    this.#thread.postMessage(task);
  }

  async #wait({ queuedMax, signal }: { queuedMax: number; signal?: AbortSignal }): Promise<void> {
    while (this.#queued > queuedMax) {
      if (this.#failure !== null) throw this.#failure;
      await once(this.#thread, "message", { signal });
    }
  }
}
