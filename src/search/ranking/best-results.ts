export interface RankedRow {
  row: number;
  /** Higher is better. */
  score: number;
}

/** Collects the best results in a min-heap. */
export class BestResults {
  readonly #limit: number;
  readonly #heap: RankedRow[] = [];
  /** Scores below this are not added; 0 until the limit is reached. */
  scoreMin = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(row: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ row, score });
      this.#rise(heap.length - 1);
      if (heap.length === this.#limit) this.scoreMin = heap[0]?.score ?? 0;
      return;
    }
    const [worst] = heap;
    if (worst === undefined || score < worst.score || (score === worst.score && row > worst.row))
      return;
    heap[0] = { row, score };
    this.#sink();
    this.scoreMin = heap[0].score;
  }

  inOrder(): RankedRow[] {
    return this.#heap.sort(compareBestFirst);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      const [child, parent] = [heap[at], heap[above]];
      if (child === undefined || parent === undefined || compareBestFirst(child, parent) <= 0)
        return;
      heap[at] = parent;
      heap[above] = child;
      at = above;
    }
  }

  #sink(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      let below = 2 * at + 1;
      const [left, right] = [heap[below], heap[below + 1]];
      if (left === undefined) return;
      if (right !== undefined && compareBestFirst(left, right) < 0) below += 1;
      const [parent, child] = [heap[at], heap[below]];
      if (parent === undefined || child === undefined || compareBestFirst(parent, child) >= 0)
        return;
      heap[at] = child;
      heap[below] = parent;
      at = below;
    }
  }
}

export function compareBestFirst(a: RankedRow, b: RankedRow): number {
  return b.score - a.score || a.row - b.row;
}
