import type { Postings } from "./postings/postings.ts";
import { inverseDocumentFrequency } from "./ranking/bm25.ts";
import type { WeightedQuery, WeightedWord } from "./ranking/proximity.ts";
import type { Term } from "./ranking/ranker.ts";
import type { IndexQuery, QueryWord } from "./search-terms.ts";

/** The most stems looked up for a prefix, the most frequent ones. */
const PREFIX_STEMS_MAX = 50;
/** The most terms that rank items, and the most word pairs; the most selective ones are used. */
const TERMS_MAX = 24;
/** With more terms than this, word pairs are not used, as the terms alone find the same items. */
const PAIRED_TERMS_MAX = 3;
/** The most entries of word pairs that find items of their own. */
const PAIR_ENTRIES_MAX = 200_000;
/** Weight of two adjacent words relative to a word of the same rarity. */
const PAIR_WEIGHT = 0.3;
/** Weight of a stop word, which has no postings to count; less than that of most other words. */
const SMALL_WORD_WEIGHT = 0.7;

/** Looks up the words of a query in the index and weighs them by their rarity. */
export class QueryWeights {
  readonly #postings: Postings;

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  question({ words }: IndexQuery): WeightedQuery {
    const { items } = this.#postings.totals();
    const known = new Map<string, Term>();
    const terms = words.map((word) => {
      const key = word.isSmall || word.prefix !== null ? "" : word.stems.join(" ");
      const term = known.get(key) ?? (word.isSmall ? this.#smallTerm(word) : this.term(word));
      if (key !== "") known.set(key, term);
      return term;
    });
    const content = merged(terms.filter((_, place) => words[place]?.isSmall === false));
    const pairs = content.length > PAIRED_TERMS_MAX ? [] : words.map((word) => this.#pair(word));
    const selective = mostSelective(content, items);
    const weights = terms.map(({ items: holding }) => inverseDocumentFrequency(holding, items));
    const unknownPair = mean(weights.filter((_, place) => isKnownPair(words[place], terms[place])));
    return {
      terms: ranked(words, { content: selective, pairs: mostSelective(merged(pairs), items) }),
      isShortened: selective.length < content.length,
      itemsTotal: items,
      words: words.map(({ isSmall, isFiller, isName, isPair }, place): WeightedWord => {
        const { items: having = 0 } = pairs[place] ?? {};
        const { stemIds = [], items: holding = 0 } = terms[place] ?? {};
        const weight = isPair && holding === 0 ? unknownPair : (weights[place] ?? 0);
        return {
          stemIds,
          isSmall,
          isFiller,
          isName,
          weight: isSmall ? SMALL_WORD_WEIGHT : weight,
          pairWeight: having === 0 ? 0 : inverseDocumentFrequency(having, items),
        };
      }),
    };
  }

  /** Terms for items that contain adjacent words of the query, also two stop words; the rarest pairs. */
  pairs({ words }: IndexQuery): Term[] {
    let entries = 0;
    return merged(words.map((word) => this.#pair(word)))
      .toSorted((a, b) => a.items - b.items)
      .filter(({ items }) => {
        entries += items;
        return entries <= PAIR_ENTRIES_MAX;
      })
      .map((pair) => ({ ...pair, isExtra: false }));
  }

  #smallTerm({ stems }: QueryWord): Term {
    const stemIds = stems.flatMap((stem) => this.#postings.numberOf(stem) ?? []);
    return { stemIds, items: 0, weight: 1, isExtra: false };
  }

  term({ stems, prefix }: QueryWord): Term {
    const known = new Map<number, number>();
    for (const stem of stems) {
      const found = this.#postings.stem(stem);
      if (found !== null) known.set(found.id, found.items);
    }
    const longer = prefix === null ? [] : this.#postings.stemsFrom(prefix, PREFIX_STEMS_MAX);
    for (const { id, items } of longer) known.set(id, items);
    return { ...termOf([...known]), weight: 1, isExtra: false };
  }

  /** The term for a word directly after the previous one. */
  #pair({ pairIds }: QueryWord): Term {
    const known = pairIds.flatMap((id) => this.#postings.stemById(id) ?? []);
    const counted = known.map(({ id, items }): [number, number] => [id, items]);
    return { ...termOf(counted), weight: PAIR_WEIGHT, isExtra: true };
  }
}

function isKnownPair(word: QueryWord | undefined, term: Term | undefined): boolean {
  return word?.isPair === true && term !== undefined && term.items > 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * The terms of the first ranking: all words but stop words, and word pairs; the pairs alone if all words
 * are stop words.
 */
function ranked(
  words: readonly QueryWord[],
  { content, pairs }: { content: readonly Term[]; pairs: readonly Term[] },
): Term[] {
  if (words.every(({ isSmall }) => isSmall)) {
    return pairs.map((pair) => ({ ...pair, isExtra: false }));
  }
  return content.length === 0 ? [] : [...content, ...pairs];
}

function mostSelective(terms: readonly Term[], itemsTotal: number): readonly Term[] {
  if (terms.length <= TERMS_MAX) return terms;
  const gain = ({ weight, items }: Term) => weight * inverseDocumentFrequency(items, itemsTotal);
  return terms.toSorted((a, b) => gain(b) - gain(a)).slice(0, TERMS_MAX);
}

function termOf(known: readonly [id: number, items: number][]): Pick<Term, "stemIds" | "items"> {
  const items = known.reduce((sum, [, count]) => sum + count, 0);
  return { stemIds: known.map(([id]) => id), items };
}

/** Merges repeated query words into one term with a higher weight; leaves out unknown ones. */
function merged(terms: readonly Term[]): Term[] {
  const known = terms.filter(({ items }) => items > 0);
  const byStems = Map.groupBy(known, ({ stemIds }) => stemIds.join());
  return [...byStems.values()].flatMap(([term, ...more]) =>
    term === undefined ? [] : [{ ...term, weight: term.weight * (1 + more.length) }],
  );
}
