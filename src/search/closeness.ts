import type { Closeness } from "../content/library.ts";
import { isLong } from "./query.ts";
import type { Fit } from "./ranking/proximity.ts";
import type { IndexQuery, QueryWord } from "./search-terms.ts";

/** An item with at least this share of a line, contiguous and in order, counts as containing the line. */
const LINE_MIN = 0.88;
/** Minimum share of a query's significant words that an item must contain; long queries may miss more. */
const COVERAGE_MIN = 0.95;
const COVERAGE_OF_MANY_MIN = 0.75;
const MANY_WORDS = 4;

/**
 * How closely the best of these items match the query: named, close or distant. A line from a text
 * is close if most of it occurs contiguously; any other query if all its significant words occur,
 * or most of them in a long query.
 * Calibrated on lines, names and questions with and without an answer in the demo (docs/decisions/030).
 */
export function closenessOf(
  fits: readonly Fit[],
  { words, phrases, isNamed }: Pick<IndexQuery, "words" | "phrases"> & { isNamed: boolean },
): Closeness {
  if (isNamed) return "named";
  // Every result contains the phrases; the rest of a long question need not match.
  if (fits.length > 0 && phrases.some(([words]) => words !== undefined && isLong(words)))
    return "close";
  const significant = words.filter(({ isSmall }) => !isSmall).length;
  const coverageMin = significant < MANY_WORDS ? COVERAGE_MIN : COVERAGE_OF_MANY_MIN;
  const isClose = ({ line, coverage }: Fit) =>
    hasLine({ line }) || (!isLine(words) && significant > 0 && coverage >= coverageMin);
  return fits.some(isClose) ? "close" : "distant";
}

export function hasLine({ line }: Pick<Fit, "line">): boolean {
  return line >= LINE_MIN;
}

/** Whether stop words outnumber the other words, as they do in a line from a text but not in a name. */
export function isLine(words: readonly QueryWord[]): boolean {
  const { small, significant } = counted(words);
  return small > significant;
}

/** Whether it has as many stop words as a line may have, but a question on a subject seldom has. */
export function mayBeLine(words: readonly QueryWord[]): boolean {
  const { small, significant } = counted(words);
  return small >= significant;
}

function counted(words: readonly QueryWord[]): { small: number; significant: number } {
  const significant = words.filter(({ isSmall }) => !isSmall).length;
  const small = words.filter(({ isSmall, isFiller }) => isSmall && !isFiller).length;
  return { small, significant };
}
