import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

/** A load writes so much in half a second; single changes in a day. */
const PAGES_MIN = 4000;
/** A look costs as much as a small change. */
const LOOK_EVERY_MILLISECONDS = 50;
/** So long without need, and the thread gives its memory back. */
const IDLE_MILLISECONDS = 10_000;
const PROGRAM = new URL("./log-copying-thread.ts", import.meta.url);

/**
 * Has what stands in SQLite's log copied into the file by a thread of its own, so that no request
 * waits for it. Should the thread not keep up, SQLite copies by itself (`wal_autocheckpoint`).
 */
export class LogCopying {
  readonly #file: string;
  readonly #log: StatementSync;
  #thread: Worker | null = null;
  #isCopying = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #idle: NodeJS.Timeout | undefined;

  constructor(db: DatabaseSync, file: string) {
    this.#file = file;
    this.#log = db.prepare("PRAGMA wal_checkpoint(NOOP)");
  }

  /** To be called after each commit. */
  committed(): void {
    const now = performance.now();
    if (this.#isCopying || now - this.#lookedAt < LOOK_EVERY_MILLISECONDS) return;
    this.#lookedAt = now;
    const { log, checkpointed } = this.#log.get() ?? {};
    if (Number(log) - Number(checkpointed) < PAGES_MIN) return;
    this.#isCopying = true;
    clearTimeout(this.#idle);
    this.#thread ??= this.#started();
    this.#thread.postMessage(null);
  }

  async close(): Promise<void> {
    this.#isCopying = true;
    clearTimeout(this.#idle);
    await this.#thread?.terminate();
  }

  #started(): Worker {
    const thread = new Worker(PROGRAM, { workerData: this.#file, name: "log copying" });
    thread.unref();
    thread.on("message", () => this.#copied(thread));
    // Whatever befalls it, SQLite copies by itself, and the next commit starts another.
    thread.on("error", () => this.#ended(thread));
    thread.on("exit", () => this.#ended(thread));
    return thread;
  }

  #copied(thread: Worker): void {
    this.#isCopying = false;
    this.#idle = setTimeout(() => {
      this.#ended(thread);
      void thread.terminate();
    }, IDLE_MILLISECONDS).unref();
  }

  #ended(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#isCopying = false;
  }
}
