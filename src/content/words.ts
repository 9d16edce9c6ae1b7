/** A word of a text and where it stands, in UTF-16 units. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/** Scripts that put no space between words, and Hangul, whose words carry their endings along. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー";
const WORD = new RegExp(
  `[[${UNSPACED}]&&[\\p{L}\\p{N}\\p{M}]]+|[[\\p{L}\\p{N}]--[${UNSPACED}]][[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]*`,
  "gv",
);
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

/**
 * Runs of letters and digits with their marks; a run in a script without spaces is one word. The `s`
 * of a genitive (`God's`) is no word.
 */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (word.length === 1 && isGenitive(text, match.index)) continue;
    words.push({ text: word, start: match.index, end: match.index + word.length });
  }
  return words;
}

/** Is it a run of characters in a script without spaces, hence any number of words? */
export function isUnspaced(word: string): boolean {
  return UNSPACED_START.test(word);
}

function isGenitive(text: string, start: number): boolean {
  const mark = text[start - 1];
  return (mark === "'" || mark === "’") && text[start]?.toLowerCase() === "s" && start > 1;
}
