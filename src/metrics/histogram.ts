/** One line of Prometheus's exposition format: a series with labels, and its value. */
export type MetricSample = readonly [series: string, value: number];

/** Counts durations in buckets. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  /** @param bounds the upper bounds of the buckets in seconds, ascending. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  note(seconds: number): void {
    let bucket = 0;
    while (seconds > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** The samples of a metric. `labels` are given without braces. */
  *samples(name: string, labels = ""): Generator<MetricSample> {
    const before = labels === "" ? "" : `${labels},`;
    let total = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      total += count;
      yield [`${name}_bucket{${before}le="${this.#bounds[bucket] ?? "+Inf"}"}`, total];
    }
    const after = labels === "" ? "" : `{${labels}}`;
    yield [`${name}_sum${after}`, this.#sum];
    yield [`${name}_count${after}`, total];
  }
}
