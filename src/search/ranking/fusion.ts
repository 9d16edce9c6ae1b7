import { compareBestFirst, type RankedRow } from "./best-results.ts";

/** The share of the word ranking in the merged score. */
const WORDS_SHARE = 0.8;
const MEANING_SHARE = 1 - WORDS_SHARE;

/**
 * Merges the word ranking and the meaning ranking by a convex combination of their scores, each scaled
 * to 0…1 (S. Bruch, S. Gai, A. Ingber: An Analysis of Fusion Functions for Hybrid Retrieval, ACM TOIS
 * 42(1), 2023). Scores by words are scaled from 0 (no match) to the best score. Cosines are scaled from the
 * lowest to the highest of `cosines`; an item without a cosine gets the average.
 */
export function mergeRankings(
  found: readonly RankedRow[],
  cosines: ReadonlyMap<number, number>,
): RankedRow[] {
  if (cosines.size === 0) return [...found];
  const known = [...cosines.values()];
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const average = known.reduce((sum, cosine) => sum + cosine, 0) / known.length;
  const bestByWords = found.reduce((best, { score }) => Math.max(best, score), 0);
  return found
    .map(({ row, score }) => {
      const byWords = bestByWords === 0 ? 0 : score / bestByWords;
      const cosine = cosines.get(row) ?? average;
      const byMeaning = most === least ? 0 : (cosine - least) / (most - least);
      return { row, score: WORDS_SHARE * byWords + MEANING_SHARE * byMeaning };
    })
    .sort(compareBestFirst);
}
