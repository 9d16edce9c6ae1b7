import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

/** A load writes this much in half a second; single changes in a day. */
const PAGES_MIN = 4000;
/** A look at the log costs as much as a small change. */
const LOOK_EVERY_MILLISECONDS = 50;
/** After this time without work the thread ends, which frees its memory. */
const IDLE_MILLISECONDS = 10_000;
/** Fewer pages than `PAGES_MIN` wait this long, so that frequent small changes are copied together. */
const COPY_WITHIN_MILLISECONDS = 2000;
const PROGRAM = new URL("./log-copying-thread.ts", import.meta.url);

/**
 * Copies SQLite's log into the file in a thread, so that no request waits for it: at once when the log
 * is long, otherwise within seconds, so that the file alone is complete when nothing is being written.
 * If the thread does not keep up, SQLite copies by itself (`wal_autocheckpoint`).
 */
export class LogCopying {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #log: StatementSync;
  #thread: Worker | null = null;
  #isCopying = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #idle: NodeJS.Timeout | undefined;
  #due: NodeJS.Timeout | undefined;

  /** Copies what an earlier process left in the log, too. */
  constructor(db: DatabaseSync, file: string) {
    this.#db = db;
    this.#file = file;
    this.#log = db.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#schedule();
  }

  /** Call after each commit. */
  committed(): void {
    this.#schedule();
    const now = performance.now();
    if (this.#isCopying || now - this.#lookedAt < LOOK_EVERY_MILLISECONDS) return;
    this.#lookedAt = now;
    if (this.#pagesWaiting() >= PAGES_MIN) this.#copy();
  }

  /** Copies the rest: other processes may keep the file open, so that SQLite does not. */
  async close(): Promise<void> {
    this.#isCopying = true;
    clearTimeout(this.#idle);
    clearTimeout(this.#due);
    await this.#thread?.terminate();
    try {
      this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // What cannot be copied now, as on a full disk, is safe in the log.
    }
  }

  #schedule(): void {
    this.#due ??= setTimeout(() => this.#copyRest(), COPY_WITHIN_MILLISECONDS).unref();
  }

  #copyRest(): void {
    this.#due = undefined;
    try {
      // SQLite refuses to look at the log within a transaction.
      const mustWait = this.#isCopying || this.#db.isTransaction;
      if (mustWait) this.#schedule();
      else if (this.#pagesWaiting() > 0) this.#copy();
    } catch {
      // An exception in a timer would end the process; whoever reads next reports a damaged file.
      this.#schedule();
    }
  }

  #pagesWaiting(): number {
    const { log, checkpointed } = this.#log.get() ?? {};
    return Number(log) - Number(checkpointed);
  }

  #copy(): void {
    this.#isCopying = true;
    clearTimeout(this.#idle);
    this.#thread ??= this.#started();
    this.#thread.postMessage(null);
  }

  #started(): Worker {
    const thread = new Worker(PROGRAM, { workerData: this.#file, name: "log copying" });
    thread.unref();
    thread.on("message", () => this.#copied(thread));
    // SQLite copies by itself meanwhile, and the next commit starts another thread.
    thread.on("error", () => this.#ended(thread));
    thread.on("exit", () => this.#ended(thread));
    return thread;
  }

  #copied(thread: Worker): void {
    this.#isCopying = false;
    // Pages that a reader still needed are left.
    this.#schedule();
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
