import cluster, { type Worker } from "node:cluster";
import type { Sample } from "../metrics/histogram.ts";

const TELL_MILLISECONDS = 1000;
/** What a process that has ended takes of the machine no more. */
const TAKEN = /^process_\w+_bytes/;

interface Told {
  counts: readonly Sample[];
}

/** Has the first process know what a worker counts, every second and at the end. */
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

/** What all workers have counted, those that were replaced too, so that no count ever falls. */
export class ToldCounts {
  readonly #byWorker = new Map<number, readonly Sample[]>();

  /** Call before the first of them starts. */
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
