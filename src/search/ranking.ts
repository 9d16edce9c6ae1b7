import { type Postings, wordsInClass } from "./postings/postings.ts";

/** The constants of BM25 everybody starts from. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;
/** Entries read for one search; the most frequent terms, which tell least, give way. */
const ENTRIES_READ_MAX = 2_000_000;
/** Fewer are read sooner than the clock. */
const CHECKED_ENTRIES_MIN = 64;
/** More than nothing, which stands for not found. */
const SCORE_WITHOUT_TERM = 1e-30;

/** A word asked for: any of its stems will do. */
export interface Term {
  stemIds: readonly number[];
  /** How many items contain one of them, at most. */
  items: number;
  /** How often it was asked. */
  weight: number;
}

export interface Ranked {
  row: number;
  /** The higher, the better. */
  score: number;
}

export interface Ranking {
  /** Best first; equal ones in the order of rows. */
  best: Ranked[];
  /** How many items there are in all. */
  total: number;
  /** Were terms left out, so that there are more items than these? */
  isCut: boolean;
}

export interface RankingOptions {
  limit: number;
  /** These, whatever their score; null: all that contain a term. */
  candidates: readonly number[] | null;
  /** Items with any of these stems are left out. */
  excludedStems: readonly number[];
  excludedRows: readonly number[];
  /** Found whether or not they contain a term; beyond the limit if need be. */
  alsoRows: readonly number[];
  /** Null: every row is. */
  isAllowed: ((row: number) => boolean) | null;
  /** Called now and then. @throws when it has taken too long */
  checkTime: () => void;
}

/** Scores every item that contains one of the terms by BM25, a term at a time. */
export class Ranker {
  readonly #postings: Postings;
  /** By row; 0 outside of a search. */
  #scores = new Float32Array();
  #found = new Uint32Array(1024);
  #foundCount = 0;
  readonly #shares = new Float32Array(65_536);
  #sharesAverage = -1;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  rank(terms: readonly Term[], options: RankingOptions): Ranking {
    const { items, words, rowMax } = this.#postings.totals();
    if (this.#scores.length <= rowMax) this.#scores = new Float32Array(rowMax + 4096);
    const shares = this.#sharesFor(Math.round((100 * words) / Math.max(1, items)) / 100);
    const affordable = withinBudget(terms);
    try {
      for (const term of affordable) {
        const gain = term.weight * rarity(term.items, items);
        for (const id of term.stemIds) {
          this.#postings.read(id, (entries, firstRow) => {
            if (entries.length >= CHECKED_ENTRIES_MIN) options.checkTime();
            this.#add(entries, firstRow, { gain, shares });
          });
        }
      }
      for (const id of options.excludedStems) {
        this.#postings.read(id, (entries, firstRow) => this.#exclude(entries, firstRow));
      }
      for (const row of options.excludedRows) this.#excludeRow(row);
      for (const row of options.alsoRows) this.#findAlso(row);
      const ranking = this.#best(options);
      return { ...ranking, isCut: affordable.length < terms.length };
    } finally {
      for (let n = 0; n < this.#foundCount; n++) this.#scores[this.#found[n] ?? 0] = 0;
      this.#foundCount = 0;
    }
  }

  #add(
    entries: Uint32Array,
    firstRow: number,
    { gain, shares }: { gain: number; shares: Float32Array },
  ): void {
    const scores = this.#scores;
    for (let n = 0; n < entries.length; n++) {
      const entry = entries[n] ?? 0;
      const row = firstRow + (entry >>> 16);
      const before = scores[row] ?? 0;
      if (before === 0) this.#find(row);
      scores[row] = before + gain * (shares[entry & 0xffff] ?? 0);
    }
  }

  /** What a match counts by frequency and length class, as an entry has them. */
  #sharesFor(averageWords: number): Float32Array {
    if (this.#sharesAverage === averageWords) return this.#shares;
    const norms = lengthNorms(averageWords);
    for (let both = 0; both < this.#shares.length; both++) {
      this.#shares[both] = saturated(both >>> 8, norms[both & 255] ?? 0);
    }
    this.#sharesAverage = averageWords;
    return this.#shares;
  }

  #find(row: number): void {
    if (this.#foundCount === this.#found.length) {
      const longer = new Uint32Array(this.#found.length * 2);
      longer.set(this.#found);
      this.#found = longer;
    }
    this.#found[this.#foundCount++] = row;
  }

  #exclude(entries: Uint32Array, firstRow: number): void {
    for (const entry of entries) this.#excludeRow(firstRow + (entry >>> 16));
  }

  #excludeRow(row: number): void {
    if (this.#scores[row] === 0) this.#find(row);
    this.#scores[row] = Number.NEGATIVE_INFINITY;
  }

  #findAlso(row: number): void {
    if (this.#scores[row] !== 0) return;
    this.#find(row);
    this.#scores[row] = SCORE_WITHOUT_TERM;
  }

  #best({ limit, candidates, isAllowed, alsoRows }: RankingOptions): {
    best: Ranked[];
    total: number;
  } {
    const best = new Best(limit);
    const rows = candidates ?? this.#found;
    const count = candidates === null ? this.#foundCount : candidates.length;
    let total = 0;
    for (let n = 0; n < count; n++) {
      const row = rows[n] ?? 0;
      const score = this.#scores[row] ?? 0;
      if (score < 0 || (isAllowed !== null && !isAllowed(row))) continue;
      total += 1;
      if (score >= best.least) best.offer(row, score);
    }
    const inOrder = best.inOrder();
    if (alsoRows.length === 0) return { best: inOrder, total };
    const among = new Set(inOrder.map(({ row }) => row));
    const also = alsoRows
      .map((row) => ({ row, score: this.#scores[row] ?? 0 }))
      .filter(({ row, score }) => score > 0 && !among.has(row) && isAllowed?.(row) !== false);
    return { best: [...inOrder, ...also.sort(bestFirst)], total };
  }
}

/** A heap with the worst of the best at its root. */
export class Best {
  readonly #limit: number;
  readonly #heap: Ranked[] = [];
  /** What scores less is not among the best. */
  least = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(row: number, score: number): void {
    const heap = this.#heap;
    if (heap.length < this.#limit) {
      heap.push({ row, score });
      this.#rise(heap.length - 1);
      if (heap.length === this.#limit) this.least = heap[0]?.score ?? 0;
      return;
    }
    const [worst] = heap;
    if (worst === undefined || score < worst.score || (score === worst.score && row > worst.row))
      return;
    heap[0] = { row, score };
    this.#sink();
    this.least = heap[0].score;
  }

  inOrder(): Ranked[] {
    return this.#heap.sort(bestFirst);
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const above = (at - 1) >> 1;
      const [child, parent] = [heap[at], heap[above]];
      if (child === undefined || parent === undefined || bestFirst(child, parent) <= 0) return;
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
      if (right !== undefined && bestFirst(left, right) < 0) below += 1;
      const [parent, child] = [heap[at], heap[below]];
      if (parent === undefined || child === undefined || bestFirst(parent, child) >= 0) return;
      heap[at] = child;
      heap[below] = parent;
      at = below;
    }
  }
}

export function bestFirst(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.row - b.row;
}

/** What the length of an item takes from its score, by class. */
export function lengthNorms(averageWords: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, lengthClass) => {
    const length = wordsInClass(lengthClass) / Math.max(1, averageWords);
    return SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length);
  });
}

/** What a frequency in halves counts: ever less for each more, and less in a long item. */
export function saturated(frequency: number, norm: number): number {
  return (frequency * (SATURATION + 1)) / (frequency + 2 * norm);
}

/** How much a term tells that stands in so many of all items. */
export function rarity(items: number, itemsTotal: number): number {
  const rare = Math.log((itemsTotal - items + 0.5) / (items + 0.5));
  return Number.isFinite(rare) && rare > 0 ? rare : 1e-6;
}

/** The rarest terms, as many as may be read; one at least. */
function withinBudget(terms: readonly Term[]): Term[] {
  let read = 0;
  return terms
    .toSorted((a, b) => a.items - b.items)
    .filter(({ items }, place) => {
      read += items;
      return place === 0 || read <= ENTRIES_READ_MAX;
    });
}
