import { isInUnspacedScript } from "./language/words.ts";
import type { Postings } from "./postings/postings.ts";
import { forEachEncodedWord } from "./postings/word-order.ts";
import { type PhraseInLanguages, wordPairBucketsOfPhrase } from "./search-terms.ts";

/** Limit of items that are read to check one phrase. The items that were inserted first are preferred. */
export const PHRASE_ROWS_MAX = 20_000;
/** When at most this many items remain, reading their words costs less than reading another posting list. */
const FEW_ROWS_MAX = 200;
const ROWS_READ_AT_ONCE = 500;

/** Finds the items that contain phrases: first by word pairs, then by the order of all words. */
export class PhraseFinder {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  /** Returns the rows of the items that contain the phrase in at least one language, in ascending order. */
  rowsWith(phrase: PhraseInLanguages, checkTime: () => void): number[] {
    const rows = phrase.flatMap((keys) => this.#rowsOf(keys, checkTime));
    return phrase.length === 1 ? rows : [...new Set(rows)].sort((a, b) => a - b);
  }

  #rowsOf(keys: readonly string[], checkTime: () => void): number[] {
    const ids = keys.map((key) => this.#postings.idOf(key));
    const known = ids.filter((id) => id !== null);
    if (known.length < ids.length) return [];
    const rows: number[] = [];
    const candidates = this.#candidates(keys);
    for (let from = 0; from < candidates.length; from += ROWS_READ_AT_ONCE) {
      checkTime();
      const batch = candidates.slice(from, from + ROWS_READ_AT_ONCE);
      for (const [row, order] of this.#postings.orders(batch)) {
        if (hasPhrase(order, known)) rows.push(row);
      }
    }
    return rows;
  }

  /** Returns the rows of items that may contain the words together, in ascending order. */
  #candidates(keys: readonly string[]): number[] {
    const pairs = keys.some(isInUnspacedScript) ? [] : wordPairBucketsOfPhrase(keys);
    const lists = [
      ...pairs.map((id) => this.#postings.stemById(id)),
      ...keys.map((key) => this.#postings.stem(key)),
    ]
      .filter((known) => known !== null)
      .sort((a, b) => a.items - b.items);
    if (pairs.some((id) => this.#postings.stemById(id) === null)) return [];
    const [rarest, ...others] = lists;
    if (rarest === undefined) return this.#postings.firstRows(PHRASE_ROWS_MAX);
    let rows = this.#rowsIn(rarest.id);
    for (const { id } of others) {
      if (rows.length <= FEW_ROWS_MAX) break;
      const rowsOfOther = new Set(this.#rowsIn(id));
      rows = rows.filter((row) => rowsOfOther.has(row));
    }
    return rows.slice(0, PHRASE_ROWS_MAX);
  }

  #rowsIn(id: number): number[] {
    const rows: number[] = [];
    for (const { entries, firstRow } of this.#postings.blocks(id)) {
      for (const entry of entries) rows.push(firstRow + (entry >>> 16));
    }
    return rows;
  }
}

function hasPhrase(order: Uint8Array, phrase: readonly number[]): boolean {
  let isFound = false;
  let expected = -1;
  /** For each possible start of the phrase, the number of words matched so far. */
  let partialMatches: number[] = [];
  forEachEncodedWord(order, (word, position) => {
    const continued =
      position === expected ? partialMatches.filter((matched) => phrase[matched] === word) : [];
    expected = position + 1;
    partialMatches = continued.map((matched) => matched + 1);
    if (phrase[0] === word) partialMatches.push(1);
    isFound ||= partialMatches.includes(phrase.length);
    return isFound;
  });
  return isFound;
}
