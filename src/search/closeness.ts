import type { Closeness } from "../content/library.ts";
import type { Fit } from "./ranking/proximity.ts";
import type { QueryWord } from "./search-terms.ts";

/** From this share of a line on, in order and together, an item is taken to hold it. */
const LINE_MIN = 0.88;
/** Shares of the words that tell something, for a few words and for many. */
const COVERAGE_MIN = 0.95;
const COVERAGE_OF_MANY_MIN = 0.75;
const MANY_WORDS = 4;

/**
 * Does any of these items hold what was asked? A line is held if most of it stands together; other
 * queries if all their words occur. Calibrated on lines, names and questions with an answer in the demo
 * and without one (docs/decisions/030).
 */
export function closenessOf(
  fits: readonly Fit[],
  { words, isNamed }: { words: readonly QueryWord[]; isNamed: boolean },
): Closeness {
  if (isNamed) return "named";
  const telling = words.filter(({ isSmall }) => !isSmall).length;
  const small = words.filter(({ isSmall, isFiller }) => isSmall && !isFiller).length;
  const isLine = small > telling;
  const coverageMin = telling < MANY_WORDS ? COVERAGE_MIN : COVERAGE_OF_MANY_MIN;
  const isClose = ({ line, coverage }: Fit) =>
    line >= LINE_MIN || (!isLine && telling > 0 && coverage >= coverageMin);
  return fits.some(isClose) ? "close" : "distant";
}
