import { Worker } from "node:worker_threads";
import type { Log } from "../../log.ts";
import type { BackgroundWorker } from "../../work/queue-worker.ts";
import type { DamagedPlace } from "../sqlite/damage.ts";
import type { Damages } from "./damages.ts";

const PROGRAM = new URL("./sweep-thread.ts", import.meta.url);
/** Rest after a sweep: at least this long, and at least this many times as long as the sweep took. */
const PAUSE_SECONDS_MIN = 40;
const PAUSE_FACTOR = 10;

export interface SweepThreadData {
  file: string;
  /** Which part is damaged if the file cannot be read at all. */
  holds: "the record" | "the reading copy";
}

export type SweepReport = { kind: "damage"; place: DamagedPlace } | { kind: "done" };

/**
 * Checks the store repeatedly, in a thread that works a fifth of the time. A store of 50 MB takes
 * seconds and is checked once a minute.
 */
export class Sweep implements BackgroundWorker {
  readonly #data: SweepThreadData;
  readonly #damages: Damages;
  readonly #log: Log;
  #thread: Worker | null = null;
  #nextAt = 0;
  #completed = 0;

  constructor(
    file: string,
    { holds, damages, log }: Pick<SweepThreadData, "holds"> & { damages: Damages; log: Log },
  ) {
    this.#data = { file, holds };
    this.#damages = damages;
    this.#log = log;
  }

  /** Sweeps completed since the start of this process. */
  get completed(): number {
    return this.#completed;
  }

  async work(): Promise<void> {
    if (this.#thread !== null || performance.now() < this.#nextAt) return;
    const begun = performance.now();
    const thread = new Worker(PROGRAM, { workerData: this.#data, name: "sweep" });
    this.#thread = thread;
    thread.unref();
    let found = 0;
    thread.on("message", (news: SweepReport) => {
      if (news.kind === "done") this.#completed += 1;
      else {
        found += 1;
        this.#damages.note(news.place);
      }
    });
    thread.on("error", (err) => this.#log.error({ err }, "The check of the store failed"));
    thread.on("exit", () => {
      const seconds = (performance.now() - begun) / 1000;
      this.#log.debug({ seconds, found }, "The store was checked");
      this.#thread = null;
      const pauseSeconds = Math.max(PAUSE_SECONDS_MIN, PAUSE_FACTOR * seconds);
      this.#nextAt = performance.now() + pauseSeconds * 1000;
    });
  }

  async stop(): Promise<void> {
    this.#nextAt = Number.POSITIVE_INFINITY;
    await this.#thread?.terminate();
  }
}
