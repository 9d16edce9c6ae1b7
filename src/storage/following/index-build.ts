import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { IndexedText, IndexWriter } from "../../search/postings/index-writer.ts";

/** So many blocks may wait for the thread, and are held in memory; with fewer, each waits for the other. */
const BEHIND_MAX = 3;
/** V8 would take three times as much for what is new, to no use. */
const YOUNG_MEGABYTES = 16;
const PROGRAM = new URL("./index-build-thread.ts", import.meta.url);

export type IndexBuildTask =
  | { kind: "write"; items: readonly IndexedText[] }
  | { kind: "create indexes"; copy: string }
  | { kind: "move"; copy: string };

/**
 * Has a thread of its own do a part of making a large copy: it writes the search index in a file of its
 * own, and does what SQLite does in one go for many seconds.
 */
export class IndexBuild implements IndexWriter, AsyncDisposable {
  readonly #thread: Worker;
  #behind = 0;
  #failure: unknown = null;

  /** `file`: where the search index is written until it is moved. */
  constructor(file: string) {
    this.#thread = new Worker(PROGRAM, {
      workerData: file,
      name: "building",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    this.#thread.on("message", () => {
      this.#behind -= 1;
    });
    // Whoever waits for it next is told.
    this.#thread.on("error", (error) => {
      this.#failure = error;
    });
  }

  *write(items: readonly IndexedText[]): Generator<void> {
    this.#tell({ kind: "write", items });
    yield;
  }

  remove(row: number): void {
    throw new Error(`A new copy has no row ${row} to remove`);
  }

  *finish(): Generator<void> {}

  discard(): void {}

  /** Resolves when so little waits for the thread that more may be written. */
  async hasRoom(): Promise<void> {
    await this.#wait({ behindMax: BEHIND_MAX });
  }

  /** Nobody may write to the copy meanwhile. */
  async createIndexes(copy: string, signal: AbortSignal): Promise<void> {
    this.#tell({ kind: "create indexes", copy });
    await this.#wait({ behindMax: 0, signal });
  }

  /** Moves the search index to where it belongs; call last. Nobody may have the copy open meanwhile. */
  async move(copy: string, signal: AbortSignal): Promise<void> {
    this.#tell({ kind: "move", copy });
    await this.#wait({ behindMax: 0, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate();
  }

  #tell(task: IndexBuildTask): void {
    this.#behind += 1;
    this.#thread.postMessage(task);
  }

  async #wait({ behindMax, signal }: { behindMax: number; signal?: AbortSignal }): Promise<void> {
    while (this.#behind > behindMax) {
      if (this.#failure !== null) throw this.#failure;
      await once(this.#thread, "message", { signal });
    }
  }
}
