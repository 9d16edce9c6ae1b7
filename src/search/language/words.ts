/** A word and its position in the text, in UTF-16 code units. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

/** Scripts without spaces between words, and Hangul, where endings are attached to words. */
const UNSPACED_SCRIPTS =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー";
const WORD_PATTERN = new RegExp(
  `[[${UNSPACED_SCRIPTS}]&&[\\p{L}\\p{N}\\p{M}]]+|[[\\p{L}\\p{N}]--[${UNSPACED_SCRIPTS}]][[\\p{L}\\p{N}\\p{M}]--[${UNSPACED_SCRIPTS}]]*`,
  "gv",
);
/** Matches texts of ASCII characters and of punctuation that only separates words. */
const SIMPLE_TEXT = /^[\0-\x7f‘’‚“”„«»–—…]*$/;
/**
 * Characters that always end a word, unlike a full stop or an apostrophe, which may be part of a
 * word.
 */
const WORD_END = /[\s、。，]/g;
const UNSPACED_START = new RegExp(`^[${UNSPACED_SCRIPTS}]`, "v");

/**
 * Splits a text into words: sequences of letters, digits and marks. In a script without spaces, a
 * whole sequence is one word. Drops the genitive `s`, as in `God's`.
 */
export function wordsOf(text: string): Word[] {
  if (SIMPLE_TEXT.test(text)) return plainWordsOf(text);
  const words: Word[] = [];
  for (const match of text.matchAll(WORD_PATTERN)) {
    const [word] = match;
    if (word.length === 1 && isGenitive(text, match.index)) continue;
    words.push({ text: word, start: match.index, end: match.index + word.length });
  }
  return words;
}

/**
 * Returns the same words as {@link wordsOf} at a third of the cost, but accepts only texts that match
 * {@link SIMPLE_TEXT}. Most texts match.
 */
function plainWordsOf(text: string): Word[] {
  const words: Word[] = [];
  let start = -1;
  for (let at = 0; at <= text.length; at += 1) {
    if (isPlainLetterOrDigit(text.charCodeAt(at))) {
      if (start === -1) start = at;
      continue;
    }
    if (start === -1) continue;
    if (at - start > 1 || !isGenitive(text, start)) {
      words.push({ text: text.slice(start, at), start, end: at });
    }
    start = -1;
  }
  return words;
}

function isPlainLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** Splits a text into pieces of about this many characters, never within a word. */
export function* chunkAtWordBoundaries(text: string, characters: number): Generator<string> {
  let from = 0;
  while (from < text.length) {
    WORD_END.lastIndex = from + characters;
    const end = WORD_END.exec(text)?.index ?? text.length;
    yield text.slice(from, end);
    from = end;
  }
}

/**
 * Whether the word is in a script without spaces. {@link wordsOf} returns a whole sequence of such
 * characters as one word.
 */
export function isInUnspacedScript(word: string): boolean {
  return UNSPACED_START.test(word);
}

function isGenitive(text: string, start: number): boolean {
  const apostrophe = text[start - 1];
  return (
    (apostrophe === "'" || apostrophe === "’") && text[start]?.toLowerCase() === "s" && start > 1
  );
}
