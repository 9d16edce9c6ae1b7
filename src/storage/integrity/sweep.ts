import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import { YOUNG_GENERATION_MEGABYTES_MAX } from "../../work/thread-memory.ts";
import type { DamageLocation } from "../sqlite/damage.ts";
import type { DamageRegister } from "./damage-register.ts";

const THREAD_FILE = new URL("./sweep-thread.ts", import.meta.url);
/** Delay of the first sweep, because the start of the server needs the processor. */
const FIRST_SWEEP_DELAY_SECONDS = 10;
/** Pause after each sweep, unless `PAUSE_FACTOR` gives a longer one. */
const PAUSE_SECONDS_MIN = 40;
/** The pause lasts at least this many times as long as the sweep. */
const PAUSE_FACTOR = 10;

export interface SweepThreadData {
  file: string;
  /** Content of the file. If the file cannot be read at all, this part is reported as damaged. */
  content: "the record" | "the reading copy";
}

interface SweepParts extends Pick<SweepThreadData, "content"> {
  damages: DamageRegister;
  log: Log;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
}

/**
 * Checks the store repeatedly, in a thread that works a fifth of the time. The check of a 50 MB
 * store takes seconds and runs once a minute.
 */
export class FileDamageSweep implements BackgroundWorker {
  readonly #data: SweepThreadData;
  readonly #damages: DamageRegister;
  readonly #log: Log;
  readonly #monotonic: () => number;
  #thread: Worker | null = null;
  #nextAt: number;

  constructor(file: string, { content, damages, log, monotonic }: SweepParts) {
    this.#data = { file, content };
    this.#damages = damages;
    this.#log = log;
    this.#monotonic = monotonic;
    this.#nextAt = monotonic() + FIRST_SWEEP_DELAY_SECONDS * 1000;
  }

  async work(): Promise<void> {
    if (this.#thread !== null || this.#monotonic() < this.#nextAt) return;
    const startedAt = this.#monotonic();
    const thread = new Worker(THREAD_FILE, {
      workerData: this.#data,
      name: "sweep",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEGABYTES_MAX },
    });
    this.#thread = thread;
    thread.unref();
    let found = 0;
    thread.on("message", (place: DamageLocation) => {
      found += 1;
      this.#damages.note(place);
    });
    thread.on("error", (err) => this.#log.error({ err }, "The check of the store failed"));
    thread.on("exit", () => {
      const seconds = (this.#monotonic() - startedAt) / 1000;
      this.#log.debug({ seconds, found }, "The store was checked");
      this.#thread = null;
      const pauseSeconds = Math.max(PAUSE_SECONDS_MIN, PAUSE_FACTOR * seconds);
      this.#nextAt = this.#monotonic() + pauseSeconds * 1000;
    });
  }

  async stop(): Promise<void> {
    this.#nextAt = Number.POSITIVE_INFINITY;
    await this.#thread?.terminate();
  }
}
