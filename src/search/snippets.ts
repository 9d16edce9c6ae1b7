import { cutAtWord, dropLoneSurrogate, foldText } from "./language/folding.ts";
import { tokenizeWord } from "./language/stems.ts";
import { isInUnspacedScript, type Word, wordsOf } from "./language/words.ts";
import type { IndexQuery } from "./search-terms.ts";

const SNIPPET_CHARACTERS_MAX = 300;
/** Limit of the shown text, not counting the match markers. */
const SHOWN_CHARACTERS_MAX = 240;
/** Length of the context before the first match. */
const CONTEXT_CHARACTERS = 40;
const READ_CHARACTERS_MAX = 50_000;
const MATCH_START = "\u0002";
const MATCH_END = "\u0003";

/** The words and phrases to highlight in snippets. */
export interface TermsToHighlight {
  stems: ReadonlySet<string>;
  /** Folded prefixes. */
  prefixes: readonly string[];
}

type Match = Word & { stem: string };

/**
 * The passage of at most 300 characters with the most distinct stems of the query. If no stem
 * occurs, the start of the text. Keeps line breaks but no empty lines. Each match is enclosed in
 * U+0002 and U+0003.
 */
export function snippetOf(
  text: string,
  { highlights, language }: { highlights: TermsToHighlight; language: string },
): string {
  const readPart = dropLoneSurrogate(text.slice(0, READ_CHARACTERS_MAX));
  const lines = readPart.replaceAll(/\n+/g, "\n");
  const matches = wordsOf(lines).flatMap((word) =>
    isInUnspacedScript(word.text)
      ? matchesWithin(word, highlights)
      : matchOf(word, { highlights, language }),
  );
  const first = startOfDensest(matches);
  if (first === undefined) return cutAtWord(lines, SHOWN_CHARACTERS_MAX);
  const from = startOfWord(lines, Math.max(0, first.start - CONTEXT_CHARACTERS));
  const to = endOfWord(lines, from + SHOWN_CHARACTERS_MAX);
  const before = from === 0 ? "" : "…";
  const after = to === lines.length && readPart.length === text.length ? "" : "…";
  const shown = matches.filter(({ start, end }) => start >= from && end <= to);
  const charactersForMarkers = SNIPPET_CHARACTERS_MAX - (to - from) - before.length - after.length;
  return (
    before +
    withMarkers(lines, { from, to, matches: shown.slice(0, charactersForMarkers / 2) }) +
    after
  );
}

function matchOf(
  word: Word,
  { highlights, language }: { highlights: TermsToHighlight; language: string },
): Match[] {
  const { key } = tokenizeWord(word.text, language);
  if (highlights.stems.has(key)) return [{ ...word, stem: key }];
  if (highlights.prefixes.length === 0) return [];
  const folded = foldText(word.text);
  const prefix = highlights.prefixes.find((start) => folded.startsWith(start));
  return prefix === undefined ? [] : [{ ...word, stem: prefix }];
}

/**
 * Matches of character pairs within a word of a script without spaces. Overlapping matches are
 * merged.
 */
function matchesWithin(run: Word, highlights: TermsToHighlight): Match[] {
  const matches: Match[] = [];
  const characters = [...run.text];
  let start = run.start;
  for (const [at, character] of characters.entries()) {
    const pair = character + (characters[at + 1] ?? "");
    const stem = [pair, character].map(foldText).find((piece) => highlights.stems.has(piece));
    const end = start + (stem === foldText(character) ? character : pair).length;
    const last = matches.at(-1);
    if (stem !== undefined && last !== undefined && last.end >= start)
      last.end = Math.max(last.end, end);
    else if (stem !== undefined) matches.push({ text: pair, start, end, stem });
    start += character.length;
  }
  return matches;
}

/** The first match of the passage with the most distinct stems. */
function startOfDensest(matches: readonly Match[]): Word | undefined {
  let best: Word | undefined;
  let bestStems = 0;
  for (const [index, match] of matches.entries()) {
    const stems = new Set<string>();
    for (const other of matches.slice(index, index + 50)) {
      if (other.end - match.start > SHOWN_CHARACTERS_MAX - CONTEXT_CHARACTERS) break;
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
  const space = text.slice(at - 1, at + CONTEXT_CHARACTERS + 1).search(/[ \n]/);
  return space === -1 ? characterStart(text, at) : at + space;
}

function endOfWord(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = Math.max(text.lastIndexOf(" ", at), text.lastIndexOf("\n", at));
  return space < at - CONTEXT_CHARACTERS ? characterStart(text, at) : space;
}

/** Moves a position out of the middle of a surrogate pair, to its start. */
function characterStart(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function withMarkers(
  text: string,
  { from, to, matches }: { from: number; to: number; matches: readonly Word[] },
): string {
  let result = "";
  let markedEnd = from;
  for (const { start, end } of matches) {
    result += text.slice(markedEnd, start) + MATCH_START + text.slice(start, end) + MATCH_END;
    markedEnd = end;
  }
  return result + text.slice(markedEnd, to);
}

/**
 * Returns the words and phrases to highlight for a query. Stop words are highlighted only if the query has
 * no other words.
 */
export function selectTermsToHighlight({ words }: IndexQuery): TermsToHighlight {
  const areAllSmall = words.every(({ isStopOrFiller }) => isStopOrFiller);
  const shown = words.filter(({ isStopOrFiller }) => areAllSmall || !isStopOrFiller);
  return {
    stems: new Set(shown.flatMap(({ stems }) => stems)),
    prefixes: words.flatMap(({ prefix }) => (prefix === null ? [] : [prefix])),
  };
}
