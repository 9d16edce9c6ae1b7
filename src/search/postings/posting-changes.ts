const CHANGES_FIRST = 1024;
/**
 * More than the buffer ever holds: the writer flushes after the item that exceeds its limit, and an item
 * has fewer than 2^20 stems. Stem numbers below 2^29 keep `stem * PLACES` below 2^53.
 */
const PLACES = 2 ** 24;

/** Sorting this many takes a few milliseconds. */
const RUN_CHANGES = 32_768;

interface StemChanges {
  stem: number;
  changes: Float64Array;
}

/** Sorted places; those before `at` have been taken. */
interface Run {
  places: Float64Array;
  at: number;
}

/** Buffer of changed postings in insertion order, 12 bytes each. */
export class PostingChanges {
  #stems = new Uint32Array(CHANGES_FIRST);
  #changes = new Float64Array(CHANGES_FIRST);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  note(stem: number, change: number): void {
    if (this.#count === this.#stems.length) this.#grow();
    this.#stems[this.#count] = stem;
    this.#changes[this.#count] = change;
    this.#count += 1;
  }

  /**
   * Sorted by stem; the changes of a stem stay in insertion order. Null where the caller may pause:
   * the buffer is sorted in runs, which are merged.
   */
  *byStem(): Generator<StemChanges | null> {
    const runs: Run[] = [];
    for (let from = 0; from < this.#count; from += RUN_CHANGES) {
      const stems = this.#stems.subarray(from, Math.min(from + RUN_CHANGES, this.#count));
      const places = Float64Array.from(stems, (stem, at) => stem * PLACES + from + at).sort();
      runs.push({ places, at: 0 });
      yield null;
    }
    for (;;) {
      const stem = Math.min(...runs.map(({ places, at }) => stemAt(places, at)));
      if (stem === Number.POSITIVE_INFINITY) return;
      const places = runs.flatMap((run) => placesOf(run, stem));
      yield { stem, changes: Float64Array.from(places, (at) => this.#changes[at % PLACES] ?? 0) };
    }
  }

  clear(): void {
    this.#stems = new Uint32Array(CHANGES_FIRST);
    this.#changes = new Float64Array(CHANGES_FIRST);
    this.#count = 0;
  }

  #grow(): void {
    const stems = new Uint32Array(this.#count * 2);
    const changes = new Float64Array(this.#count * 2);
    stems.set(this.#stems);
    changes.set(this.#changes);
    this.#stems = stems;
    this.#changes = changes;
  }
}

/** Takes the places of the stem from the front of the run. */
function placesOf(run: Run, stem: number): number[] {
  const from = run.at;
  while (stemAt(run.places, run.at) === stem) run.at += 1;
  return [...run.places.subarray(from, run.at)];
}

/** Infinity behind the end. */
function stemAt(places: Float64Array, at: number): number {
  return at < places.length ? Math.floor((places[at] ?? 0) / PLACES) : Number.POSITIVE_INFINITY;
}
