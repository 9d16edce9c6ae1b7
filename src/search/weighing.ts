import type { Postings } from "./postings/postings.ts";
import { inverseDocumentFrequency } from "./ranking/bm25.ts";
import type { WeightedQuery, WeightedWord } from "./ranking/proximity.ts";
import type { QueryTerm } from "./ranking/terms.ts";
import type { IndexQuery, QueryWord } from "./search-terms.ts";

/** Limit of stems looked up for a prefix. The most frequent stems are used. */
const PREFIX_STEMS_MAX = 50;
/**
 * Limit of terms, and limit of word pairs, by which items are ranked. The most selective terms and
 * pairs are used.
 */
const TERMS_MAX = 24;
/** With more terms than this, word pairs are not used, because the terms alone find the same items. */
const PAIRED_TERMS_MAX = 3;
/** Limit on the index entries to read for word pairs when only pairs decide which items match. */
const PAIR_ENTRIES_MAX = 200_000;
/** Weight of a word pair relative to a word of the same rarity. */
const PAIR_WEIGHT = 0.3;
/** Weight of a stop word, which has no postings to count. Most other words weigh more. */
const STOP_WORD_WEIGHT = 0.7;

/** Looks up the words of a query in the index and weighs them by their rarity. */
export class QueryWeigher {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  weightedQuery({ words }: IndexQuery): WeightedQuery {
    const { items } = this.#postings.totals();
    const termsByStems = new Map<string, QueryTerm>();
    const terms = words.map((word) => {
      const key = word.isStopOrFiller || word.prefix !== null ? "" : word.stems.join(" ");
      const term =
        termsByStems.get(key) ?? (word.isStopOrFiller ? this.#stopWordTerm(word) : this.term(word));
      if (key !== "") termsByStems.set(key, term);
      return term;
    });
    const contentTerms = mergeRepeated(
      terms.filter((_, position) => words[position]?.isStopOrFiller === false),
    );
    const pairs =
      contentTerms.length > PAIRED_TERMS_MAX ? [] : words.map((word) => this.#pair(word));
    const selectiveTerms = mostSelective(contentTerms, items);
    const weights = terms.map((term) => inverseDocumentFrequency(term.items, items));
    const unknownPairWeight = mean(
      weights.filter((_, position) => isKnownPair(words[position], terms[position])),
    );
    return {
      terms: firstTerms(words, {
        content: selectiveTerms,
        pairs: mostSelective(mergeRepeated(pairs), items),
      }),
      isShortened: selectiveTerms.length < contentTerms.length,
      itemsTotal: items,
      words: words.map(({ isStopOrFiller, isFiller, isName, isPair }, position): WeightedWord => {
        const { items: pairItems = 0 } = pairs[position] ?? {};
        const { stemIds = [], items: termItems = 0 } = terms[position] ?? {};
        const weight = isPair && termItems === 0 ? unknownPairWeight : (weights[position] ?? 0);
        return {
          stemIds,
          isStopOrFiller,
          isFiller,
          isName,
          weight: isStopOrFiller ? STOP_WORD_WEIGHT : weight,
          pairWeight: pairItems === 0 ? 0 : inverseDocumentFrequency(pairItems, items),
        };
      }),
    };
  }

  /** Terms for the rarest pairs of adjacent words in the query, including pairs of two stop words. */
  pairs({ words }: IndexQuery): QueryTerm[] {
    let entries = 0;
    return mergeRepeated(words.map((word) => this.#pair(word)))
      .toSorted((a, b) => a.items - b.items)
      .filter(({ items }) => {
        entries += items;
        return entries <= PAIR_ENTRIES_MAX;
      })
      .map((pair) => ({ ...pair, isExtra: false }));
  }

  #stopWordTerm({ stems }: QueryWord): QueryTerm {
    const stemIds = stems.flatMap((stem) => this.#postings.idOf(stem) ?? []);
    return { stemIds, items: 0, weight: 1, isExtra: false };
  }

  term({ stems, prefix }: QueryWord): QueryTerm {
    const itemsByStem = new Map<number, number>();
    for (const stem of stems) {
      const found = this.#postings.stem(stem);
      if (found !== null) itemsByStem.set(found.id, found.items);
    }
    const withPrefix =
      prefix === null ? [] : this.#postings.stemsWithPrefix(prefix, PREFIX_STEMS_MAX);
    for (const { id, items } of withPrefix) itemsByStem.set(id, items);
    return { ...termOf([...itemsByStem]), weight: 1, isExtra: false };
  }

  /** The term for the bigram of the previous word and this word. */
  #pair({ pairIds }: QueryWord): QueryTerm {
    const known = pairIds.flatMap((id) => this.#postings.stemById(id) ?? []);
    const idItems = known.map(({ id, items }): [number, number] => [id, items]);
    return { ...termOf(idItems), weight: PAIR_WEIGHT, isExtra: true };
  }
}

function isKnownPair(word: QueryWord | undefined, term: QueryTerm | undefined): boolean {
  return word?.isPair === true && term !== undefined && term.items > 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * The terms of the first ranking: word pairs, and all words except stop words. If all words are stop
 * words, the terms are only the word pairs.
 */
function firstTerms(
  words: readonly QueryWord[],
  { content, pairs }: { content: readonly QueryTerm[]; pairs: readonly QueryTerm[] },
): QueryTerm[] {
  if (words.every(({ isStopOrFiller }) => isStopOrFiller)) {
    return pairs.map((pair) => ({ ...pair, isExtra: false }));
  }
  return content.length === 0 ? [] : [...content, ...pairs];
}

function mostSelective(terms: readonly QueryTerm[], itemsTotal: number): readonly QueryTerm[] {
  if (terms.length <= TERMS_MAX) return terms;
  const gain = ({ weight, items }: QueryTerm) =>
    weight * inverseDocumentFrequency(items, itemsTotal);
  return terms.toSorted((a, b) => gain(b) - gain(a)).slice(0, TERMS_MAX);
}

function termOf(
  known: readonly [id: number, items: number][],
): Pick<QueryTerm, "stemIds" | "items"> {
  const items = known.reduce((sum, [, count]) => sum + count, 0);
  return { stemIds: known.map(([id]) => id), items };
}

/**
 * Merges equal terms, which come from repeated words, into one term of a higher weight. Leaves out terms
 * that no item contains.
 */
function mergeRepeated(terms: readonly QueryTerm[]): QueryTerm[] {
  const known = terms.filter(({ items }) => items > 0);
  const byStems = Map.groupBy(known, ({ stemIds }) => stemIds.join());
  return [...byStems.values()].flatMap(([term, ...repeats]) =>
    term === undefined ? [] : [{ ...term, weight: term.weight * (1 + repeats.length) }],
  );
}
