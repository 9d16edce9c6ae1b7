import { foldText } from "./language/folding.ts";
import { maxTyposFor, typoDistance } from "./language/similarity.ts";
import { tokenizeWord } from "./language/stems.ts";
import { isInUnspacedScript, type Word, wordsOf } from "./language/words.ts";
import { replaceWords, type SearchTerms } from "./query.ts";

/**
 * A query counts as a line of a text only if it has at least this many words, or characters in a script
 * without spaces.
 */
const UNITS_MIN = 4;
const UNITS_MAX = 60;
const READ_CHARACTERS_MAX = 20_000;
/** The correct word must be within this many words of a neighbour of the misspelled word. */
const REACH_WORDS_MAX = 3;
/** Words shorter than this are not corrected, because they resemble too many others. */
const CHARACTERS_MIN = 3;
/** A line is corrected only if at most one in this many of its words is wrong. */
const WORDS_PER_SLIP_MIN = 6;
/**
 * A line in a script without spaces is corrected only if at most one in this many of its characters is
 * wrong.
 */
const CHARACTERS_PER_SLIP_MIN = 8;

/** A word, or a character in a script without spaces. */
interface Unit extends Word {
  folded: string;
  /** The stem, or the character itself. */
  key: string;
  isStop: boolean;
}

/**
 * Corrects a query that may be a misremembered line of the text. A typed word is replaced if the text
 * has a similar word near the same neighbours, even if the typed word occurs elsewhere in the text.
 * Returns null if nothing is replaced, or if so many words differ that the query must be another line.
 */
export function correctMisrememberedLine(
  { text: query, words }: SearchTerms,
  { text, language }: { text: string; language: string },
): string | null {
  const typed = wordUnits(words, language);
  if (typed.length < UNITS_MIN || typed.length > UNITS_MAX) return null;
  const textUnits = wordUnits(wordsOf(text.slice(0, READ_CHARACTERS_MAX)), language);
  const positions = typed.map((unit) => matchingPositions(unit, textUnits));
  const replacements = typed.flatMap((unit, at) => {
    const near = [...nearPositions(positions[at - 1], 1), ...nearPositions(positions[at + 1], -1)];
    if (near.some((position) => textUnits[position]?.key === unit.key)) return [];
    const correction = likeliestUnit(unit, near, textUnits);
    return correction === null ? [] : [{ word: unit, by: withCaseOf(unit.text, correction.text) }];
  });
  const wrongWords = replacements.filter(({ word, by }) => word.folded !== foldText(by));
  const isUnspacedLine = typed.some((unit) => isInUnspacedScript(unit.text));
  const unitsPerSlip = isUnspacedLine ? CHARACTERS_PER_SLIP_MIN : WORDS_PER_SLIP_MIN;
  const isOtherLine = wrongWords.length > typed.length / unitsPerSlip;
  return replacements.length === 0 || isOtherLine ? null : replaceWords(query, replacements);
}

function wordUnits(words: readonly Word[], language: string): Unit[] {
  return words.flatMap(({ text, start, end }): Unit[] => {
    if (!isInUnspacedScript(text)) {
      const { folded, key, isStop } = tokenizeWord(text, language);
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

function matchingPositions({ folded, key }: Unit, textUnits: readonly Unit[]): ReadonlySet<number> {
  const same = (unit: Unit) => unit.folded === folded || unit.key === key;
  return new Set(textUnits.flatMap((unit, position) => (same(unit) ? [position] : [])));
}

function withCaseOf(typed: string, text: string): string {
  return typed === typed.toLowerCase() ? text.toLowerCase() : text;
}

/**
 * The positions of the `REACH_WORDS_MAX` words after each of `positions`, or before each of them if
 * `direction` is -1.
 */
function nearPositions(positions: Iterable<number> = [], direction: 1 | -1): number[] {
  return [...positions].flatMap((position) =>
    Array.from({ length: REACH_WORDS_MAX }, (_, n) => position + direction * (n + 1)),
  );
}

/**
 * Returns the unit of the text that is most similar to `unit`, among the units at `positions`; null if none
 * is similar. If several are equally similar, prefers one that is near both neighbours of the typed word.
 */
function likeliestUnit(
  unit: Unit,
  positions: readonly number[],
  textUnits: readonly Unit[],
): Unit | null {
  let best: Unit | null = null;
  let leastDistance = Number.POSITIVE_INFINITY;
  const nearCounts = new Map<number, number>();
  for (const position of positions) nearCounts.set(position, (nearCounts.get(position) ?? 0) + 1);
  for (const [position, count] of nearCounts) {
    const other = textUnits[position];
    if (other === undefined || !isMisspellingOf(unit, other)) continue;
    const distance = typoDistance(unit.folded, other.folded, maxTyposFor(unit.folded)) - count / 10;
    if (distance >= leastDistance) continue;
    best = other;
    leastDistance = distance;
  }
  return best;
}

/**
 * Whether `unit` may be a misspelling of `other`. In scripts without spaces, any character may be a
 * misspelling of any other.
 */
function isMisspellingOf(unit: Unit, other: Unit): boolean {
  const isCharacter = isInUnspacedScript(unit.text);
  if (isCharacter || isInUnspacedScript(other.text))
    return isCharacter && isInUnspacedScript(other.text);
  const max = maxTyposFor(unit.folded);
  if (unit.isStop) return false;
  return (
    unit.folded.length >= CHARACTERS_MIN && typoDistance(unit.folded, other.folded, max) <= max
  );
}
