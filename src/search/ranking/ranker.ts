import type { Postings } from "../postings/postings.ts";
import { Best, bestFirst, type Ranked } from "./best.ts";
import { inverseDocumentFrequency, lengthNorms, saturated } from "./bm25.ts";

/** The most postings read for one search; the most frequent, least selective terms are dropped first. */
const ENTRIES_READ_MAX = 2_000_000;
/** The same for extra terms. */
const EXTRA_ENTRIES_READ_MAX = 200_000;
/** Fewer entries are read without checking the clock, as the check would take longer. */
const CHECKED_ENTRIES_MIN = 64;
/** Score of rows that are included without a matching term: above 0, which means not found. */
const SCORE_WITHOUT_TERM = 1e-30;

/** A query term; matches any of its stems. */
export interface Term {
  stemIds: readonly number[];
  /** Upper bound on the number of items that contain one of its stems. */
  items: number;
  /** How often the query has it, scaled down for word pairs. */
  weight: number;
  /** Only adds to the scores of items that an earlier term has found. */
  isExtra: boolean;
}

export interface Ranking {
  /** Best first; ties in row order. */
  best: Ranked[];
  /** Number of matching items. */
  total: number;
  /** Whether terms were dropped, so that more items match than were counted. */
  isCut: boolean;
  /** Number of matching items by kind, as `kinds.ts` numbers them. */
  kindCounts: ReadonlyMap<number, number>;
}

export interface RankingOptions {
  limit: number;
  /** Ranks only these rows, even without a matching term; null: all rows that contain a term. */
  candidates: readonly number[] | null;
  /** Items with any of these stems are excluded. */
  excludedStems: readonly number[];
  excludedRows: readonly number[];
  /** Included even without a matching term, and beyond the limit if necessary. */
  alsoRows: readonly number[];
  /** Null: every row is allowed. */
  isAllowed: ((row: number) => boolean) | null;
  /** The number of each row's kind. */
  kinds: Uint16Array;
  /**
   * Called regularly.
   * @throws when the search takes too long
   */
  checkTime: () => void;
}

/** Scores every item that contains a term by BM25, one term at a time. */
export class Ranker {
  readonly #postings: Postings;
  /** By row; all 0 between searches. */
  #scores = new Float32Array();
  #found = new Uint32Array(1024);
  #foundCount = 0;
  /** By kind; all 0 between searches. */
  readonly #ofKind = new Uint32Array(65_536);
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
        const gain = term.weight * inverseDocumentFrequency(term.items, items);
        for (const id of term.stemIds) {
          this.#postings.read(id, (entries, firstRow) => {
            if (entries.length >= CHECKED_ENTRIES_MIN) options.checkTime();
            this.#add(entries, firstRow, { gain, shares, isExtra: term.isExtra });
          });
        }
      }
      for (const id of options.excludedStems) {
        this.#postings.read(id, (entries, firstRow) => this.#exclude(entries, firstRow));
      }
      for (const row of options.excludedRows) this.#excludeRow(row);
      for (const row of options.alsoRows) this.#findAlso(row);
      const ranking = this.#best(options);
      const isCut = terms.some((term) => !term.isExtra && !affordable.includes(term));
      return { ...ranking, isCut };
    } finally {
      for (let n = 0; n < this.#foundCount; n++) this.#scores[this.#found[n] ?? 0] = 0;
      this.#foundCount = 0;
    }
  }

  #add(
    entries: Uint32Array,
    firstRow: number,
    { gain, shares, isExtra }: { gain: number; shares: Float32Array; isExtra: boolean },
  ): void {
    const scores = this.#scores;
    for (let n = 0; n < entries.length; n++) {
      const entry = entries[n] ?? 0;
      const row = firstRow + (entry >>> 16);
      const before = scores[row] ?? 0;
      if (before === 0) {
        if (isExtra) continue;
        this.#find(row);
      }
      scores[row] = before + gain * (shares[entry & 0xffff] ?? 0);
    }
  }

  /** BM25 weights for every combination of frequency and length class. */
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

  #best({ limit, candidates, isAllowed, alsoRows, kinds }: RankingOptions): Omit<Ranking, "isCut"> {
    const best = new Best(limit);
    const rows = candidates ?? this.#found;
    const count = candidates === null ? this.#foundCount : candidates.length;
    let total = 0;
    const counted: number[] = [];
    for (let n = 0; n < count; n++) {
      const row = rows[n] ?? 0;
      const score = this.#scores[row] ?? 0;
      if (score < 0 || (isAllowed !== null && !isAllowed(row))) continue;
      total += 1;
      if (this.#countKind(kinds[row]) === 1) counted.push(kinds[row] ?? 0);
      if (score >= best.least) best.offer(row, score);
    }
    const kindCounts = new Map(counted.map((kind) => [kind, this.#ofKind[kind] ?? 0]));
    for (const kind of counted) this.#ofKind[kind] = 0;
    const inOrder = best.inOrder();
    const also = this.#also(inOrder, { alsoRows, isAllowed });
    return { best: [...inOrder, ...also], total, kindCounts };
  }

  /** @returns the number of items of this kind so far. */
  #countKind(kind = 0): number {
    const items = (this.#ofKind[kind] ?? 0) + 1;
    this.#ofKind[kind] = items;
    return items;
  }

  /** Results to include beyond the limit. */
  #also(
    best: readonly Ranked[],
    { alsoRows, isAllowed }: Pick<RankingOptions, "alsoRows" | "isAllowed">,
  ): Ranked[] {
    if (alsoRows.length === 0) return [];
    const among = new Set(best.map(({ row }) => row));
    return alsoRows
      .map((row) => ({ row, score: this.#scores[row] ?? 0 }))
      .filter(({ row, score }) => score > 0 && !among.has(row) && isAllowed?.(row) !== false)
      .sort(bestFirst);
  }
}

/** The rarest terms within the reading limit; at least one. Extra terms come last. */
function withinBudget(terms: readonly Term[]): Term[] {
  const read = { own: 0, extra: 0 };
  return terms
    .toSorted((a, b) => Number(a.isExtra) - Number(b.isExtra) || a.items - b.items)
    .filter(({ items, isExtra }, place) => {
      read[isExtra ? "extra" : "own"] += items;
      return place === 0 || (read.own <= ENTRIES_READ_MAX && read.extra <= EXTRA_ENTRIES_READ_MAX);
    });
}
