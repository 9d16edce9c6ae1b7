const CHANGES_FIRST = 1024;
/**
 * More than the buffer ever holds: the writer flushes after the item that exceeds its limit, and an item
 * has fewer than 2^20 stems. Stem numbers below 2^29 keep `stem * PLACES` below 2^53.
 */
const PLACES = 2 ** 24;

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

  /** Sorted by stem; the changes of a stem stay in insertion order. */
  *byStem(): Generator<{ stem: number; changes: Float64Array }> {
    const places = Float64Array.from(
      this.#stems.subarray(0, this.#count),
      (stem, place) => stem * PLACES + place,
    ).sort();
    const changes = places.map((place) => this.#changes[place % PLACES] ?? 0);
    let from = 0;
    for (let at = 1; at <= places.length; at += 1) {
      const stem = stemAt(places, from);
      if (at < places.length && stemAt(places, at) === stem) continue;
      yield { stem, changes: changes.subarray(from, at) };
      from = at;
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

function stemAt(places: Float64Array, at: number): number {
  return Math.floor((places[at] ?? 0) / PLACES);
}
