import { cutAtWord, foldText, wholeCharacters } from "./language/folding.ts";
import { wordToken } from "./language/stems.ts";
import { isUnspaced, type Word, wordsOf } from "./language/words.ts";
import type { IndexQuery } from "./search-terms.ts";

const SNIPPET_CHARACTERS_MAX = 300;
/** Length of the text, excluding match markers. */
const SHOWN_CHARACTERS_MAX = 240;
/** Context before the first match. */
const LEAD_CHARACTERS = 40;
const READ_CHARACTERS_MAX = 50_000;
const MATCH_START = "\u0002";
const MATCH_END = "\u0003";

export interface Wanted {
  stems: ReadonlySet<string>;
  /** Folded prefixes. */
  prefixes: readonly string[];
}

type Match = Word & { stem: string };

/**
 * The passage in which most of the wanted stems occur close together, at most 300 characters, each match
 * between U+0002 and U+0003; the start of the text if it has no match.
 */
export function snippetOf(
  text: string,
  { wanted, language }: { wanted: Wanted; language: string },
): string {
  const head = wholeCharacters(text.slice(0, READ_CHARACTERS_MAX));
  const read = head.replaceAll(/\n+/g, " ");
  const matches = wordsOf(read).flatMap((word) =>
    isUnspaced(word.text) ? matchesWithin(word, wanted) : matchOf(word, { wanted, language }),
  );
  const first = densest(matches);
  if (first === undefined) return cutAtWord(read, SHOWN_CHARACTERS_MAX);
  const from = startOfWord(read, Math.max(0, first.start - LEAD_CHARACTERS));
  const to = endOfWord(read, from + SHOWN_CHARACTERS_MAX);
  const before = from === 0 ? "" : "…";
  const after = to === read.length && head.length === text.length ? "" : "…";
  const shown = matches.filter(({ start, end }) => start >= from && end <= to);
  const roomForMarks = SNIPPET_CHARACTERS_MAX - (to - from) - before.length - after.length;
  return before + marked(read, { from, to, matches: shown.slice(0, roomForMarks / 2) }) + after;
}

function matchOf(word: Word, { wanted, language }: { wanted: Wanted; language: string }): Match[] {
  const { key } = wordToken(word.text, language);
  if (wanted.stems.has(key)) return [{ ...word, stem: key }];
  if (wanted.prefixes.length === 0) return [];
  const folded = foldText(word.text);
  const prefix = wanted.prefixes.find((start) => folded.startsWith(start));
  return prefix === undefined ? [] : [{ ...word, stem: prefix }];
}

/** Matching pairs within a run without spaces; overlapping ones are merged. */
function matchesWithin(run: Word, wanted: Wanted): Match[] {
  const matches: Match[] = [];
  const characters = [...run.text];
  let start = run.start;
  for (const [at, character] of characters.entries()) {
    const pair = character + (characters[at + 1] ?? "");
    const stem = [pair, character].map(foldText).find((piece) => wanted.stems.has(piece));
    const end = start + (stem === foldText(character) ? character : pair).length;
    const last = matches.at(-1);
    if (stem !== undefined && last !== undefined && last.end >= start)
      last.end = Math.max(last.end, end);
    else if (stem !== undefined) matches.push({ text: pair, start, end, stem });
    start += character.length;
  }
  return matches;
}

/** The match with which the passage of the most different stems begins. */
function densest(matches: readonly Match[]): Word | undefined {
  let best: Word | undefined;
  let bestStems = 0;
  for (const [index, match] of matches.entries()) {
    const stems = new Set<string>();
    for (const other of matches.slice(index, index + 50)) {
      if (other.end - match.start > SHOWN_CHARACTERS_MAX - LEAD_CHARACTERS) break;
      stems.add(other.stem);
    }
    if (stems.size > bestStems) {
      bestStems = stems.size;
      best = match;
    }
  }
  return best;
}

function startOfWord(text: string, at: number): number {
  if (at === 0) return 0;
  const space = text.indexOf(" ", at - 1);
  return space === -1 || space > at + LEAD_CHARACTERS ? characterStart(text, at) : space + 1;
}

function endOfWord(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(" ", at);
  return space < at - LEAD_CHARACTERS ? characterStart(text, at) : space;
}

/** Moves a cut out of the middle of a surrogate pair. */
function characterStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function marked(
  text: string,
  { from, to, matches }: { from: number; to: number; matches: readonly Word[] },
): string {
  let result = "";
  let done = from;
  for (const { start, end } of matches) {
    result += text.slice(done, start) + MATCH_START + text.slice(start, end) + MATCH_END;
    done = end;
  }
  return result + text.slice(done, to);
}

/** What to highlight for a query; stop words only if it has no other words. */
export function wantedBy({ words }: IndexQuery): Wanted {
  const isAlone = words.every(({ isSmall }) => isSmall);
  const shown = words.filter(({ isSmall }) => isAlone || !isSmall);
  return {
    stems: new Set(shown.flatMap(({ stems }) => stems)),
    prefixes: words.flatMap(({ prefix }) => (prefix === null ? [] : [prefix])),
  };
}
