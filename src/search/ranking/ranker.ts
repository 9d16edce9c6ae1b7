import type { Postings } from "../postings/postings.ts";
import { BestResults, compareBestFirst, type RankedRow } from "./best-results.ts";
import { inverseDocumentFrequency, lengthNorms, saturatedFrequency } from "./bm25.ts";
import { type QueryTerm, selectTermsWithinReadLimits } from "./terms.ts";

/**
 * Blocks with fewer entries than this are read without checking the clock, because the check would take
 * longer than the read.
 */
const CHECKED_ENTRIES_MIN = 64;
/**
 * Score of rows that are included without a matching term. It is above 0, because 0 means that a
 * row has not been found.
 */
const SCORE_WITHOUT_TERM = 1e-30;

/** The best items of a search, with counts of all that match. */
export interface Ranking {
  /** Best first; ties in row order. */
  best: RankedRow[];
  /** Number of matching items. */
  total: number;
  /** Whether terms were dropped, so that more items may match than were counted. */
  isCut: boolean;
  /** The number of matching items of each kind, keyed by the id of the kind in `reading_kind`. */
  kindCounts: ReadonlyMap<number, number>;
}

export interface RankingOptions {
  limit: number;
  /**
   * If set, ranks only these rows, including rows without a matching term. If null, ranks all rows that
   * contain a term.
   */
  candidates: readonly number[] | null;
  /** Items with any of these stems are excluded. */
  excludedStems: readonly number[];
  excludedRows: readonly number[];
  /** Rows to include even without a matching term, and beyond the limit if necessary. */
  alsoRows: readonly number[];
  /** Null if every row is allowed. */
  isAllowed: ((row: number) => boolean) | null;
  /** The number of each row's kind. */
  kinds: Uint16Array;
  /**
   * Called at intervals.
   * @throws when the search takes too long.
   */
  checkTime: () => void;
}

/** Scores all items that contain a term by BM25, one term at a time. */
export class Bm25Ranker {
  readonly #postings: Postings;
  /** Scores by row; all 0 between searches. */
  #scores = new Float32Array();
  #found = new Uint32Array(1024);
  #foundCount = 0;
  /** The number of items found of each kind; all 0 between searches. */
  readonly #kindCounts = new Uint32Array(65_536);
  /** BM25 weights. The array index packs frequency and length class into one number, as in an entry. */
  readonly #weights = new Float32Array(65_536);
  /** The average length for which the weights were computed. */
  #weightsAverage = -1;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  rank(terms: readonly QueryTerm[], options: RankingOptions): Ranking {
    const { items, words, rowMax } = this.#postings.totals();
    if (this.#scores.length <= rowMax) this.#scores = new Float32Array(rowMax + 4096);
    const weights = this.#weightsFor(Math.round((100 * words) / Math.max(1, items)) / 100);
    const affordableTerms = selectTermsWithinReadLimits(terms);
    try {
      for (const term of affordableTerms) {
        const gain = term.weight * inverseDocumentFrequency(term.items, items);
        this.#addTerm(term, { gain, weights, checkTime: options.checkTime });
      }
      for (const id of options.excludedStems) this.#exclude(id);
      for (const row of options.excludedRows) this.#excludeRow(row);
      for (const row of options.alsoRows) this.#findWithoutTerm(row);
      const ranking = this.#best(options);
      const isCut = terms.some((term) => !term.isExtra && !affordableTerms.includes(term));
      return { ...ranking, isCut };
    } finally {
      for (let n = 0; n < this.#foundCount; n++) this.#scores[this.#found[n] ?? 0] = 0;
      this.#foundCount = 0;
    }
  }

  #addTerm(
    { stemIds, isExtra }: QueryTerm,
    {
      gain,
      weights,
      checkTime,
    }: { gain: number; weights: Float32Array } & Pick<RankingOptions, "checkTime">,
  ): void {
    for (const id of stemIds) {
      for (const { entries, firstRow } of this.#postings.blocks(id)) {
        if (entries.length >= CHECKED_ENTRIES_MIN) checkTime();
        this.#add(entries, firstRow, { gain, weights, isExtra });
      }
    }
  }

  #add(
    entries: Uint32Array,
    firstRow: number,
    { gain, weights, isExtra }: { gain: number; weights: Float32Array; isExtra: boolean },
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
      scores[row] = before + gain * (weights[entry & 0xffff] ?? 0);
    }
  }

  /** Computes the BM25 weights if the average length has changed. */
  #weightsFor(averageWords: number): Float32Array {
    if (this.#weightsAverage === averageWords) return this.#weights;
    const norms = lengthNorms(averageWords);
    for (let packed = 0; packed < this.#weights.length; packed++) {
      this.#weights[packed] = saturatedFrequency(packed >>> 8, norms[packed & 255] ?? 0);
    }
    this.#weightsAverage = averageWords;
    return this.#weights;
  }

  #find(row: number): void {
    if (this.#foundCount === this.#found.length) {
      const larger = new Uint32Array(this.#found.length * 2);
      larger.set(this.#found);
      this.#found = larger;
    }
    this.#found[this.#foundCount++] = row;
  }

  #exclude(stemId: number): void {
    for (const { entries, firstRow } of this.#postings.blocks(stemId))
      for (const entry of entries) this.#excludeRow(firstRow + (entry >>> 16));
  }

  #excludeRow(row: number): void {
    if (this.#scores[row] === 0) this.#find(row);
    this.#scores[row] = Number.NEGATIVE_INFINITY;
  }

  #findWithoutTerm(row: number): void {
    if (this.#scores[row] !== 0) return;
    this.#find(row);
    this.#scores[row] = SCORE_WITHOUT_TERM;
  }

  #best({ limit, candidates, isAllowed, alsoRows, kinds }: RankingOptions): Omit<Ranking, "isCut"> {
    const best = new BestResults(limit);
    const rows = candidates ?? this.#found;
    const count = candidates === null ? this.#foundCount : candidates.length;
    let total = 0;
    const kindsFound: number[] = [];
    for (let n = 0; n < count; n++) {
      const row = rows[n] ?? 0;
      const score = this.#scores[row] ?? 0;
      if (score < 0 || (isAllowed !== null && !isAllowed(row))) continue;
      total += 1;
      if (this.#countKind(kinds[row]) === 1) kindsFound.push(kinds[row] ?? 0);
      if (score >= best.scoreMin) best.offer(row, score);
    }
    const kindCounts = new Map(kindsFound.map((kind) => [kind, this.#kindCounts[kind] ?? 0]));
    for (const kind of kindsFound) this.#kindCounts[kind] = 0;
    const ranked = best.inOrder();
    const additional = this.#additional(ranked, { alsoRows, isAllowed });
    return { best: [...ranked, ...additional], total, kindCounts };
  }

  /** Counts an item. @returns the number of items of its kind so far. */
  #countKind(kind = 0): number {
    const items = (this.#kindCounts[kind] ?? 0) + 1;
    this.#kindCounts[kind] = items;
    return items;
  }

  /** Results for the `alsoRows` that are not among the best results within the limit. */
  #additional(
    best: readonly RankedRow[],
    { alsoRows, isAllowed }: Pick<RankingOptions, "alsoRows" | "isAllowed">,
  ): RankedRow[] {
    if (alsoRows.length === 0) return [];
    const ranked = new Set(best.map(({ row }) => row));
    return alsoRows
      .map((row) => ({ row, score: this.#scores[row] ?? 0 }))
      .filter(({ row, score }) => score > 0 && !ranked.has(row) && isAllowed?.(row) !== false)
      .sort(compareBestFirst);
  }
}
