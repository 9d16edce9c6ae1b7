import { EventEmitter } from "node:events";
import { z } from "zod";
import { checkpoint } from "./disk.ts";
import type { SimulatedProcess } from "./world.ts";

const CHECKPOINT_MILLISECONDS_MAX = 50;

/** What the program starts the thread with. Anything else is refused: a checkpoint of another file would hide faults. */
const threadOptionsSchema = z.object({ workerData: z.object({ file: z.string() }) });

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
    this.#file = threadOptionsSchema.parse(options).workerData.file;
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
