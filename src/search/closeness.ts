import type { MatchCloseness } from "../content/library.ts";
import { isLongPhrase } from "./query.ts";
import type { QueryFit } from "./ranking/proximity.ts";
import type { IndexQuery, QueryWord } from "./search-terms.ts";

/**
 * An item counts as containing a line (a sentence or verse that the query quotes) if at least this share of
 * the line's words is close together in the item.
 */
const LINE_SHARE_MIN = 0.88;
/** The share of a short query's significant words that an item must contain to count as close. */
const COVERAGE_MIN = 0.95;
/**
 * Like {@link COVERAGE_MIN}, for queries with at least {@link LONG_QUERY_WORDS_MIN} significant
 * words.
 */
const LONG_QUERY_COVERAGE_MIN = 0.75;
const LONG_QUERY_WORDS_MIN = 4;

/**
 * How closely the best items match the query. `fits` has the fit of each item. An item is close if it
 * has most words of the query near each other and in order. Unless the query is a line, an item is also
 * close if it has all significant words, or most of them for a long query. Calibrated on the demo with
 * lines, names and questions. The demo cannot answer some of these questions (docs/decisions/030).
 */
export function classifyMatchCloseness(
  fits: readonly QueryFit[],
  { words, phrases, isNamed }: Pick<IndexQuery, "words" | "phrases"> & { isNamed: boolean },
): MatchCloseness {
  if (isNamed) return "named";
  // Every result contains all phrases of the query. If one phrase is long, the other words of the query
  // need not match.
  if (fits.length > 0 && phrases.some(([keys]) => keys !== undefined && isLongPhrase(keys)))
    return "close";
  const significant = words.filter(({ isStopOrFiller }) => !isStopOrFiller).length;
  const coverageMin = significant < LONG_QUERY_WORDS_MIN ? COVERAGE_MIN : LONG_QUERY_COVERAGE_MIN;
  const isClose = ({ line, coverage }: QueryFit) =>
    hasLineMatch({ line }) || (!isLineQuery(words) && significant > 0 && coverage >= coverageMin);
  return fits.some(isClose) ? "close" : "distant";
}

/** Whether the item contains the query as a line. */
export function hasLineMatch({ line }: Pick<QueryFit, "line">): boolean {
  return line >= LINE_SHARE_MIN;
}

/** True if stop words outnumber the other words. The query is then a line rather than a name. */
export function isLineQuery(words: readonly QueryWord[]): boolean {
  const { small, significant } = wordCounts(words);
  return small > significant;
}

/** Whether the query may be a line: a question about a subject seldom has this many stop words. */
export function mayBeLineQuery(words: readonly QueryWord[]): boolean {
  const { small, significant } = wordCounts(words);
  return small >= significant;
}

function wordCounts(words: readonly QueryWord[]): { small: number; significant: number } {
  const significant = words.filter(({ isStopOrFiller }) => !isStopOrFiller).length;
  const small = words.filter(({ isStopOrFiller, isFiller }) => isStopOrFiller && !isFiller).length;
  return { small, significant };
}
