import { isTransientError } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedErrorLogger } from "../repeated-error-logger.ts";

/** A queue of tasks in a store, shared by all processes. */
export interface TaskQueue<Task> {
  /** For log lines such as "A mail failed". */
  readonly taskName: string;
  /** Tasks that a process runs concurrently. */
  readonly concurrencyMax: number;
  /** Time that running tasks get to finish after a stop. */
  readonly graceMilliseconds: number;
  /** Runs on every tick, before tasks are claimed. */
  prepare?(): Promise<void>;
  /** Claims up to `limit` due tasks. Claims expire, so that tasks of a dead process run elsewhere. */
  claim(limit: number): Promise<readonly Task[]>;
  /**
   * Runs a task and records its outcome or next attempt. An aborted task records nothing: it runs again
   * when its claim expires.
   */
  run(task: Task, stopping: AbortSignal): Promise<void>;
}

/** A worker that the clock runs regularly and a shutdown stops. */
export interface BackgroundWorker {
  /** Starts due tasks without waiting for them. */
  work(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Runs the tasks of a queue, in any number of processes. A task can run more than once: tasks of a dead
 * process are claimed again.
 */
export class QueueWorker<Task> implements BackgroundWorker {
  readonly #queue: TaskQueue<Task>;
  readonly #repeated: RepeatedErrorLogger;
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  #claiming: Promise<void> | null = null;
  #hasFreeSlots = false;
  #isStopping = false;

  constructor(queue: TaskQueue<Task>, log: Log) {
    this.#queue = queue;
    this.#repeated = new RepeatedErrorLogger(log);
  }

  /** Claims and starts due tasks without waiting for them. @throws errors of the queue's store. */
  async work(): Promise<void> {
    if (this.#isStopping) return;
    await this.#queue.prepare?.();
    await this.#fill();
  }

  /** Resolves when no task is running or being claimed. */
  async settled(): Promise<void> {
    while (this.#running.size > 0 || this.#claiming !== null) {
      await Promise.allSettled([...this.#running, this.#claiming]);
    }
  }

  /** Stops claiming; aborts tasks that still run after the grace period. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const { graceMilliseconds } = this.#queue;
    if (graceMilliseconds === 0) this.#stopping.abort();
    const graceTimer = setTimeout(() => this.#stopping.abort(), graceMilliseconds);
    await this.settled();
    clearTimeout(graceTimer);
  }

  /** Claims tasks for all free slots. Slots freed during a claim are filled by another claim. */
  async #fill(): Promise<void> {
    this.#hasFreeSlots = true;
    this.#claiming ??= this.#claimAll().finally(() => {
      this.#claiming = null;
    });
    await this.#claiming;
  }

  async #claimAll(): Promise<void> {
    while (this.#hasFreeSlots && !this.#isStopping) {
      this.#hasFreeSlots = false;
      const free = this.#queue.concurrencyMax - this.#running.size;
      if (free <= 0) return;
      for (const task of await this.#queue.claim(free)) this.#start(task);
    }
  }

  #start(task: Task): void {
    const ended = this.#run(task).finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    // Starts the next task now rather than on the next tick.
    void ended.then(() => this.#reportFault(() => this.#fill()));
  }

  async #run(task: Task): Promise<void> {
    await this.#reportFault(() => this.#queue.run(task, this.#stopping.signal));
  }

  /**
   * Runs `action` and logs its failure, except a transient one, which the clock reports. Failed tasks run
   * again when their claim expires.
   */
  async #reportFault(action: () => Promise<void>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!isTransientError(error))
        this.#repeated.failed(`A ${this.#queue.taskName} failed`, error);
    }
  }
}
