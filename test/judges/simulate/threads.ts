import { EventEmitter } from "node:events";
import { checkpoint } from "./disk.ts";
import type { SimulatedProcess } from "./world.ts";

const CHECKPOINT_MILLISECONDS_MAX = 50;

/** A worker thread. Here it only does checkpoints of the write-ahead log. */
export class SimulatedThread extends EventEmitter {
  readonly #process: SimulatedProcess;
  readonly #file: string;
  #isRunning = true;

  constructor(process: SimulatedProcess, program: string, options: unknown) {
    super();
    if (
      !program.endsWith("/wal-checkpoint-thread.ts") &&
      !program.includes("/wal-checkpoint-thread.ts?")
    ) {
      throw new Error(`No thread is simulated for ${program}`);
    }
    this.#process = process;
    const isGiven = typeof options === "object" && options !== null && "workerData" in options;
    this.#file = isGiven ? String(options.workerData) : "";
  }

  postMessage(): void {
    const { world } = this.#process;
    world.schedule(this.#process, world.random() * CHECKPOINT_MILLISECONDS_MAX, () => {
      if (!this.#isRunning) return;
      checkpoint(this.#process, this.#file);
      this.emit("message", null);
    });
  }

  async terminate(): Promise<number> {
    this.#isRunning = false;
    return 0;
  }

  ref(): void {}

  unref(): void {}
}
