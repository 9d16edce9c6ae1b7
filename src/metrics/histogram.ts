/** One line of the exposition format: a series with labels, and its value. */
export type Sample = readonly [series: string, value: number];

/** Durations, counted in buckets. */
export class Histogram {
  readonly #limits: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  /** Upper bounds in seconds, ascending. */
  constructor(limits: readonly number[]) {
    this.#limits = limits;
    this.#counts = new Float64Array(limits.length + 1);
  }

  note(seconds: number): void {
    let place = 0;
    while (seconds > (this.#limits[place] ?? Number.POSITIVE_INFINITY)) place += 1;
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
    this.#sum += seconds;
  }

  /** `labels` without the braces. */
  *samples(name: string, labels = ""): Generator<Sample> {
    const before = labels === "" ? "" : `${labels},`;
    let total = 0;
    for (const [place, count] of this.#counts.entries()) {
      total += count;
      yield [`${name}_bucket{${before}le="${this.#limits[place] ?? "+Inf"}"}`, total];
    }
    const after = labels === "" ? "" : `{${labels}}`;
    yield [`${name}_sum${after}`, this.#sum];
    yield [`${name}_count${after}`, total];
  }
}
