import type { Token } from "../language/stems.ts";
import { type IndexedItem, toIndexedItem } from "./indexed-items.ts";
import { COLUMN_WEIGHTS_TIMES_TWO, STORED_FREQUENCY_MAX } from "./postings.ts";
import type { INDEXED_TEXT_COLUMNS } from "./word-order.ts";
import { wordPairBucketNumber } from "./word-pairs.ts";

/** The words of a column in text order, and the stem number of each word. */
export interface NumberedWords {
  tokens: readonly Token[];
  ids: readonly number[];
}

type Column = (typeof INDEXED_TEXT_COLUMNS)[number];

/**
 * Adds the words of a column and its pairs of adjacent words to the weighted frequencies (times 2).
 * Subtracts them if `times` is -1. `from` and `to` limit the words, so that a long text can be added in
 * steps.
 * @returns the number of words that are not stop words.
 */
export function addWordFrequencies(
  frequencies: Map<number, number>,
  { tokens, ids }: NumberedWords,
  column: Column,
  { times = 1, from = 0, to = tokens.length }: { times?: 1 | -1; from?: number; to?: number } = {},
): number {
  const add = (id: number, halves: number) =>
    frequencies.set(id, (frequencies.get(id) ?? 0) + times * halves);
  let words = 0;
  let before = tokens[from - 1]?.hash ?? 0;
  for (const [at, { isStop, hash }] of tokens.slice(from, to).entries()) {
    if (!isStop) {
      words += 1;
      add(ids[from + at] ?? 0, COLUMN_WEIGHTS_TIMES_TWO[column]);
    }
    if (before !== 0 && hash !== 0)
      add(wordPairBucketNumber(before, hash), COLUMN_WEIGHTS_TIMES_TWO.body);
    before = hash;
  }
  return words;
}

/**
 * Computes the index entry of an item after a change of its names only. Returns null if a frequency to
 * change is at its stored maximum, because it is then unknown how much of the frequency comes from the
 * names.
 *
 * @param otherWords the number of words in title and body that are not stop words.
 */
export function recountChangedNames(
  item: IndexedItem,
  {
    before,
    after,
    otherWords,
  }: { before: NumberedWords; after: NumberedWords; otherWords: number },
): IndexedItem | null {
  const changes = new Map<number, number>();
  addWordFrequencies(changes, before, "names", { times: -1 });
  const words = otherWords + addWordFrequencies(changes, after, "names");
  const frequencies = new Map(item.stems);
  for (const [id, change] of changes) {
    const frequency = frequencies.get(id) ?? 0;
    if (change === 0) continue;
    if (frequency === STORED_FREQUENCY_MAX) return null;
    if (frequency + change === 0) frequencies.delete(id);
    else frequencies.set(id, frequency + change);
  }
  return toIndexedItem(frequencies, words);
}
