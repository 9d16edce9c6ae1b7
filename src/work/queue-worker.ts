import { isTransient } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedFaults } from "../repeated-faults.ts";

/** Work that waits in a store until some process takes it. */
export interface Queue<Task> {
  /** For the log, as in "A mail failed". */
  readonly taskName: string;
  /** How many tasks a process runs at once. */
  readonly concurrencyMax: number;
  /** How long running tasks may go on after a stop before they are aborted. */
  readonly graceMilliseconds: number;
  /** Runs once a tick, before tasks are claimed. */
  prepare?(): Promise<void>;
  /**
   * Takes up to `limit` due tasks for this process. A claim expires, so that another process takes
   * over the tasks of one that died.
   */
  claim(limit: number): Promise<readonly Task[]>;
  /**
   * Runs a task and records how it ended, or when to try it again. An aborted task records nothing:
   * its claim expires and it runs again.
   */
  run(task: Task, stopping: AbortSignal): Promise<void>;
}

/** A worker as the clock and the shutdown see it. */
export interface BackgroundWorker {
  /** Starts what is due without waiting for it. */
  work(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs the tasks of a queue, in any number of processes side by side. Every task runs at least once:
 * one whose process dies is claimed again.
 */
export class QueueWorker<Task> implements BackgroundWorker {
  readonly #queue: Queue<Task>;
  readonly #repeated: RepeatedFaults;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #claiming: Promise<void> | null = null;
  #hasFreed = false;
  #isStopping = false;

  constructor(queue: Queue<Task>, log: Log) {
    this.#queue = queue;
    this.#repeated = new RepeatedFaults(log);
  }

  /** Claims what is due and starts it; waits for no task. @throws what the queue's store throws. */
  async work(): Promise<void> {
    if (this.#isStopping) return;
    await this.#queue.prepare?.();
    await this.#fill();
  }

  /** Resolves when no task runs and none is being claimed. */
  async settled(): Promise<void> {
    while (this.#running.size > 0 || this.#claiming !== null) {
      await Promise.allSettled([...this.#running, this.#claiming]);
    }
  }

  /** Claims nothing more; aborts what still runs after the queue's grace period. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const { graceMilliseconds } = this.#queue;
    if (graceMilliseconds === 0) this.#stopping.abort();
    const late = setTimeout(() => this.#stopping.abort(), graceMilliseconds);
    await this.settled();
    clearTimeout(late);
  }

  /** Fills the free places; a place that is freed during a claim is filled by the next one. */
  async #fill(): Promise<void> {
    this.#hasFreed = true;
    this.#claiming ??= this.#claimAll().finally(() => {
      this.#claiming = null;
    });
    await this.#claiming;
  }

  async #claimAll(): Promise<void> {
    while (this.#hasFreed && !this.#isStopping) {
      this.#hasFreed = false;
      const free = this.#queue.concurrencyMax - this.#running.size;
      if (free <= 0) return;
      for (const task of await this.#queue.claim(free)) this.#start(task);
    }
  }

  #start(task: Task): void {
    const ended = this.#run(task).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    // The next task starts when one ends, not at the next tick.
    void ended.then(() => this.#reportFault(() => this.#fill()));
  }

  async #run(task: Task): Promise<void> {
    await this.#reportFault(() => this.#queue.run(task, this.#stopping.signal));
  }

  /** The clock reports a store that is away; a task that failed runs again when its claim expires. */
  async #reportFault(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isTransient(error)) this.#repeated.met(`A ${this.#queue.taskName} failed`, error);
    }
  }
}
