/** Relevance grade of a document for a query; 0 or less: not relevant. */
export type Judgements = ReadonlyMap<string, number>;

export interface Measures {
  /** nDCG of the first ten. */
  ndcgAt10: number;
  /** Recall in the first hundred. */
  recallAt100: number;
  /** Reciprocal rank of the first relevant document. */
  reciprocalRank: number;
}

/**
 * Same as trec_eval's `ndcg_cut.10`, `recall.100` and `recip_rank` for one query: the gain is the grade,
 * the discount log2(rank + 1), and unjudged documents count as grade 0.
 */
export function measure(ranking: readonly string[], judged: Judgements): Measures {
  const grades = ranking.map((id) => Math.max(0, judged.get(id) ?? 0));
  const best = [...judged.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const first = grades.findIndex((grade) => grade > 0);
  const found = grades.slice(0, 100).filter((grade) => grade > 0).length;
  return {
    ndcgAt10: best.length === 0 ? 0 : gainAt10(grades) / gainAt10(best),
    recallAt100: best.length === 0 ? 0 : found / best.length,
    reciprocalRank: first === -1 ? 0 : 1 / (first + 1),
  };
}

function gainAt10(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
}

/** Averages over all judged queries, including those without results, as `trec_eval -c` does. */
export function mean(all: readonly Measures[]): Measures {
  const of = (one: (measures: Measures) => number) =>
    all.reduce((sum, measures) => sum + one(measures), 0) / Math.max(1, all.length);
  return {
    ndcgAt10: of(({ ndcgAt10 }) => ndcgAt10),
    recallAt100: of(({ recallAt100 }) => recallAt100),
    reciprocalRank: of(({ reciprocalRank }) => reciprocalRank),
  };
}
