import type { SearchQuery } from "../content/library.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { closenessOf, hasLine, mayBeLine } from "./closeness.ts";
import type { Meaning } from "./meaning/meaning.ts";
import { VectorSearch } from "./meaning/vector-search.ts";
import type { Narrowed } from "./narrowing.ts";
import { PHRASE_ROWS_MAX, Phrases } from "./phrases.ts";
import type { Kinds } from "./postings/kinds.ts";
import type { Postings } from "./postings/postings.ts";
import type { Ranked } from "./ranking/best.ts";
import { ExactTitles } from "./ranking/exact-titles.ts";
import { Feedback } from "./ranking/feedback.ts";
import { mergeRankings } from "./ranking/fusion.ts";
import { type Fit, Proximity, type WeightedQuery } from "./ranking/proximity.ts";
import { Ranker, type Ranking, type RankingOptions } from "./ranking/ranker.ts";
import type { IndexQuery, Phrase } from "./search-terms.ts";
import type { TimeLimit } from "./time-limit.ts";
import { QueryWeights } from "./weighing.ts";

/** The number of top results rescored by proximity. */
const RESCORED_MAX = 120;
/** Only this many top results are reranked by feedback, and none of later pages. */
const REORDERED_MAX = 30;
/** Number of results found by adjacent words alone. */
const LINES_MAX = 60;
/** Adjacent words find results of their own for queries of this many words. */
const LINE_WORDS_MIN = 5;
const LINE_WORDS_MAX = 24;
/** The number of results whose fit is computed. */
const FITS_READ = 5;
/** Number of top results checked against conditions that many items meet. */
const PROBED_MAX = 5000;
/** Number of word results reranked by meaning. */
const COMPARED_MAX = 300;
/** Results found by meaning alone: one page. */
const NEAREST_MAX = 10;
/** Number of nearest items checked against conditions that many items meet. */
const NEAREST_PROBED_MAX = 200;

export interface RankedResults extends Ranking {
  /** How well the best results fit the words. */
  fits: readonly Fit[];
  /** Whether some words were left out because there are too many. */
  isShortened: boolean;
}

interface Part extends Pick<SearchQuery, "offset" | "limit" | "meaning"> {
  narrowed: Narrowed;
  /** Rows whose name is the query, best first; they precede all others. */
  called: readonly number[];
  isOfNamedType: (row: number) => boolean;
}

/** Ranks all results of a query, in the steps described in docs/decisions/029. */
export class ResultRanking {
  readonly #kinds: Kinds;
  readonly #timeLimit: TimeLimit;
  readonly #ranker: Ranker;
  readonly #weighing: QueryWeights;
  readonly #phrases: Phrases;
  readonly #proximity: Proximity;
  readonly #feedback: Feedback;
  readonly #nearness: VectorSearch;
  readonly #exactTitles: ExactTitles;

  constructor(
    sql: Statements,
    { postings, kinds, timeLimit }: { postings: Postings; kinds: Kinds; timeLimit: TimeLimit },
  ) {
    this.#kinds = kinds;
    this.#timeLimit = timeLimit;
    this.#ranker = new Ranker(postings);
    this.#weighing = new QueryWeights(postings);
    this.#phrases = new Phrases(postings);
    this.#proximity = new Proximity(postings);
    this.#feedback = new Feedback(postings);
    this.#nearness = new VectorSearch(sql);
    this.#exactTitles = new ExactTitles(sql);
  }

  /** The best results in order: those up to the end of the page, and one more if there is one. */
  ranked(question: IndexQuery, part: Part): RankedResults {
    const { narrowed, offset, limit, called, isOfNamedType } = part;
    const candidates = this.#candidates(question);
    const meaning = candidates === null ? part.meaning : undefined;
    const nearest = meaning === undefined ? [] : this.#nearest(meaning, narrowed);
    const weighed = this.#weighing.question(question);
    const alsoRows = [...new Set([...called, ...nearest])];
    if (candidates === null && weighed.terms.length + alsoRows.length === 0) return NO_RESULTS;
    const to = offset + limit + 1;
    const rowsMax = Math.max(to, RESCORED_MAX);
    const options = {
      candidates,
      excludedStems: question.excludedWords.flatMap((word) => this.#weighing.term(word).stemIds),
      excludedRows: question.excludedPhrases.flatMap((phrase) => this.#rowsWith(phrase)),
      alsoRows: candidates === null ? alsoRows : [],
      isAllowed: narrowed.isAllowed,
      kinds: this.#kinds.ofRows(),
      limit: narrowed.probe === null ? rowsMax : Math.max(to, PROBED_MAX),
      checkTime: () => this.#timeLimit.check(),
    };
    const rank = (lines: readonly number[]): Ranking => {
      const alsoFound = { ...options, alsoRows: [...options.alsoRows, ...lines] };
      const found = this.#probed(this.#ranker.rank(weighed.terms, alsoFound), narrowed);
      return { ...found, best: this.#rescored(found.best, { weighed, lines }) };
    };
    const byWords = rank([]);
    const isLooked = candidates === null && called.length === 0;
    const lines = isLooked ? this.#otherLines(question, { weighed, byWords, options }) : [];
    const ranked = lines.length === 0 ? byWords : rank(lines);
    const isCut = ranked.isCut || candidates?.length === PHRASE_ROWS_MAX;
    const rescored = ranked.best;
    const best = this.#reranked(rescored, {
      question,
      weighed,
      meaning,
      nearest,
      isOfNamedType,
    });
    const inOrder = calledFirst(candidates === null ? best : rescored, called).slice(0, to);
    const fits = this.#proximity.fits(rowsOf(inOrder.slice(0, FITS_READ)), weighed);
    return { ...ranked, isCut, best: inOrder, fits, isShortened: weighed.isShortened };
  }

  #reranked(
    found: readonly Ranked[],
    {
      question,
      weighed,
      meaning,
      nearest,
      isOfNamedType,
    }: {
      question: IndexQuery;
      weighed: WeightedQuery;
      meaning: Meaning | undefined;
      nearest: readonly number[];
      isOfNamedType: Part["isOfNamedType"];
    },
  ): readonly Ranked[] {
    const reordered = this.#reordered(found, weighed);
    const best = meaning === undefined ? reordered : this.#byMeaning(reordered, meaning, nearest);
    return this.#exactTitles.first(best, found.slice(0, RESCORED_MAX), { question, isOfNamedType });
  }

  #nearest(meaning: Meaning, { isAllowed, probe }: Narrowed): number[] {
    const limit = probe === null ? NEAREST_MAX : NEAREST_PROBED_MAX;
    const rows = this.#nearness.nearest(meaning, { limit, isAllowed });
    if (probe === null) return rows;
    const kept = probe(rows);
    return rows.filter((row) => kept.has(row)).slice(0, NEAREST_MAX);
  }

  #byMeaning(
    found: readonly Ranked[],
    meaning: Meaning,
    alsoRows: readonly number[],
  ): readonly Ranked[] {
    const also = new Set(alsoRows);
    const isCompared = ({ row }: Ranked, place: number) => place < COMPARED_MAX || also.has(row);
    const compared = found.filter(isCompared);
    const cosines = this.#nearness.of(
      compared.map(({ row }) => row),
      meaning,
    );
    this.#timeLimit.check();
    const others = found.filter((one, place) => !isCompared(one, place));
    return [...mergeRankings(compared, cosines), ...others];
  }

  /**
   * Rows that contain the phrases or, if all words are stop words and form no known pair, one of the
   * words; null: any row.
   */
  #candidates(question: IndexQuery): number[] | null {
    const { phrases, words } = question;
    const [first, ...others] = phrases;
    if (first !== undefined) {
      const rows = others.map((phrase) => new Set(this.#rowsWith(phrase)));
      return this.#rowsWith(first).filter((row) => rows.every((set) => set.has(row)));
    }
    const isAlone = words.length > 0 && words.every(({ isSmall }) => isSmall);
    if (!isAlone || this.#weighing.question(question).terms.length > 0) return null;
    return words.flatMap(({ stems }) => stems.flatMap((stem) => this.#rowsWith([[stem]])));
  }

  #rowsWith(phrase: Phrase): number[] {
    return this.#phrases.rowsWith(phrase, () => this.#timeLimit.check());
  }

  /** Rescores the top results and those of `lines` by proximity, unless the query is a single word. */
  #rescored(
    found: readonly Ranked[],
    { weighed, lines }: { weighed: WeightedQuery; lines: readonly number[] },
  ): Ranked[] {
    if (weighed.words.length === 1) return [...found];
    const also = new Set(lines);
    const isTop = ({ row }: Ranked, place: number) => place < RESCORED_MAX || also.has(row);
    return [
      ...this.#proximity.rescored(found.filter(isTop), {
        ...weighed,
        mayHaveWrongWord: lines.length > 0,
      }),
      ...found.filter((one, place) => !isTop(one, place)),
    ];
  }

  /**
   * Rows of the items that have the query as a line but for one word, if no result found by its words is
   * close. Adjacent words find them, stop words included, as the wrong word finds other items.
   */
  #otherLines(
    question: IndexQuery,
    {
      weighed,
      byWords,
      options,
    }: { weighed: WeightedQuery; byWords: Ranking; options: RankingOptions },
  ): number[] {
    const { length } = question.words;
    if (length < LINE_WORDS_MIN || length > LINE_WORDS_MAX || !mayBeLine(question.words)) return [];
    const fits = this.#proximity.fits(rowsOf(byWords.best.slice(0, FITS_READ)), weighed);
    if (closenessOf(fits, { ...question, isNamed: false }) !== "distant") return [];
    const pairs = this.#weighing.pairs(question);
    const { best } = this.#ranker.rank(pairs, { ...options, alsoRows: [], limit: LINES_MAX });
    const butOneWord = { ...weighed, mayHaveWrongWord: true };
    return rowsOf(this.#proximity.fits(rowsOf(best), butOneWord).filter(hasLine));
  }

  #probed(found: Ranking, { probe }: Narrowed): Ranking {
    if (probe === null) return found;
    const kept = probe(found.best.map(({ row }) => row));
    const best = found.best.filter(({ row }) => kept.has(row));
    const kinds = Map.groupBy(best, ({ row }) => this.#kinds.ofRows()[row] ?? 0);
    return {
      best,
      total: best.length,
      isCut: found.isCut || found.total > found.best.length,
      kindCounts: new Map([...kinds].map(([kind, rows]) => [kind, rows.length])),
    };
  }

  #reordered(found: readonly Ranked[], { words }: WeightedQuery): readonly Ranked[] {
    const asked = new Set(words.flatMap(({ stemIds }) => stemIds));
    const reordered = this.#feedback.reordered(found.slice(0, REORDERED_MAX), asked);
    return [...reordered, ...found.slice(REORDERED_MAX)];
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

function rowsOf(ranked: readonly Pick<Ranked, "row">[]): number[] {
  return ranked.map(({ row }) => row);
}

function calledFirst(best: readonly Ranked[], called: readonly number[]): Ranked[] {
  const byRow = new Map(best.map((one) => [one.row, one]));
  const first = called.flatMap((row) => byRow.get(row) ?? []);
  return [...first, ...best.filter(({ row }) => !called.includes(row))];
}
