import { stemmer } from "stemmer";
import { foldText } from "../../content/folding.ts";
import { wordsOf } from "../../content/words.ts";

const REMEMBERED_MAX = 50_000;
const LATIN_WORD = /^[a-z]{3,40}$/;
const remembered = new Map<string, string>();

/** What a folded word is found by: its stem after Porter, for words in plain letters. */
export function stemOf(word: string): string {
  if (!LATIN_WORD.test(word)) return word;
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const stem = stemmer(word);
  remembered.set(word, stem);
  return stem;
}

/** The folded words of a text, in order. */
export function foldedWords(text: string): string[] {
  return wordsOf(foldText(text)).map((word) => word.text);
}

/** English words too frequent to tell items apart (Lucene's list, question words added). */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a about an and any are as at be been being but by can could did do does for from had has have " +
    "he her him his how i if in into is it its may me my no not of on or our she should so such t " +
    "than that the their them then there these they this those to was we were what when where which " +
    "while who whom whose why will with would you your"
  ).split(" "),
);
