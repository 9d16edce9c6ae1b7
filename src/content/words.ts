/** A word of a text and where it stands, in UTF-16 units. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Runs of letters and digits with their marks. The `s` of a genitive (`God's`) is no word. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const [word] = match;
    if (word.length === 1 && isGenitive(text, match.index)) continue;
    words.push({ text: word, start: match.index, end: match.index + word.length });
  }
  return words;
}

function isGenitive(text: string, start: number): boolean {
  const mark = text[start - 1];
  return (mark === "'" || mark === "’") && text[start]?.toLowerCase() === "s" && start > 1;
}
