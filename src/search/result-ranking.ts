import type { SearchQuery } from "../content/library.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import { classifyMatchCloseness, hasLineMatch, mayBeLineQuery } from "./closeness.ts";
import type { Embedding } from "./meaning/embedding.ts";
import { VectorSearch } from "./meaning/vector-search.ts";
import { PHRASE_ROWS_MAX, PhraseFinder } from "./phrase-finder.ts";
import type { ItemKindReader } from "./postings/item-kinds.ts";
import type { Postings } from "./postings/postings.ts";
import type { RankedRow } from "./ranking/best-results.ts";
import { ExactTitleRanker } from "./ranking/exact-titles.ts";
import { mergeRankings } from "./ranking/fusion.ts";
import { ProximityScorer, type QueryFit, type WeightedQuery } from "./ranking/proximity.ts";
import { Bm25Ranker, type Ranking, type RankingOptions } from "./ranking/ranker.ts";
import { RelevanceFeedback } from "./ranking/relevance-feedback.ts";
import type { RowFilter } from "./search-filters.ts";
import type { IndexQuery, PhraseInLanguages } from "./search-terms.ts";
import type { TimeLimit } from "./time-limit.ts";
import { QueryWeigher } from "./weighing.ts";

/** The number of top results rescored by proximity. */
const RESCORED_MAX = 120;
/** The number of top results reranked by feedback. */
const FEEDBACK_MAX = 30;
/** Limit of results found by adjacent words alone. */
const LINES_MAX = 60;
/** Queries with fewer words than this are not searched by adjacent words alone. */
const LINE_WORDS_MIN = 5;
/** Queries with more words than this are not searched by adjacent words alone. */
const LINE_WORDS_MAX = 24;
/** Number of top results for which it is computed how well they fit the query. */
const FITS_COMPUTED = 5;
/**
 * Limit on the top results that are filtered after the search. Results are filtered after the search only
 * if the items that pass the filters are too many to collect before the search.
 */
const FILTERED_AFTERWARDS_MAX = 5000;
/** At most this many results of the search by words are reranked by meaning. */
const COMPARED_MAX = 300;
/** Limit of results found by meaning alone: one page. */
const NEAREST_MAX = 10;
/**
 * Limit on the nearest items that are filtered after the search. Items are filtered after the search only
 * if the items that pass the filters are too many to collect before the search.
 */
const NEAREST_FILTERED_AFTERWARDS_MAX = 200;

export interface RankedResults extends Ranking {
  /** How well the best results fit the query. */
  fits: readonly QueryFit[];
  /** Whether words were omitted because the query has too many. */
  isShortened: boolean;
}

interface RankingRequest extends Pick<SearchQuery, "offset" | "limit" | "meaning"> {
  filter: RowFilter;
  /** Rows of items whose name is the query, best first. They precede all other results. */
  namedRows: readonly number[];
  isOfNamedType: (row: number) => boolean;
}

/** Ranks all results of a query, in the steps described in docs/decisions/029. */
export class ResultRanker {
  readonly #kinds: ItemKindReader;
  readonly #timeLimit: TimeLimit;
  readonly #ranker: Bm25Ranker;
  readonly #weights: QueryWeigher;
  readonly #phrases: PhraseFinder;
  readonly #proximity: ProximityScorer;
  readonly #feedback: RelevanceFeedback;
  readonly #vectorSearch: VectorSearch;
  readonly #exactTitles: ExactTitleRanker;

  constructor(
    sql: StatementCache,
    {
      postings,
      kinds,
      timeLimit,
    }: { postings: Postings; kinds: ItemKindReader; timeLimit: TimeLimit },
  ) {
    this.#kinds = kinds;
    this.#timeLimit = timeLimit;
    this.#ranker = new Bm25Ranker(postings);
    this.#weights = new QueryWeigher(postings);
    this.#phrases = new PhraseFinder(postings);
    this.#proximity = new ProximityScorer(postings);
    this.#feedback = new RelevanceFeedback(postings);
    this.#vectorSearch = new VectorSearch(sql);
    this.#exactTitles = new ExactTitleRanker(sql);
  }

  /**
   * Ranks the results up to the end of the page. Adds one more result, which shows whether there is
   * a next page.
   */
  rank(query: IndexQuery, request: RankingRequest): RankedResults {
    const { filter, offset, limit, namedRows, isOfNamedType } = request;
    const candidates = this.#candidates(query);
    const meaning = candidates === null ? request.meaning : undefined;
    const nearest = meaning === undefined ? [] : this.#nearest(meaning, filter);
    const weightedQuery = this.#weights.weightedQuery(query);
    const alsoRows = [...new Set([...namedRows, ...nearest])];
    if (candidates === null && weightedQuery.terms.length + alsoRows.length === 0)
      return NO_RESULTS;
    const end = offset + limit + 1;
    const rowsMax = Math.max(end, RESCORED_MAX);
    const options = {
      candidates,
      excludedStems: query.excludedWords.flatMap((word) => this.#weights.term(word).stemIds),
      excludedRows: query.excludedPhrases.flatMap((phrase) => this.#rowsWith(phrase)),
      alsoRows: candidates === null ? alsoRows : [],
      isAllowed: filter.isAllowed,
      kinds: this.#kinds.numbersByRow(),
      limit: filter.matchesAmong === null ? rowsMax : Math.max(end, FILTERED_AFTERWARDS_MAX),
      checkTime: () => this.#timeLimit.check(),
    };
    const rank = (lines: readonly number[]): Ranking => {
      const optionsWithLines = { ...options, alsoRows: [...options.alsoRows, ...lines] };
      const found = this.#filterAfterwards(
        this.#ranker.rank(weightedQuery.terms, optionsWithLines),
        filter,
      );
      return { ...found, best: this.#rescored(found.best, { weightedQuery, lines }) };
    };
    const byWords = rank([]);
    const mayBeMisremembered = candidates === null && namedRows.length === 0;
    const lines = mayBeMisremembered
      ? this.#linesWithWrongWord(query, { weightedQuery, byWords, options })
      : [];
    const ranked = lines.length === 0 ? byWords : rank(lines);
    const isCut = ranked.isCut || candidates?.length === PHRASE_ROWS_MAX;
    const best = this.#reranked(ranked.best, {
      query,
      weightedQuery,
      meaning,
      nearest,
      isOfNamedType,
    });
    const inOrder = withNamedFirst(candidates === null ? best : ranked.best, namedRows).slice(
      0,
      end,
    );
    const fits = this.#proximity.fits(rowsOf(inOrder.slice(0, FITS_COMPUTED)), weightedQuery);
    return { ...ranked, isCut, best: inOrder, fits, isShortened: weightedQuery.isShortened };
  }

  #reranked(
    found: readonly RankedRow[],
    {
      query,
      weightedQuery,
      meaning,
      nearest,
      isOfNamedType,
    }: {
      query: IndexQuery;
      weightedQuery: WeightedQuery;
      meaning: Embedding | undefined;
      nearest: readonly number[];
      isOfNamedType: RankingRequest["isOfNamedType"];
    },
  ): readonly RankedRow[] {
    const withFeedback = this.#rerankedByFeedback(found, weightedQuery);
    const best =
      meaning === undefined ? withFeedback : this.#byMeaning(withFeedback, meaning, nearest);
    return this.#exactTitles.withExactFirst(best, found.slice(0, RESCORED_MAX), {
      query,
      isOfNamedType,
    });
  }

  #nearest(meaning: Embedding, { isAllowed, matchesAmong }: RowFilter): number[] {
    const limit = matchesAmong === null ? NEAREST_MAX : NEAREST_FILTERED_AFTERWARDS_MAX;
    const rows = this.#vectorSearch.nearest(meaning, { limit, isAllowed });
    if (matchesAmong === null) return rows;
    const passing = matchesAmong(rows);
    return rows.filter((row) => passing.has(row)).slice(0, NEAREST_MAX);
  }

  #byMeaning(
    found: readonly RankedRow[],
    meaning: Embedding,
    alsoRows: readonly number[],
  ): readonly RankedRow[] {
    const nearestRows = new Set(alsoRows);
    const isCompared = ({ row }: RankedRow, position: number) =>
      position < COMPARED_MAX || nearestRows.has(row);
    const comparedItems = found.filter(isCompared);
    const cosines = this.#vectorSearch.cosines(
      comparedItems.map(({ row }) => row),
      meaning,
    );
    this.#timeLimit.check();
    const others = found.filter((one, position) => !isCompared(one, position));
    return [...mergeRankings(comparedItems, cosines), ...others];
  }

  /**
   * The rows that can be results; null if every row can be a result. If the query has phrases, these are
   * the rows that contain them. If all words are stop words that form no known pair, these are the rows
   * that contain one of the words.
   */
  #candidates(query: IndexQuery): number[] | null {
    const { phrases, words } = query;
    const [first, ...others] = phrases;
    if (first !== undefined) {
      const rows = others.map((phrase) => new Set(this.#rowsWith(phrase)));
      return this.#rowsWith(first).filter((row) => rows.every((set) => set.has(row)));
    }
    const areAllSmall = words.length > 0 && words.every(({ isStopOrFiller }) => isStopOrFiller);
    if (!areAllSmall || this.#weights.weightedQuery(query).terms.length > 0) return null;
    const rows = words.flatMap(({ stems }) => stems.flatMap((stem) => this.#rowsWith([[stem]])));
    return [...new Set(rows)];
  }

  #rowsWith(phrase: PhraseInLanguages): number[] {
    return this.#phrases.rowsWith(phrase, () => this.#timeLimit.check());
  }

  /** Rescores the top results and the rows of `lines` by proximity, unless the query is a single word. */
  #rescored(
    found: readonly RankedRow[],
    { weightedQuery, lines }: { weightedQuery: WeightedQuery; lines: readonly number[] },
  ): RankedRow[] {
    if (weightedQuery.words.length === 1) return [...found];
    const lineRows = new Set(lines);
    const isTop = ({ row }: RankedRow, position: number) =>
      position < RESCORED_MAX || lineRows.has(row);
    return [
      ...this.#proximity.rescored(found.filter(isTop), {
        ...weightedQuery,
        mayHaveWrongWord: lines.length > 0,
      }),
      ...found.filter((one, position) => !isTop(one, position)),
    ];
  }

  /**
   * If no result so far is close, finds items that contain the query as a line with one wrong word.
   * Searches by pairs of adjacent words, including stop words, because a search for the wrong word
   * would lead to other items.
   */
  #linesWithWrongWord(
    query: IndexQuery,
    {
      weightedQuery,
      byWords,
      options,
    }: { weightedQuery: WeightedQuery; byWords: Ranking; options: RankingOptions },
  ): number[] {
    const { length } = query.words;
    if (length < LINE_WORDS_MIN || length > LINE_WORDS_MAX || !mayBeLineQuery(query.words))
      return [];
    const fits = this.#proximity.fits(rowsOf(byWords.best.slice(0, FITS_COMPUTED)), weightedQuery);
    if (classifyMatchCloseness(fits, { ...query, isNamed: false }) !== "distant") return [];
    const pairs = this.#weights.pairs(query);
    const { best } = this.#ranker.rank(pairs, { ...options, alsoRows: [], limit: LINES_MAX });
    const toleratingOneWord = { ...weightedQuery, mayHaveWrongWord: true };
    return rowsOf(this.#proximity.fits(rowsOf(best), toleratingOneWord).filter(hasLineMatch));
  }

  #filterAfterwards(found: Ranking, { matchesAmong }: RowFilter): Ranking {
    if (matchesAmong === null) return found;
    const passing = matchesAmong(found.best.map(({ row }) => row));
    const best = found.best.filter(({ row }) => passing.has(row));
    const kinds = Map.groupBy(best, ({ row }) => this.#kinds.numbersByRow()[row] ?? 0);
    return {
      best,
      total: best.length,
      isCut: found.isCut || found.total > found.best.length,
      kindCounts: new Map([...kinds].map(([kind, rows]) => [kind, rows.length])),
    };
  }

  #rerankedByFeedback(found: readonly RankedRow[], { words }: WeightedQuery): readonly RankedRow[] {
    const queryStems = new Set(words.flatMap(({ stemIds }) => stemIds));
    const withFeedback = this.#feedback.reranked(found.slice(0, FEEDBACK_MAX), queryStems);
    return [...withFeedback, ...found.slice(FEEDBACK_MAX)];
  }
}

const NO_RESULTS: RankedResults = {
  best: [],
  total: 0,
  isCut: false,
  kindCounts: new Map(),
  fits: [],
  isShortened: false,
};

function rowsOf(ranked: readonly Pick<RankedRow, "row">[]): number[] {
  return ranked.map(({ row }) => row);
}

function withNamedFirst(best: readonly RankedRow[], namedRows: readonly number[]): RankedRow[] {
  const byRow = new Map(best.map((one) => [one.row, one]));
  const named = namedRows.flatMap((row) => byRow.get(row) ?? []);
  return [...named, ...best.filter(({ row }) => !namedRows.includes(row))];
}
