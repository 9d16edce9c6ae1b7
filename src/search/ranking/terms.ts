/** Limit of postings read for one search. The most frequent, least selective terms are dropped first. */
const ENTRIES_READ_MAX = 2_000_000;
/** Limit of postings read for extra terms (see {@link QueryTerm}). */
const EXTRA_ENTRIES_READ_MAX = 200_000;

/** A query term, which matches any of its stems. */
export interface QueryTerm {
  stemIds: readonly number[];
  /** Upper bound on the number of items that contain at least one stem of the term. */
  items: number;
  /** How often the query contains the term. For word pairs, the weight is lower. */
  weight: number;
  /** Whether the term only adds to the scores of items that other terms have found. */
  isExtra: boolean;
}

/** The rarest terms within the limits of postings to read, but at least one. Extra terms come last. */
export function selectTermsWithinReadLimits(terms: readonly QueryTerm[]): QueryTerm[] {
  const read = { own: 0, extra: 0 };
  return terms
    .toSorted((a, b) => Number(a.isExtra) - Number(b.isExtra) || a.items - b.items)
    .filter(({ items, isExtra }, position) => {
      read[isExtra ? "extra" : "own"] += items;
      return (
        position === 0 || (read.own <= ENTRIES_READ_MAX && read.extra <= EXTRA_ENTRIES_READ_MAX)
      );
    });
}
