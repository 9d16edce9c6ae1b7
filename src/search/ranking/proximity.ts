import { COLUMN_HALVES, type Postings } from "../postings/postings.ts";
import { eachWord } from "../postings/word-order.ts";
import { bestFirst, type Ranked } from "./best.ts";
import { inverseDocumentFrequency, lengthNorms, saturated } from "./bm25.ts";
import type { Term } from "./ranker.ts";

/**
 * Size of the items' word orders that are read for one search, in bytes (one to five for each word), so
 * that long items do not make it slow.
 */
const WORDS_READ_MAX = 400_000;
/** Words further apart, in the item or in the query, do not continue a line. */
const SPAN_WORDS = 8;
/** With fewer words besides fillers, the fillers count in a line, as any item could have the others. */
const LINE_WORDS_MIN = 4;
/** The most positions in the query at which one of its stems is matched. */
const POSITIONS_MAX = 4;

/**
 * A complete line adds its weight times this to the score; a partial line adds less than proportionally.
 */
const LINE_SHARE = 1.5;
/** The same for items that contain all words anywhere: they add the weight of those words times this. */
const COVERAGE_SHARE = 1.5;
/** The weight that two adjacent words add to a line, relative to a word of the same rarity. */
const PAIR_SHARE = 0.5;
/** The penalty for each skipped word, in the item or the query. */
const GAP_COST = 0.9;

const HALVES = [COLUMN_HALVES.title, COLUMN_HALVES.names, COLUMN_HALVES.body] as const;
const NAMES_COLUMN = 1;
/**
 * Weight, in halves, of a word that occurs in the title of a related item although the query does
 * not name that item: "short" in "Short Works".
 */
const STRAY_HALVES = 1;

/** A query word with what proximity needs of it. */
export interface WeightedWord {
  /** Ids of the stems that match the word. */
  stemIds: readonly number[];
  /** Its inverse document frequency; unknown words have the highest. */
  weight: number;
  isSmall: boolean;
  /** Whether it only asks, and need not be in the line. */
  isFiller: boolean;
  /** Whether it is part of the name of an item. */
  isName: boolean;
  /** Rarity of the pair of the previous word and this one; 0: no item has it, or pairs are not used. */
  pairWeight: number;
}

export interface WeightedQuery {
  /** The terms of the first ranking. */
  terms: readonly Term[];
  words: readonly WeightedWord[];
  /** Whether there were more terms than the ranking uses. */
  isShortened: boolean;
  itemsTotal: number;
  /** Whether a word that an item lacks does not count against its line: one may be wrong. */
  mayHaveWrongWord?: boolean;
}

/** How well an item fits a query; 0 to 1 each, weighted by word. */
export interface Fit {
  /** The share of the query's words that the item contains, ignoring stop words. */
  coverage: number;
  /** The share of all words of the query that occur in it contiguously and in order. */
  line: number;
}

/**
 * Rescores the best items by where the query words occur in them: contiguously and in order, as in
 * a half-remembered line, or all of them anywhere. A soft form of sequential dependence (D.
 * Metzler, W. B. Croft: A Markov Random Field Model for Term Dependencies, SIGIR 2005) for windows
 * of any length.
 */
export class Proximity {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  rescored(found: readonly Ranked[], question: WeightedQuery): Ranked[] {
    const { items, words } = this.#postings.totals();
    const norms = lengthNorms(words / Math.max(1, items));
    const reader = new LineReader(question);
    const orders = this.#postings.orders(found.map(({ row }) => row));
    let left = WORDS_READ_MAX;
    return found
      .map((ranked) => {
        const order = orders.get(ranked.row);
        if (order === undefined || left < order.length) return ranked;
        left -= order.length;
        return { row: ranked.row, score: reader.read(order, norms[order[0] ?? 0] ?? 0).score };
      })
      .sort(bestFirst);
  }

  /** How well each item fits. */
  fits(rows: readonly number[], question: WeightedQuery): (Fit & { row: number })[] {
    const reader = new LineReader(question);
    return [...this.#postings.orders(rows)].map(([row, order]) => {
      const { coverage, line } = reader.read(order, 0);
      return { row, coverage, line };
    });
  }
}

/** Query words that occur contiguously and in order in an item. */
interface Line {
  /** Weight of its words and their adjacency. */
  weight: number;
  /** Weight of its words alone. */
  own: number;
}

/** A line, identified by the position of its last word in the item and in the query. */
interface Match extends Line {
  at: number;
  asked: number;
}

const EMPTY_LINE: Line = { weight: 0, own: 0 };

/** The numbers of the terms, and the positions in the query, that a stem matches. */
interface Wanted {
  terms: number[];
  places: number[];
}

/** Scores items for one query. */
class LineReader {
  readonly #wanted = new Map<number, Wanted>();
  readonly #question: WeightedQuery;
  /** By position in the query: the weight that the word has in a line. */
  readonly #lineWeights: readonly number[];
  readonly #lineWeight: number;
  readonly #contentWeight: number;
  readonly #smallWeight: number;
  readonly #gains: readonly number[];
  /** By term: whether it is part of a name. */
  readonly #isName: readonly boolean[];
  readonly #frequencies: Float64Array;
  /** By term: 1 once the item has it other than as a stray word in a related title. */
  readonly #isOwn: Uint8Array;
  /** By position in the query: 1 once the item has the word. */
  readonly #isMet: Uint8Array;
  /** Lines found so far that end within the last {@link SPAN_WORDS} words of the item. */
  #matches: Match[] = [];
  #bestLine: Line = EMPTY_LINE;

  constructor(question: WeightedQuery) {
    this.#question = question;
    const { words, itemsTotal } = question;
    const terms = question.terms.filter(({ isExtra }) => !isExtra);
    this.#gains = terms.map(
      ({ weight, items }) => weight * inverseDocumentFrequency(items, itemsTotal),
    );
    const named = new Set(words.flatMap(({ isName, stemIds }) => (isName ? stemIds : [])));
    this.#isName = terms.map(({ stemIds }) => stemIds.some((id) => named.has(id)));
    this.#frequencies = new Float64Array(terms.length);
    this.#isOwn = new Uint8Array(terms.length);
    this.#isMet = new Uint8Array(words.length);
    for (const [number, { stemIds }] of terms.entries()) {
      for (const id of stemIds) append(this.#wantedFor(id).terms, number);
    }
    for (const [place, { stemIds }] of words.entries()) {
      for (const id of stemIds) append(this.#wantedFor(id).places, place);
    }
    const isAskedLine = words.filter(({ isFiller }) => !isFiller).length >= LINE_WORDS_MIN;
    this.#lineWeights = words.map(({ weight, isFiller }) => (isFiller && isAskedLine ? 0 : weight));
    this.#lineWeight = this.#lineWeights.reduce((sum, weight) => sum + weight, 0);
    this.#smallWeight = words.reduce((sum, { weight, isSmall }) => sum + (isSmall ? weight : 0), 0);
    const unknown = words.filter(({ isSmall, stemIds }) => !isSmall && stemIds.length === 0);
    this.#contentWeight =
      this.#gains.reduce((sum, gain) => sum + gain, 0) +
      unknown.reduce((sum, { weight }) => sum + weight, 0);
  }

  #wantedFor(id: number): Wanted {
    const known = this.#wanted.get(id);
    if (known !== undefined) return known;
    const made: Wanted = { terms: [], places: [] };
    this.#wanted.set(id, made);
    return made;
  }

  read(order: Uint8Array, norm: number): Fit & { score: number } {
    this.#frequencies.fill(0);
    this.#isOwn.fill(0);
    this.#isMet.fill(0);
    this.#matches = [];
    this.#bestLine = EMPTY_LINE;
    eachWord(order, (word, place, column) => {
      const wanted = this.#wanted.get(word);
      if (wanted === undefined) return;
      for (const term of wanted.terms) this.#count(term, column);
      if (wanted.places.length > 0) this.#extendLines(place, wanted.places);
    });
    let score = 0;
    let covered = 0;
    let own = 0;
    for (let number = 0; number < this.#frequencies.length; number++) {
      const frequency = this.#frequencies[number] ?? 0;
      if (frequency === 0) continue;
      const gain = this.#gains[number] ?? 0;
      score += gain * saturated(Math.min(255, frequency), norm);
      covered += gain;
      if (this.#isOwn[number] === 1) own += gain;
    }
    const coverage = Math.min(1, covered / Math.max(1e-9, this.#contentWeight));
    const rightWeight = Math.max(1e-9, this.#lineWeight - this.#wrongWeight());
    const line = Math.min(1, this.#bestLine.own / rightWeight);
    const bonus =
      LINE_SHARE * this.#bestLine.weight * line ** 3 +
      COVERAGE_SHARE * this.#contentWeight * this.#completeness(own) ** 8;
    return { score: score + bonus, coverage, line };
  }

  /** The weight of the heaviest word that the item lacks, if one word may be wrong. */
  #wrongWeight(): number {
    if (this.#question.mayHaveWrongWord !== true) return 0;
    return this.#lineWeights.reduce(
      (most, weight, place) => (this.#isMet[place] === 1 ? most : Math.max(most, weight)),
      0,
    );
  }

  #count(term: number, column: number): void {
    const isStray = column === NAMES_COLUMN && this.#isName[term] !== true;
    const halves = isStray ? STRAY_HALVES : (HALVES[column] ?? 0);
    this.#frequencies[term] = (this.#frequencies[term] ?? 0) + halves;
    if (!isStray) this.#isOwn[term] = 1;
  }

  /**
   * The share of all query words that the item has, by weight. `covered` is the weight of those that are
   * not stop words.
   */
  #completeness(covered: number): number {
    const { words } = this.#question;
    const small = words.reduce(
      (sum, { isSmall, weight }, place) => sum + (isSmall && this.#isMet[place] === 1 ? weight : 0),
      0,
    );
    return Math.min(1, (covered + small) / Math.max(1e-9, this.#contentWeight + this.#smallWeight));
  }

  /**
   * Adds the lines that end at this position in the item; `places` are the positions of its word in the
   * query.
   */
  #extendLines(at: number, places: readonly number[]): void {
    const near = this.#matches.filter((match) => at - match.at <= SPAN_WORDS);
    this.#matches = near;
    const ending = places.map((asked): Match => {
      this.#isMet[asked] = 1;
      const { weight = 0 } = this.#question.words[asked] ?? {};
      const before = this.#longestBefore(at, asked);
      const own = (this.#lineWeights[asked] ?? 0) + before.own;
      return { at, asked, weight: weight + before.weight, own };
    });
    for (const match of ending) {
      near.push(match);
      if (match.weight > this.#bestLine.weight) this.#bestLine = match;
    }
  }

  /** The best line that this match continues, minus the cost of the gap. */
  #longestBefore(at: number, asked: number): Line {
    const { pairWeight = 0 } = this.#question.words[asked] ?? {};
    let best = EMPTY_LINE;
    for (const match of this.#matches) {
      const between = asked - match.asked;
      if (between < 1 || between > SPAN_WORDS) continue;
      const gaps = between - 1 + (at - match.at - 1);
      const weight = match.weight + (gaps === 0 ? PAIR_SHARE * pairWeight : -GAP_COST * gaps);
      if (weight > best.weight) best = { weight, own: match.own };
    }
    return best;
  }
}

function append(numbers: number[], number: number): void {
  if (numbers.length < POSITIONS_MAX) numbers.push(number);
}
