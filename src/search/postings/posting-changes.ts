const PART_CHANGES_MIN = 1024;
/**
 * Limit of changes per part. Counting or sorting the changes of a part takes a fraction of a
 * millisecond.
 */
const PART_CHANGES_MAX = 16_384;

interface StemChanges {
  stem: number;
  changes: Float64Array;
}

interface Part {
  stems: Uint32Array;
  changes: Float64Array;
  count: number;
}

/** A buffer of changed postings in insertion order, at 12 bytes each. */
export class PostingChanges {
  #parts: Part[] = [];
  #count = 0;
  #stemMax = 0;

  get count(): number {
    return this.#count;
  }

  note(stem: number, change: number): void {
    const part = this.#partWithRoom();
    part.stems[part.count] = stem;
    part.changes[part.count] = change;
    part.count += 1;
    this.#count += 1;
    if (stem > this.#stemMax) this.#stemMax = stem;
  }

  /**
   * Yields the changes of each stem in order of the stems, by counting sort. The changes of a stem stay in
   * insertion order. Yields null where the caller may pause.
   */
  *byStem(): Generator<StemChanges | null> {
    // For each stem, the next position to fill. It moves from the start of the stem's changes to their end.
    const positions = yield* this.#starts();
    const sorted = new Float64Array(this.#count);
    for (const { stems, changes, count } of this.#parts) {
      for (let at = 0; at < count; at += 1) {
        const stem = stems[at] ?? 0;
        const position = positions[stem] ?? 0;
        sorted[position] = changes[at] ?? 0;
        positions[stem] = position + 1;
      }
      yield null;
    }
    let from = 0;
    for (let stem = 0; stem < positions.length; stem += 1) {
      const end = positions[stem] ?? 0;
      if (end > from) yield { stem, changes: sorted.subarray(from, end) };
      from = end;
    }
  }

  clear(): void {
    this.#parts = [];
    this.#count = 0;
    this.#stemMax = 0;
  }

  /**
   * For each stem, the position of its first change. This is the number of changes of all stems with
   * lower numbers.
   */
  *#starts(): Generator<null, Uint32Array> {
    const starts = new Uint32Array(this.#stemMax + 1);
    for (const { stems, count } of this.#parts) {
      for (const stem of stems.subarray(0, count)) starts[stem] = (starts[stem] ?? 0) + 1;
      yield null;
    }
    let before = 0;
    for (let stem = 0; stem < starts.length; stem += 1) {
      const count = starts[stem] ?? 0;
      starts[stem] = before;
      before += count;
    }
    yield null;
    return starts;
  }

  #partWithRoom(): Part {
    const last = this.#parts.at(-1);
    if (last !== undefined && last.count < last.stems.length) return last;
    const size = Math.min(PART_CHANGES_MAX, Math.max(PART_CHANGES_MIN, this.#count));
    const part = { stems: new Uint32Array(size), changes: new Float64Array(size), count: 0 };
    this.#parts.push(part);
    return part;
  }
}
