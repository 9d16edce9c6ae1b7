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
