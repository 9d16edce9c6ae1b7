import cluster, { type Worker } from "node:cluster";
import type { Sample } from "../metrics/histogram.ts";

const TELL_MILLISECONDS = 1000;
/** Memory of an exited process is no longer in use. */
const TAKEN = /^process_\w+_bytes/;

interface Told {
  counts: readonly Sample[];
}

/** Reports a worker's counts to the first process, every second and at exit. */
export function tellCounts(first: Worker, countable: () => readonly Sample[]): Disposable {
  const tell = () => {
    if (first.isConnected()) first.send({ counts: countable() } satisfies Told, () => {});
  };
  const timer = setInterval(tell, TELL_MILLISECONDS);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      tell();
    },
  };
}

/** Sum of all workers' counts, including workers that were replaced, so that counters never decrease. */
export class ToldCounts {
  readonly #byWorker = new Map<number, readonly Sample[]>();

  /** Call before the first worker starts. */
  listen(): void {
    cluster.on("message", (worker, message: Partial<Told>) => {
      if (message.counts !== undefined) this.#byWorker.set(worker.id, message.counts);
    });
    cluster.on("exit", ({ id }) => {
      const last = this.#byWorker.get(id) ?? [];
      this.#byWorker.set(
        id,
        last.filter(([series]) => !TAKEN.test(series)),
      );
    });
  }

  readonly samples = (): readonly Sample[] => [...this.#byWorker.values()].flat();
}
