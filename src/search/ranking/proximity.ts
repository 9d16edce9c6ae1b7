import { COLUMN_HALVES, type Postings } from "../postings/postings.ts";
import { eachWord } from "../postings/word-order.ts";
import { bestFirst, type Ranked } from "./best.ts";
import { lengthNorms, rarity, saturated } from "./bm25.ts";
import type { Term } from "./ranker.ts";

/** Words of the best items read for one search, so that long items do not make it slow. */
const WORDS_READ_MAX = 400_000;
/** Words further apart, in the item or in the query, do not continue a line. */
const SPAN = 8;
/** A word that the query repeats is looked for at so many of its places. */
const PLACES_MAX = 4;

/** Share of a line's own weight that a whole one adds to the score; a part adds less than its share. */
const LINE_SHARE = 1.5;
/** The same for items that have all words somewhere, of those words' weight. */
const COVERAGE_SHARE = 1.5;
/** What two words side by side add to a line, relative to a word as rare. */
const PAIR_SHARE = 0.5;
/** What each word skipped, in the item or the query, takes from a line. */
const GAP_COST = 0.9;

const HALVES = [COLUMN_HALVES.title, COLUMN_HALVES.names, COLUMN_HALVES.body] as const;

/** A word of the query, where it stands. */
export interface AskedWord {
  /** Numbers of the stems that match it. */
  stemIds: readonly number[];
  /** Its rarity; unknown words have the highest. */
  weight: number;
  isSmall: boolean;
  /** Rarity of this word right behind the one before; 0: there is none. */
  pairWeight: number;
}

export interface Question {
  /** What items are ranked by at first. */
  terms: readonly Term[];
  words: readonly AskedWord[];
  /** Were there more terms than items are ranked by? */
  isShortened: boolean;
  itemsTotal: number;
}

/** How well an item fits a query; 0 to 1 each, by weight of the words. */
export interface Fit {
  /** The share of the query's words that the item has, stop words aside. */
  coverage: number;
  /** The share of all its words that stand together and in order. */
  line: number;
}

/**
 * Rescores the best items by how the words of the query stand in them: together and in order, as in a
 * line half remembered, or all of them somewhere. A soft form of sequential dependence (D. Metzler,
 * W. B. Croft: A Markov Random Field Model for Term Dependencies, SIGIR 2005) for windows of any length.
 */
export class Proximity {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  rescored(found: readonly Ranked[], question: Question): Ranked[] {
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
  fits(rows: readonly number[], question: Question): Fit[] {
    const reader = new LineReader(question);
    return [...this.#postings.orders(rows).values()].map((order) => {
      const { coverage, line } = reader.read(order, 0);
      return { coverage, line };
    });
  }
}

/** Words of the query that stand together in an item, in order. */
interface Line {
  /** Of its words and their neighbourhood. */
  weight: number;
  /** Of its words alone. */
  own: number;
}

/** A line by its last word: its place in the item and in the query. */
interface Match extends Line {
  at: number;
  asked: number;
}

const EMPTY: Line = { weight: 0, own: 0 };

/** Scores items for one query. */
class LineReader {
  readonly #termsOf = new Map<number, number[]>();
  readonly #placesOf = new Map<number, number[]>();
  readonly #question: Question;
  readonly #wordsWeight: number;
  readonly #contentWeight: number;
  readonly #smallWeight: number;
  readonly #gains: readonly number[];
  readonly #frequencies: Float64Array;
  /** By place in the query: 1 once the item has the word. */
  readonly #isMet: Uint8Array;
  /** The latest matches: place in the item, place in the query, weight of the best line that ends here. */
  #matches: Match[] = [];
  #bestLine: Line = EMPTY;

  constructor(question: Question) {
    this.#question = question;
    const { words, itemsTotal } = question;
    const terms = question.terms.filter(({ isExtra }) => !isExtra);
    this.#gains = terms.map(({ weight, items }) => weight * rarity(items, itemsTotal));
    this.#frequencies = new Float64Array(terms.length);
    this.#isMet = new Uint8Array(words.length);
    for (const [number, { stemIds }] of terms.entries()) {
      for (const id of stemIds) append(this.#termsOf, id, number);
    }
    for (const [place, { stemIds }] of words.entries()) {
      for (const id of stemIds) append(this.#placesOf, id, place);
    }
    this.#wordsWeight = words.reduce((sum, { weight }) => sum + weight, 0);
    this.#smallWeight = words.reduce((sum, { weight, isSmall }) => sum + (isSmall ? weight : 0), 0);
    const unknown = words.filter(({ isSmall, stemIds }) => !isSmall && stemIds.length === 0);
    this.#contentWeight =
      this.#gains.reduce((sum, gain) => sum + gain, 0) +
      unknown.reduce((sum, { weight }) => sum + weight, 0);
  }

  read(order: Uint8Array, norm: number): Fit & { score: number } {
    this.#frequencies.fill(0);
    this.#isMet.fill(0);
    this.#matches = [];
    this.#bestLine = EMPTY;
    eachWord(order, (word, place, column) => {
      for (const term of this.#termsOf.get(word) ?? NONE)
        this.#frequencies[term] = (this.#frequencies[term] ?? 0) + (HALVES[column] ?? 0);
      const places = this.#placesOf.get(word);
      if (places !== undefined) this.#extendLines(place, places);
    });
    let score = 0;
    let covered = 0;
    for (const [number, frequency] of this.#frequencies.entries()) {
      if (frequency === 0) continue;
      const gain = this.#gains[number] ?? 0;
      score += gain * saturated(Math.min(255, frequency), norm);
      covered += gain;
    }
    const coverage = Math.min(1, covered / Math.max(1e-9, this.#contentWeight));
    const line = this.#bestLine.own / Math.max(1e-9, this.#wordsWeight);
    const bonus =
      LINE_SHARE * this.#bestLine.weight * line ** 3 +
      COVERAGE_SHARE * this.#contentWeight * this.#completeness(covered) ** 8;
    return { score: score + bonus, coverage, line };
  }

  /** The share of all words that the item has, by weight. */
  #completeness(covered: number): number {
    const { words } = this.#question;
    const small = words.reduce(
      (sum, { isSmall, weight }, place) => sum + (isSmall && this.#isMet[place] === 1 ? weight : 0),
      0,
    );
    return Math.min(1, (covered + small) / Math.max(1e-9, this.#contentWeight + this.#smallWeight));
  }

  /** Lines that end at this place of the item. */
  #extendLines(at: number, places: readonly number[]): void {
    const near = this.#matches.filter((match) => at - match.at <= SPAN);
    this.#matches = near;
    const ending = places.map((asked): Match => {
      this.#isMet[asked] = 1;
      const { weight = 0 } = this.#question.words[asked] ?? {};
      const before = this.#longestBefore(at, asked);
      return { at, asked, weight: weight + before.weight, own: weight + before.own };
    });
    for (const match of ending) {
      near.push(match);
      if (match.weight > this.#bestLine.weight) this.#bestLine = match;
    }
  }

  /** The best line that this match continues, with what the gap costs. */
  #longestBefore(at: number, asked: number): Line {
    const { pairWeight = 0 } = this.#question.words[asked] ?? {};
    let best = EMPTY;
    for (const match of this.#matches) {
      const between = asked - match.asked;
      if (between < 1 || between > SPAN) continue;
      const gaps = between - 1 + (at - match.at - 1);
      const weight = match.weight + (gaps === 0 ? PAIR_SHARE * pairWeight : -GAP_COST * gaps);
      if (weight > best.weight) best = { weight, own: match.own };
    }
    return best;
  }
}

const NONE: readonly number[] = [];

function append(map: Map<number, number[]>, id: number, place: number): void {
  const known = map.get(id);
  if (known === undefined) map.set(id, [place]);
  else if (known.length < PLACES_MAX) known.push(place);
}
