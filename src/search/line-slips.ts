import { foldText } from "./language/folding.ts";
import { slipsTo, slipsWithin } from "./language/similarity.ts";
import { wordToken } from "./language/stems.ts";
import { isUnspaced, type Word, wordsOf } from "./language/words.ts";
import { replaceWords, type SearchTerms } from "./query.ts";

/** A line has at least this many words, or characters of a script without spaces. */
const UNITS_MIN = 4;
const UNITS_MAX = 60;
const READ_CHARACTERS_MAX = 20_000;
/** The right word is looked for within this many words of the misspelled word's neighbours. */
const REACH_WORDS = 3;
/** Shorter words have too many similar ones. */
const CHARACTERS_MIN = 3;
/** One word in this many may be wrong; in scripts without spaces, one character in this many. */
const WORDS_PER_SLIP = 6;
const CHARACTERS_PER_SLIP = 8;

/** A word, or a character of a script without spaces. */
interface Unit extends Word {
  folded: string;
  /** The stem, or the character itself. */
  key: string;
  isStop: boolean;
}

/**
 * Replaces misspelled words of the query by similar ones that the text has near the same neighbours, even
 * if the words as typed occur elsewhere. Null: there are none, or so many that it is another line.
 */
export function lineWithoutSlips(
  { text: asked, words }: SearchTerms,
  { text, language }: { text: string; language: string },
): string | null {
  const typed = wordUnits(words, language);
  if (typed.length < UNITS_MIN || typed.length > UNITS_MAX) return null;
  const held = wordUnits(wordsOf(text.slice(0, READ_CHARACTERS_MAX)), language);
  const places = typed.map((unit) => matchingPositions(unit, held));
  const replacements = typed.flatMap((unit, at) => {
    const near = [...nearPositions(places[at - 1], 1), ...nearPositions(places[at + 1], -1)];
    if (near.some((place) => held[place]?.key === unit.key)) return [];
    const by = likeliest(unit, near, held);
    return by === null ? [] : [{ word: unit, by: withCaseOf(unit.text, by.text) }];
  });
  const wrong = replacements.filter(({ word, by }) => word.folded !== foldText(by));
  const isUnspacedLine = typed.some((unit) => isUnspaced(unit.text));
  const perSlip = isUnspacedLine ? CHARACTERS_PER_SLIP : WORDS_PER_SLIP;
  const isOther = wrong.length > typed.length / perSlip;
  return replacements.length === 0 || isOther ? null : replaceWords(asked, replacements);
}

function wordUnits(words: readonly Word[], language: string): Unit[] {
  return words.flatMap(({ text, start, end }): Unit[] => {
    if (!isUnspaced(text)) {
      const { folded, key, isStop } = wordToken(text, language);
      return [{ text, start, end, folded, key, isStop }];
    }
    let at = start;
    return [...text].map((character) => {
      const from = at;
      at += character.length;
      const folded = foldText(character);
      return { text: character, start: from, end: at, folded, key: folded, isStop: false };
    });
  });
}

function matchingPositions({ folded, key }: Unit, held: readonly Unit[]): ReadonlySet<number> {
  const same = (unit: Unit) => unit.folded === folded || unit.key === key;
  return new Set(held.flatMap((unit, place) => (same(unit) ? [place] : [])));
}

function withCaseOf(typed: string, text: string): string {
  return typed === typed.toLowerCase() ? text.toLowerCase() : text;
}

/** The positions just after (1) or before (-1) these. */
function nearPositions(places: Iterable<number> = [], direction: 1 | -1): number[] {
  return [...places].flatMap((place) =>
    Array.from({ length: REACH_WORDS }, (_, n) => place + direction * (n + 1)),
  );
}

/**
 * The most similar unit at these positions; among equals, one near both neighbours. Null: none is
 * similar.
 */
function likeliest(unit: Unit, places: readonly number[], held: readonly Unit[]): Unit | null {
  let likeliest: Unit | null = null;
  let least = Number.POSITIVE_INFINITY;
  const neighbours = new Map<number, number>();
  for (const place of places) neighbours.set(place, (neighbours.get(place) ?? 0) + 1);
  for (const [place, count] of neighbours) {
    const other = held[place];
    if (other === undefined || !isMisspellingOf(unit, other)) continue;
    const distance = slipsTo(unit.folded, other.folded, slipsWithin(unit.folded)) - count / 10;
    if (distance >= least) continue;
    likeliest = other;
    least = distance;
  }
  return likeliest;
}

/** In scripts without spaces, any character may be a slip for any other. */
function isMisspellingOf(unit: Unit, other: Unit): boolean {
  const isCharacter = isUnspaced(unit.text);
  if (isCharacter || isUnspaced(other.text)) return isCharacter && isUnspaced(other.text);
  const max = slipsWithin(unit.folded);
  if (unit.isStop) return false;
  return unit.folded.length >= CHARACTERS_MIN && slipsTo(unit.folded, other.folded, max) <= max;
}
