import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { AppError, type Wording } from "../errors.ts";
import { YOUNG_GENERATION_MEGABYTES_MAX } from "./thread-memory.ts";

/**
 * Limit on CPU time. A limit on elapsed time would refuse texts when the machine is busy. Rendering 1 MiB
 * takes a fraction of this time at worst.
 */
const TASK_CPU_SECONDS_MAX = 20;
const CHECK_MILLISECONDS = 1000;
const TASK_MEGABYTES_MAX = 768;
const IDLE_MILLISECONDS_MAX = 10_000;
const RETRY_SECONDS = 5;

/** Why a text cannot be processed; safe to show. */
export interface TextRejection {
  refusal: Wording;
}

/** The message that a thread sends for each task; `bug`: an error to rethrow. */
export type ThreadResult<Result> = Result | TextRejection | { bug: unknown };

interface Job<Task, Result> {
  task: Task;
  resolve(response: Result | TextRejection): void;
  reject(error: unknown): void;
}

interface ThreadOptions {
  /**
   * The script of the thread. The thread receives each task as a message, and answers with a
   * {@link ThreadResult}.
   */
  program: URL;
  /** The verb that messages use for the work of the thread, such as `render`. */
  verb: string;
  cpuSecondsMax?: number;
  megabytesMax?: number;
}

/**
 * Processes texts in a worker thread, one at a time. The thread starts with the first text, ends
 * when it is idle or exceeds its time or memory, and is replaced for the next text.
 */
export class LimitedThread<Task, Result extends object> {
  readonly #program: URL;
  readonly #verb: string;
  readonly #cpuSecondsMax: number;
  readonly #megabytesMax: number;
  readonly #queue: Job<Task, Result>[] = [];
  #thread: Worker | null = null;
  #running: Job<Task, Result> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    program,
    verb,
    cpuSecondsMax = TASK_CPU_SECONDS_MAX,
    megabytesMax = TASK_MEGABYTES_MAX,
  }: ThreadOptions) {
    this.#program = program;
    this.#verb = verb;
    this.#cpuSecondsMax = cpuSecondsMax;
    this.#megabytesMax = megabytesMax;
  }

  /** Number of texts that wait for the thread. */
  get queued(): number {
    return this.#queue.length;
  }

  /** @throws {AppError} `unavailable` when the thread fails; it is replaced for the next text. */
  async run(task: Task): Promise<Result | TextRejection> {
    return await new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running !== null) return;
    const job = this.#queue.shift();
    clearTimeout(this.#timer);
    if (job === undefined) {
      this.#timer = setTimeout(() => this.#end(), IDLE_MILLISECONDS_MAX).unref();
      return;
    }
    this.#running = job;
    this.#thread ??= this.#start();
    const thread = this.#thread;
    thread.ref();
    thread.postMessage(job.task);
    void this.#watch(job, thread);
  }

  /** Ends the thread when the job takes too much CPU time. */
  async #watch(job: Job<Task, Result>, thread: Worker): Promise<void> {
    const start = await threadCpuSeconds(thread);
    for (;;) {
      await sleep(CHECK_MILLISECONDS, undefined, { ref: false });
      if (this.#running !== job || this.#thread !== thread) return;
      if ((await threadCpuSeconds(thread)) - start > this.#cpuSecondsMax) break;
    }
    if (this.#running !== job) return;
    this.#end();
    const limit = `${this.#cpuSecondsMax} seconds`;
    this.#settle({
      refusal: {
        en: `The text takes more than ${limit} to ${this.#verb}; split it`,
        de: "Diesen Text zu verarbeiten dauert zu lange: Teilen Sie ihn auf",
      },
    });
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      name: this.#verb,
      resourceLimits: {
        maxOldGenerationSizeMb: this.#megabytesMax,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES_MAX,
      },
    });
    thread.on("message", (response: ThreadResult<Result>) => {
      if (thread === this.#thread) this.#settle(response);
    });
    thread.on("error", (error) => this.#fail(thread, error));
    thread.on("exit", () =>
      this.#fail(thread, new Error(`The thread to ${this.#verb} texts ended`)),
    );
    return thread;
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = null;
    void thread?.terminate();
  }

  #fail(thread: Worker, cause: unknown): void {
    if (thread !== this.#thread) return;
    this.#thread = null;
    if (isOutOfMemory(cause)) {
      this.#settle({
        refusal: {
          en: `The text takes too much memory to ${this.#verb}; split it`,
          de: "Diesen Text zu verarbeiten braucht zu viel Speicher: Teilen Sie ihn auf",
        },
      });
      return;
    }
    const job = this.#running;
    this.#running = null;
    job?.reject(
      new AppError(
        "unavailable",
        {
          en: `Cannot ${this.#verb} the text; try again`,
          de: "Der Text lässt sich gerade nicht verarbeiten: Versuchen Sie es noch einmal",
        },
        {
          retryAfterSeconds: RETRY_SECONDS,
          cause,
        },
      ),
    );
    this.#next();
  }

  #settle(response: ThreadResult<Result>): void {
    const job = this.#running;
    this.#running = null;
    this.#thread?.unref();
    if (job !== null) {
      if ("bug" in response) job.reject(response.bug);
      else job.resolve(response);
    }
    this.#next();
  }
}

/** User and system time of a thread; 0 while the thread starts, and after it has ended. */
async function threadCpuSeconds(thread: Worker): Promise<number> {
  try {
    const { user, system } = await thread.cpuUsage();
    return (user + system) / 1e6;
  } catch {
    return 0;
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}
