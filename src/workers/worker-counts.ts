import cluster, { type Worker } from "node:cluster";
import type { MetricSample } from "../metrics/histogram.ts";

const REPORT_MILLISECONDS = 1000;
/**
 * Matches the names of metrics that are dropped when a worker exits, because its memory is no longer in
 * use.
 */
const MEMORY_SERIES = /^process_\w+_bytes/;

interface CountsMessage {
  counts: readonly MetricSample[];
}

/** Reports a worker's counts to the first process, every second and at exit. */
export function startReportingCounts(
  channel: Worker,
  processSamples: () => readonly MetricSample[],
): Disposable {
  const report = () => {
    if (channel.isConnected())
      channel.send({ counts: processSamples() } satisfies CountsMessage, () => {});
  };
  const timer = setInterval(report, REPORT_MILLISECONDS);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      report();
    },
  };
}

/** Sum of all workers' counts, including workers that were replaced, so that counters never decrease. */
export class WorkerCounts {
  readonly #byWorker = new Map<number, readonly MetricSample[]>();
  readonly #ofEnded = new Map<string, number>();

  /** Call before the first worker starts. */
  listen(): void {
    cluster.on("message", (worker, message: Partial<CountsMessage>) => {
      if (message.counts !== undefined) this.#byWorker.set(worker.id, message.counts);
    });
    // After the channel is closed, no more counts can arrive.
    cluster.on("disconnect", ({ id }) => {
      const last = this.#byWorker.get(id) ?? [];
      this.#byWorker.delete(id);
      for (const [series, value] of last) {
        if (MEMORY_SERIES.test(series)) continue;
        this.#ofEnded.set(series, (this.#ofEnded.get(series) ?? 0) + value);
      }
    });
  }

  readonly samples = (): readonly MetricSample[] => [
    ...this.#ofEnded,
    ...[...this.#byWorker.values()].flat(),
  ];
}
