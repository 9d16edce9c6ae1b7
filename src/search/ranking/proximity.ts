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
const COVERAGE_SHARE = 0.5;
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
  itemsTotal: number;
}

export interface Rescored extends Ranked {
  /** 0 to 1: the share of the query's words that the item has, by weight. */
  coverage: number;
  /** 0 to 1: the share that stands together and in order. */
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

  rescored(found: readonly Ranked[], question: Question): Rescored[] {
    const { items, words } = this.#postings.totals();
    const norms = lengthNorms(words / Math.max(1, items));
    const reader = new LineReader(question);
    const orders = this.#postings.orders(found.map(({ row }) => row));
    let left = WORDS_READ_MAX;
    return found
      .map((ranked): Rescored => {
        const order = orders.get(ranked.row);
        if (order === undefined || left < order.length) return { ...ranked, coverage: 0, line: 0 };
        left -= order.length;
        return { row: ranked.row, ...reader.read(order, norms[order[0] ?? 0] ?? 0) };
      })
      .sort(bestFirst);
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
  readonly #gains: readonly number[];
  readonly #frequencies: Float64Array;
  /** The latest matches: place in the item, place in the query, weight of the best line that ends here. */
  #matches: Match[] = [];
  #bestLine: Line = EMPTY;

  constructor(question: Question) {
    this.#question = question;
    const { words, itemsTotal } = question;
    const terms = question.terms.filter(({ isExtra }) => !isExtra);
    this.#gains = terms.map(({ weight, items }) => weight * rarity(items, itemsTotal));
    this.#frequencies = new Float64Array(terms.length);
    for (const [number, { stemIds }] of terms.entries()) {
      for (const id of stemIds) append(this.#termsOf, id, number);
    }
    for (const [place, { stemIds }] of words.entries()) {
      for (const id of stemIds) append(this.#placesOf, id, place);
    }
    this.#wordsWeight = words.reduce((sum, { weight }) => sum + weight, 0);
    this.#contentWeight = words.reduce(
      (sum, { weight, isSmall }) => sum + (isSmall ? 0 : weight),
      0,
    );
  }

  read(order: Uint8Array, norm: number): Omit<Rescored, "row"> {
    this.#frequencies.fill(0);
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
      LINE_SHARE * this.#bestLine.weight * line ** 2 +
      COVERAGE_SHARE * this.#contentWeight * coverage ** 4;
    return { score: score + bonus, coverage, line };
  }

  /** Lines that end at this place of the item. */
  #extendLines(at: number, places: readonly number[]): void {
    const near = this.#matches.filter((match) => at - match.at <= SPAN);
    this.#matches = near;
    const ending = places.map((asked): Match => {
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
