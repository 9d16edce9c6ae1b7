import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { AppError } from "../../../errors.ts";
import type { RenderingReply, RenderingTask } from "./rendering-thread.ts";

/** CPU time, so that a busy machine refuses no text; several times what the costliest of 1 MiB takes. */
const TASK_CPU_SECONDS_MAX = 20;
const CHECK_MILLISECONDS = 1000;
const MEGABYTES_MAX = 768;
const IDLE_MILLISECONDS_MAX = 10_000;
const RETRY_SECONDS = 5;
const PROGRAM = new URL("./rendering-thread.ts", import.meta.url);

interface Job {
  task: RenderingTask;
  resolve(reply: RenderingReply): void;
  reject(error: unknown): void;
}

/**
 * Renders texts in a worker thread, one after the other. The thread starts with the first text, ends
 * when it is idle or exceeds its time or memory, and is replaced when the next text comes.
 */
export class RenderingWorker {
  readonly #program: URL;
  readonly #cpuSecondsMax: number;
  readonly #queue: Job[] = [];
  #thread: Worker | null = null;
  #running: Job | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** Tests replace the thread's program and its time limit. */
  constructor({ program = PROGRAM, cpuSecondsMax = TASK_CPU_SECONDS_MAX } = {}) {
    this.#program = program;
    this.#cpuSecondsMax = cpuSecondsMax;
  }

  /** Number of texts that wait for the thread. */
  get queued(): number {
    return this.#queue.length;
  }

  /** @throws {AppError} `unavailable` when the thread fails; it is replaced for the next text. */
  async run(task: RenderingTask): Promise<RenderingReply> {
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
  async #watch(job: Job, thread: Worker): Promise<void> {
    const start = await cpuSecondsOf(thread);
    for (;;) {
      await sleep(CHECK_MILLISECONDS, undefined, { ref: false });
      if (this.#running !== job || this.#thread !== thread) return;
      if ((await cpuSecondsOf(thread)) - start > this.#cpuSecondsMax) break;
    }
    if (this.#running !== job) return;
    this.#end();
    const seconds = this.#cpuSecondsMax;
    this.#settle({ refusal: `The text takes more than ${seconds} seconds to render; split it` });
  }

  #start(): Worker {
    const thread = new Worker(this.#program, {
      name: "rendering",
      resourceLimits: { maxOldGenerationSizeMb: MEGABYTES_MAX },
    });
    thread.on("message", (reply: RenderingReply) => {
      if (thread === this.#thread) this.#settle(reply);
    });
    thread.on("error", (error) => this.#fail(thread, error));
    thread.on("exit", () => this.#fail(thread, new Error("The rendering thread ended")));
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
      this.#settle({ refusal: "The text takes too much memory to render; split it" });
      return;
    }
    const job = this.#running;
    this.#running = null;
    job?.reject(
      new AppError("unavailable", "The text could not be rendered; try again", {
        retryAfterSeconds: RETRY_SECONDS,
        cause,
      }),
    );
    this.#next();
  }

  #settle(reply: RenderingReply): void {
    const job = this.#running;
    this.#running = null;
    this.#thread?.unref();
    if (job !== null) {
      if ("bug" in reply) job.reject(reply.bug);
      else job.resolve(reply);
    }
    this.#next();
  }
}

/** User and system time; 0 while the thread starts, and once it has ended. */
async function cpuSecondsOf(thread: Worker): Promise<number> {
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
