import { Histogram, type MetricSample } from "./histogram.ts";

const INTERVAL_MILLISECONDS = 100;
const DELAY_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Memory, CPU and event-loop delay of this process. */
export class ProcessMetrics {
  readonly #delays = new Histogram(DELAY_BUCKETS);
  #timer: NodeJS.Timeout | null = null;

  /** Starts measuring the event-loop delay. */
  watch(): void {
    if (this.#timer !== null) return;
    let due = performance.now() + INTERVAL_MILLISECONDS;
    this.#timer = setInterval(() => {
      const now = performance.now();
      this.#delays.note(Math.max(0, now - due) / 1000);
      due = now + INTERVAL_MILLISECONDS;
    }, INTERVAL_MILLISECONDS);
    this.#timer.unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  *samples(): Generator<MetricSample> {
    const { rss, heapUsed } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    yield ["process_resident_memory_bytes", rss];
    yield ["process_heap_bytes", heapUsed];
    yield ["process_cpu_seconds_total", (user + system) / 1e6];
    yield* this.#delays.samples("process_event_loop_delay_seconds");
  }
}
