import { hashWord } from "../../search/language/folding.ts";

/**
 * The files of a search index. The export writes them, and the script of the search page reads them.
 * All are plain text, so that every web server compresses them.
 *
 * - `index.txt`: line 1 has the language's stop words. Line 2 has the first word form of each `words/`
 *   file, in order. Spaces separate the words.
 * - `words/….txt`: each line has the word forms of one stem, separated by spaces, then a tab, then the
 *   postings of the items that have one of these forms.
 * - `items/….txt`: each line has the number of an item, then a tab, then the item's entry in a list of
 *   results, as HTML.
 */
export const INDEX_FILE = "index.txt";

/** Name of the file whose first word form is `firstForm`. */
export function wordsFileName(firstForm: string): string {
  return `words/${(hashWord(firstForm) >>> 0).toString(16)}.txt`;
}

/**
 * Item numbers per file. Only an eighth to a quarter of them are in use, so a file has about 16 to
 * 32 items.
 */
const ITEM_NUMBERS_PER_FILE = 128;

/** Name of the file with the entry of an item. */
export function itemsFileName(number: number): string {
  return `items/${Math.floor(number / ITEM_NUMBERS_PER_FILE).toString(16)}.txt`;
}

/**
 * Where a word occurs in an item. 0: once in the text; 1: several times in the text; 2: in the
 * title; 3: in a title of few words.
 */
export type OccurrenceKind = 0 | 1 | 2 | 3;

/** An entry in a word's list of items: an item that contains the word. */
export interface Posting {
  number: number;
  occurrence: OccurrenceKind;
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
/**
 * Numbers are written in a variable number of digits. A digit of at least this value means that another
 * digit follows.
 */
const CONTINUED = 32;

/**
 * Encodes a posting. `before` is the number of the previous posting in the list; -1 if there is
 * none.
 */
export function encodePosting({ number, occurrence }: Posting, before: number): string {
  let value = (number - before - 1) * 4 + occurrence;
  let text = "";
  for (; value >= CONTINUED; value = Math.floor(value / CONTINUED)) {
    text += DIGITS.charAt(CONTINUED + (value % CONTINUED));
  }
  return text + DIGITS.charAt(value);
}

/** Decodes a list of postings, which are in ascending order of their numbers. */
export function* decodePostings(text: string): Generator<Posting> {
  let number = -1;
  let value = 0;
  let unit = 1;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    value += (digit % CONTINUED) * unit;
    unit *= CONTINUED;
    if (digit >= CONTINUED) continue;
    number += 1 + Math.floor(value / 4);
    yield { number, occurrence: occurrenceOf(value % 4) };
    value = 0;
    unit = 1;
  }
}

function occurrenceOf(value: number): OccurrenceKind {
  return value === 1 || value === 2 || value === 3 ? value : 0;
}
