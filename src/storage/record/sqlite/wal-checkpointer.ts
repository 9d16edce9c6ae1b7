import type { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";

/**
 * A checkpoint starts once this many pages of the log are missing from the store's file. A bulk load writes
 * that many pages in half a second. Single changes write that many in a day.
 */
const PAGES_MIN = 4000;
/**
 * Once the log has this many pages, the next transaction waits for a checkpoint. SQLite reuses the space of
 * the log only if a transaction begins when all of the log is checkpointed.
 */
const LOG_PAGES_MAX = 16_000;
/** Two, because a checkpoint that is already running may have begun before the last commit. */
const CHECKPOINTS_AWAITED = 2;
/** Minimum interval between checks: reading the log's size costs as much as a small change. */
const CHECK_EVERY_MILLISECONDS = 50;
/** The idle thread ends after this time to free its memory. */
const IDLE_MILLISECONDS = 10_000;
/**
 * Longest delay of a checkpoint of fewer than `PAGES_MIN` pages. The delay lets frequent small changes
 * share a checkpoint.
 */
const CHECKPOINT_WITHIN_MILLISECONDS = 2000;
const THREAD_FILE = new URL("./wal-checkpoint-thread.ts", import.meta.url);

/** Data passed to the worker thread. `syncs`: whether checkpoints sync to disk. */
export interface CheckpointThreadData {
  file: string;
  syncs: boolean;
}

/**
 * Checkpoints SQLite's write-ahead log in a worker thread, so that requests do not wait for
 * checkpoints. Checkpoints a log of `PAGES_MIN` pages immediately, and a shorter log within two
 * seconds. The file of an idle store is therefore complete. If the thread falls behind, SQLite
 * checkpoints by itself (`wal_autocheckpoint`).
 */
export class WalCheckpointer {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #syncs: boolean;
  readonly #log: StatementSync;
  #thread: Worker | null = null;
  #isRunning = false;
  /** Resolved when the running checkpoint ends. */
  #end = Promise.withResolvers<void>();
  #isLong = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #idleTimer: NodeJS.Timeout | undefined;
  #dueTimer: NodeJS.Timeout | undefined;

  /**
   * Schedules a checkpoint, because an earlier process may have left pages in the log.
   *
   * @param syncs whether checkpoints sync to disk.
   */
  constructor(db: DatabaseSync, file: string, { syncs = true }: { syncs?: boolean } = {}) {
    this.#db = db;
    this.#file = file;
    this.#syncs = syncs;
    this.#log = db.prepare("PRAGMA wal_checkpoint(NOOP)");
    this.#schedule();
  }

  /** Call after each commit. */
  committed(): void {
    this.#schedule();
    const now = performance.now();
    if (now - this.#checkedAt < CHECK_EVERY_MILLISECONDS) return;
    this.#checkedAt = now;
    const { pages, waiting } = this.#logState();
    // Set even while a checkpoint runs: it may be slow, and the log keeps growing.
    this.#isLong = pages >= LOG_PAGES_MAX;
    if (waiting >= PAGES_MIN && !this.#isRunning) this.#checkpoint();
  }

  /**
   * Call before each transaction. If the log is long, resolves after a checkpoint; otherwise, resolves
   * at once. The log can stay long even after a checkpoint if a reader still needs an older state.
   */
  async untilShort(): Promise<void> {
    if (!this.#isLong) return;
    this.#isLong = false;
    for (let count = 0; count < CHECKPOINTS_AWAITED; count += 1) {
      if (this.#logState().waiting === 0) return;
      if (!this.#isRunning) this.#checkpoint();
      await this.#end.promise;
    }
  }

  /** Runs a last checkpoint, which does not wait for other processes that use the file. */
  async close(): Promise<void> {
    this.#isRunning = true;
    clearTimeout(this.#idleTimer);
    clearTimeout(this.#dueTimer);
    await this.#thread?.terminate();
    try {
      this.#db.exec("PRAGMA wal_checkpoint(PASSIVE)");
    } catch {
      // This checkpoint can fail, for example on a full disk; the data is safe in the log.
    }
  }

  #schedule(): void {
    this.#dueTimer ??= setTimeout(
      () => this.#checkpointRest(),
      CHECKPOINT_WITHIN_MILLISECONDS,
    ).unref();
  }

  #checkpointRest(): void {
    this.#dueTimer = undefined;
    try {
      // SQLite refuses checkpoints inside a transaction.
      const mustWait = this.#isRunning || this.#db.isTransaction;
      if (mustWait) this.#schedule();
      else if (this.#logState().waiting > 0) this.#checkpoint();
    } catch {
      // A timer callback must not throw. The next read reports a damaged file.
      this.#schedule();
    }
  }

  /**
   * Returns the length of the log in pages. `waiting`: the number of pages that are not in the store's
   * file yet.
   */
  #logState(): { pages: number; waiting: number } {
    const { log, checkpointed } = this.#log.get() ?? {};
    return { pages: Number(log), waiting: Number(log) - Number(checkpointed) };
  }

  #checkpoint(): void {
    this.#isRunning = true;
    clearTimeout(this.#idleTimer);
    this.#thread ??= this.#startThread();
    this.#thread.postMessage(null);
  }

  #startThread(): Worker {
    const workerData: CheckpointThreadData = { file: this.#file, syncs: this.#syncs };
    const thread = new Worker(THREAD_FILE, { workerData, name: "wal checkpoint" });
    thread.unref();
    thread.on("message", () => this.#checkpointEnded(thread));
    // The next commit starts another thread; until then SQLite checkpoints by itself.
    thread.on("error", () => this.#threadEnded(thread));
    thread.on("exit", () => this.#threadEnded(thread));
    return thread;
  }

  #checkpointEnded(thread: Worker): void {
    this.#ended();
    // Schedules another checkpoint, because this one may have left pages that a reader still needs.
    this.#schedule();
    this.#idleTimer = setTimeout(() => {
      this.#threadEnded(thread);
      void thread.terminate();
    }, IDLE_MILLISECONDS).unref();
  }

  #threadEnded(thread: Worker): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#ended();
  }

  #ended(): void {
    this.#isRunning = false;
    this.#end.resolve();
    this.#end = Promise.withResolvers();
  }
}
