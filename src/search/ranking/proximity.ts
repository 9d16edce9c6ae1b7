import { COLUMN_WEIGHTS_TIMES_TWO, type Postings } from "../postings/postings.ts";
import { forEachEncodedWord } from "../postings/word-order.ts";
import { compareBestFirst, type RankedRow } from "./best-results.ts";
import { inverseDocumentFrequency, lengthNorms, saturatedFrequency } from "./bm25.ts";
import type { QueryTerm } from "./terms.ts";

/** Limit of word-order data read per search, at 1 to 5 bytes a word. Bounds the time for long items. */
const ORDER_BYTES_READ_MAX = 400_000;
/** Maximum distance of consecutive words of a line: query words that an item has in the same order. */
const DISTANCE_WORDS_MAX = 8;
/**
 * If a query has fewer words than this besides filler words, its filler words count as words of the line
 * too. A line of so few words would occur in too many items.
 */
const LINE_WORDS_MIN = 4;
/** Limit on the number of query positions that one stem can match, and on the number of terms. */
const USES_PER_STEM_MAX = 4;

/** A complete line adds its weight times this to the score. A partial line adds disproportionately less. */
const LINE_FACTOR = 1.5;
/**
 * Factor for the weight of the query words, which is added to the score of an item that has all of them, in
 * any order. For an item that has only some of them, far less is added.
 */
const COVERAGE_FACTOR = 1.5;
/** If two words of a line are adjacent, the line gains this share of the weight of their pair. */
const PAIR_SHARE = 0.5;
/** Deducted from a line's weight for each skipped word of the item or of the query. */
const SKIP_COST = 0.9;

const DOUBLED_WEIGHTS = [
  COLUMN_WEIGHTS_TIMES_TWO.title,
  COLUMN_WEIGHTS_TIMES_TWO.names,
  COLUMN_WEIGHTS_TIMES_TWO.body,
] as const;
const NAMES_COLUMN = 1;
/**
 * Weight, times 2, of a stray word: a word in the name of a related item but in no name in the query.
 * For example, "short" in "Short Works".
 */
const DOUBLED_STRAY_WEIGHT = 1;

export interface WeightedWord {
  /** Ids of the stems that match the word. */
  stemIds: readonly number[];
  /** Inverse document frequency, which is highest for unknown words. For stop words, a fixed weight. */
  weight: number;
  isStopOrFiller: boolean;
  /** Whether the word is a filler, which need not occur in the line. */
  isFiller: boolean;
  /** Whether the word belongs to the name of an item. */
  isName: boolean;
  /** Rarity of the pair of the previous and this word; 0 if no item has the pair or pairs are not used. */
  pairWeight: number;
}

export interface WeightedQuery {
  /** The terms by which items are ranked before they are rescored by proximity. */
  terms: readonly QueryTerm[];
  words: readonly WeightedWord[];
  /** Whether the query has more terms than the ranking uses. */
  isShortened: boolean;
  itemsTotal: number;
  /** Whether an item can lack one word of the line, because visitors sometimes misremember a word. */
  mayHaveWrongWord?: boolean;
}

/** How well an item fits a query: shares from 0 to 1, in which rare words weigh more. */
export interface QueryFit {
  /** The share of the query's words, without stop words, that the item contains. */
  coverage: number;
  /** The share of all words of the query that occur in the item close together and in order. */
  line: number;
}

/**
 * Rescores the best items by how the query words occur in them: close together and in order, as in a
 * half-remembered line, or all words anywhere. A soft form of the sequential dependence model for windows
 * of any length (D. Metzler, W. B. Croft: A Markov Random Field Model for Term Dependencies, SIGIR 2005).
 */
export class ProximityScorer {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  rescored(found: readonly RankedRow[], query: WeightedQuery): RankedRow[] {
    const { items, words } = this.#postings.totals();
    const norms = lengthNorms(words / Math.max(1, items));
    const reader = new LineReader(query);
    const orders = this.#postings.orders(found.map(({ row }) => row));
    let remainingBytes = ORDER_BYTES_READ_MAX;
    return found
      .map((ranked) => {
        const order = orders.get(ranked.row);
        if (order === undefined || remainingBytes < order.length) return ranked;
        remainingBytes -= order.length;
        return { row: ranked.row, score: reader.read(order, norms[order[0] ?? 0] ?? 0).score };
      })
      .sort(compareBestFirst);
  }

  /** Computes how well each item fits the query. */
  fits(rows: readonly number[], query: WeightedQuery): (QueryFit & { row: number })[] {
    const reader = new LineReader(query);
    return [...this.#postings.orders(rows)].map(([row, order]) => {
      const { coverage, line } = reader.read(order, 0);
      return { row, coverage, line };
    });
  }
}

/** Query words that occur close together and in order in an item. */
interface Line {
  /** Weight of the words, with bonuses for adjacent words and costs for skipped ones. */
  weight: number;
  /** Weight of the words, without bonuses and costs. */
  wordWeight: number;
}

/** A line, identified by the position of its last word in the item and in the query. */
interface Match extends Line {
  itemPosition: number;
  queryPosition: number;
}

const EMPTY_LINE: Line = { weight: 0, wordWeight: 0 };

/** The numbers of the terms, and the positions of the words in the query, that a stem matches. */
interface StemUses {
  terms: number[];
  positions: number[];
}

/** Finds the best line in each item, and scores the item by that line. Works for one query. */
class LineReader {
  readonly #uses = new Map<number, StemUses>();
  readonly #query: WeightedQuery;
  /** The weight of each query word in a line, by its position in the query. */
  readonly #lineWeights: readonly number[];
  readonly #lineWeight: number;
  readonly #contentWeight: number;
  readonly #stopWeight: number;
  /** The weight of each term. */
  readonly #gains: readonly number[];
  /** Whether each term belongs to a name. */
  readonly #isName: readonly boolean[];
  readonly #frequencies: Float64Array;
  /** For each term: 1 once the item is known to contain the term other than as a stray word. */
  readonly #isDirectMatch: Uint8Array;
  /** For each position in the query: 1 once the item is known to contain the word at that position. */
  readonly #isFound: Uint8Array;
  /** Lines found so far that end within the last {@link DISTANCE_WORDS_MAX} words read. */
  #matches: Match[] = [];
  #bestLine: Line = EMPTY_LINE;

  constructor(query: WeightedQuery) {
    this.#query = query;
    const { words, itemsTotal } = query;
    const terms = query.terms.filter(({ isExtra }) => !isExtra);
    this.#gains = terms.map(
      ({ weight, items }) => weight * inverseDocumentFrequency(items, itemsTotal),
    );
    const nameStems = new Set(words.flatMap(({ isName, stemIds }) => (isName ? stemIds : [])));
    this.#isName = terms.map(({ stemIds }) => stemIds.some((id) => nameStems.has(id)));
    this.#frequencies = new Float64Array(terms.length);
    this.#isDirectMatch = new Uint8Array(terms.length);
    this.#isFound = new Uint8Array(words.length);
    for (const [term, { stemIds }] of terms.entries()) {
      for (const id of stemIds) append(this.#usesFor(id).terms, term);
    }
    for (const [position, { stemIds }] of words.entries()) {
      for (const id of stemIds) append(this.#usesFor(id).positions, position);
    }
    const skipsFillers = words.filter(({ isFiller }) => !isFiller).length >= LINE_WORDS_MIN;
    this.#lineWeights = words.map(({ weight, isFiller }) =>
      isFiller && skipsFillers ? 0 : weight,
    );
    this.#lineWeight = this.#lineWeights.reduce((sum, weight) => sum + weight, 0);
    this.#stopWeight = words.reduce(
      (sum, each) => sum + (each.isStopOrFiller ? each.weight : 0),
      0,
    );
    const unknownWords = words.filter((each) => !each.isStopOrFiller && each.stemIds.length === 0);
    this.#contentWeight =
      this.#gains.reduce((sum, gain) => sum + gain, 0) +
      unknownWords.reduce((sum, { weight }) => sum + weight, 0);
  }

  #usesFor(id: number): StemUses {
    const known = this.#uses.get(id);
    if (known !== undefined) return known;
    const uses: StemUses = { terms: [], positions: [] };
    this.#uses.set(id, uses);
    return uses;
  }

  read(order: Uint8Array, norm: number): QueryFit & { score: number } {
    this.#frequencies.fill(0);
    this.#isDirectMatch.fill(0);
    this.#isFound.fill(0);
    this.#matches = [];
    this.#bestLine = EMPTY_LINE;
    forEachEncodedWord(order, (word, itemPosition, column) => {
      const uses = this.#uses.get(word);
      if (uses === undefined) return;
      for (const term of uses.terms) this.#count(term, column);
      if (uses.positions.length > 0) this.#extendLines(itemPosition, uses.positions);
    });
    let score = 0;
    let coveredWeight = 0;
    let directWeight = 0;
    for (let term = 0; term < this.#frequencies.length; term++) {
      const frequency = this.#frequencies[term] ?? 0;
      if (frequency === 0) continue;
      const gain = this.#gains[term] ?? 0;
      score += gain * saturatedFrequency(Math.min(255, frequency), norm);
      coveredWeight += gain;
      if (this.#isDirectMatch[term] === 1) directWeight += gain;
    }
    const coverage = Math.min(1, coveredWeight / Math.max(1e-9, this.#contentWeight));
    const rightWeight = Math.max(1e-9, this.#lineWeight - this.#wrongWeight());
    const line = Math.min(1, this.#bestLine.wordWeight / rightWeight);
    const bonus =
      LINE_FACTOR * this.#bestLine.weight * line ** 3 +
      COVERAGE_FACTOR * this.#contentWeight * this.#completeness(directWeight) ** 8;
    return { score: score + bonus, coverage, line };
  }

  /** The weight of the heaviest query word that the item lacks, if one word may be wrong; otherwise 0. */
  #wrongWeight(): number {
    if (this.#query.mayHaveWrongWord !== true) return 0;
    return this.#lineWeights.reduce(
      (most, weight, position) => (this.#isFound[position] === 1 ? most : Math.max(most, weight)),
      0,
    );
  }

  #count(term: number, column: number): void {
    const isStray = column === NAMES_COLUMN && this.#isName[term] !== true;
    const weight = isStray ? DOUBLED_STRAY_WEIGHT : (DOUBLED_WEIGHTS[column] ?? 0);
    this.#frequencies[term] = (this.#frequencies[term] ?? 0) + weight;
    if (!isStray) this.#isDirectMatch[term] = 1;
  }

  /**
   * The weight of the query words that the item contains, as a share of the weight of all query words.
   * `contentWeight` is the weight of the query words in the item that are not stop words.
   */
  #completeness(contentWeight: number): number {
    const { words } = this.#query;
    const stopWeight = words.reduce(
      (sum, { isStopOrFiller, weight }, position) =>
        sum + (isStopOrFiller && this.#isFound[position] === 1 ? weight : 0),
      0,
    );
    const allWeight = Math.max(1e-9, this.#contentWeight + this.#stopWeight);
    return Math.min(1, (contentWeight + stopWeight) / allWeight);
  }

  /** Adds the lines that end with the word at `itemPosition`, which the query has at `queryPositions`. */
  #extendLines(itemPosition: number, queryPositions: readonly number[]): void {
    const near = this.#matches.filter(
      (match) => itemPosition - match.itemPosition <= DISTANCE_WORDS_MAX,
    );
    this.#matches = near;
    const endingLines = queryPositions.map((queryPosition): Match => {
      this.#isFound[queryPosition] = 1;
      const { weight: ownWeight = 0 } = this.#query.words[queryPosition] ?? {};
      const before = this.#bestBefore(itemPosition, queryPosition);
      const weight = ownWeight + before.weight;
      const wordWeight = (this.#lineWeights[queryPosition] ?? 0) + before.wordWeight;
      return { itemPosition, queryPosition, weight, wordWeight };
    });
    for (const match of endingLines) {
      near.push(match);
      if (match.weight > this.#bestLine.weight) this.#bestLine = match;
    }
  }

  /** The best line that a word at these positions can continue, with the cost of skipped words deducted. */
  #bestBefore(itemPosition: number, queryPosition: number): Line {
    const { pairWeight = 0 } = this.#query.words[queryPosition] ?? {};
    let best = EMPTY_LINE;
    for (const match of this.#matches) {
      const distance = queryPosition - match.queryPosition;
      if (distance < 1 || distance > DISTANCE_WORDS_MAX) continue;
      const skipped = distance - 1 + (itemPosition - match.itemPosition - 1);
      const change = skipped === 0 ? PAIR_SHARE * pairWeight : -SKIP_COST * skipped;
      const weight = match.weight + change;
      if (weight > best.weight) best = { weight, wordWeight: match.wordWeight };
    }
    return best;
  }
}

function append(numbers: number[], number: number): void {
  if (numbers.length < USES_PER_STEM_MAX) numbers.push(number);
}
