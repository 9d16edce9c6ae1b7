import { decodeIndexedItem, forEachEncodedStem } from "../postings/indexed-items.ts";
import { COLUMN_WEIGHTS_TIMES_TWO, type IndexedStem, type Postings } from "../postings/postings.ts";
import { PAIR_BUCKET_COUNT } from "../postings/word-pairs.ts";
import { compareBestFirst, type RankedRow } from "./best-results.ts";
import { inverseDocumentFrequency, lengthNorms, saturatedFrequency } from "./bm25.ts";

/** The number of top items from which terms are taken. */
const ITEMS_READ = 5;
const ADDED_TERMS_MAX = 10;
/** Weight of an added term relative to a query term. */
const ADDED_WEIGHT = 0.1;
/** Stems read per item. An item with more stems contributes only its most frequent stems. */
const STEMS_READ_MAX = 200;
const STEM_CHARACTERS_MIN = 3;
/**
 * Deducted from each frequency that is high enough for the stem to be in the title. A title identifies
 * an item, but says little about the content of similar items. Multiplied by 2, like the frequencies.
 */
const TITLE_DISCOUNT = 2;

/**
 * Pseudo-relevance feedback: reranks results by terms that distinguish the best results from all
 * other items. Chooses the terms by rarity and by a relevance model over the best results.
 */
export class RelevanceFeedback {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  /** Reranks results without adding or removing any. */
  reranked(best: readonly RankedRow[], queryStems: ReadonlySet<number>): readonly RankedRow[] {
    if (best.length <= ITEMS_READ) return best;
    const { items, words } = this.#postings.totals();
    const indexed = this.#postings.items(best.map(({ row }) => row));
    const model = relevanceModel(best.slice(0, ITEMS_READ), indexed);
    const gains = this.#addedTerms(model, { queryStems, items });
    if (gains.size === 0) return best;
    const norms = lengthNorms(words / Math.max(1, items));
    return best
      .map(({ row, score }) => {
        const bytes = indexed.get(row);
        return { row, score: score + (bytes === undefined ? 0 : scoreOf(bytes, { gains, norms })) };
      })
      .sort(compareBestFirst);
  }

  /**
   * Chooses additional stems to rank by, apart from the stems of the query. Returns the weight of each
   * stem by its id.
   */
  #addedTerms(
    model: ReadonlyMap<number, number>,
    { queryStems, items }: { queryStems: ReadonlySet<number>; items: number },
  ): Map<number, number> {
    const terms = [...model].flatMap(([id, weight]) => {
      const stem = queryStems.has(id) ? null : this.#postings.stemById(id);
      if (stem === null || !isDistinctive(stem)) return [];
      const rarity = inverseDocumentFrequency(stem.items, items);
      return [{ id, rarity, weight: weight * rarity }];
    });
    const chosenTerms = terms.sort((a, b) => b.weight - a.weight).slice(0, ADDED_TERMS_MAX);
    return new Map(chosenTerms.map(({ id, rarity }) => [id, rarity * ADDED_WEIGHT]));
  }
}

/** The share of each stem in the best items. Items with a higher score count more. */
function relevanceModel(
  best: readonly RankedRow[],
  indexed: ReadonlyMap<number, Uint8Array>,
): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { row, score } of best) {
    const bytes = indexed.get(row);
    if (bytes === undefined) continue;
    const stems = decodeIndexedItem(bytes).stems.filter(([id]) => id > PAIR_BUCKET_COUNT);
    const length = stems.reduce((sum, [, frequency]) => sum + frequency, 0);
    const stemsRead =
      stems.length <= STEMS_READ_MAX
        ? stems
        : stems.toSorted(([, a], [, b]) => b - a).slice(0, STEMS_READ_MAX);
    for (const [id, frequency] of stemsRead) {
      const weighted =
        frequency < COLUMN_WEIGHTS_TIMES_TWO.title ? frequency : frequency - TITLE_DISCOUNT;
      weights.set(id, (weights.get(id) ?? 0) + (score * weighted) / length);
    }
  }
  return weights;
}

function scoreOf(
  bytes: Uint8Array,
  { gains, norms }: { gains: ReadonlyMap<number, number>; norms: Float32Array },
): number {
  const norm = norms[bytes[0] ?? 0] ?? 0;
  let score = 0;
  forEachEncodedStem(bytes, (id, frequency) => {
    const gain = gains.get(id);
    if (gain !== undefined) score += gain * saturatedFrequency(frequency, norm);
  });
  return score;
}

function isDistinctive({ stem, items }: IndexedStem): boolean {
  return items >= 2 && stem.length >= STEM_CHARACTERS_MIN;
}
