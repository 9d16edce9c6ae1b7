import type { SearchQuery } from "../content/library.ts";
import { numberOf, textOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { isLine } from "./closeness.ts";
import { tokensOf } from "./language/stems.ts";
import type { Meaning } from "./meaning/meaning.ts";
import { VectorSearch } from "./meaning/vector-search.ts";
import type { Narrowed } from "./narrowing.ts";
import { PHRASE_ROWS_MAX, Phrases } from "./phrases.ts";
import type { Kinds } from "./postings/kinds.ts";
import type { Postings } from "./postings/postings.ts";
import type { Ranked } from "./ranking/best.ts";
import { Feedback } from "./ranking/feedback.ts";
import { mergeRankings } from "./ranking/fusion.ts";
import { type Fit, Proximity, type WeightedQuery } from "./ranking/proximity.ts";
import { Ranker, type Ranking } from "./ranking/ranker.ts";
import type { IndexQuery, Phrase, QueryWord } from "./search-terms.ts";
import type { TimeLimit } from "./time-limit.ts";
import { QueryWeights } from "./weighing.ts";

/** The number of top results rescored by proximity. */
const RESCORED_MAX = 120;
/** Only this many top results are reranked by feedback, and none of later pages. */
const REORDERED_MAX = 30;
/** The number of results whose fit is computed. */
const FITS_READ = 5;
/**
 * Top results whose titles are compared with the query; more of the types that people refer to by name.
 */
const TITLES_READ_MAX = 10;
const TITLE_WORDS_MAX = 12;
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
  readonly #sql: Statements;
  readonly #kinds: Kinds;
  readonly #timeLimit: TimeLimit;
  readonly #ranker: Ranker;
  readonly #weighing: QueryWeights;
  readonly #phrases: Phrases;
  readonly #proximity: Proximity;
  readonly #feedback: Feedback;
  readonly #nearness: VectorSearch;

  constructor(
    sql: Statements,
    { postings, kinds, timeLimit }: { postings: Postings; kinds: Kinds; timeLimit: TimeLimit },
  ) {
    this.#sql = sql;
    this.#kinds = kinds;
    this.#timeLimit = timeLimit;
    this.#ranker = new Ranker(postings);
    this.#weighing = new QueryWeights(postings);
    this.#phrases = new Phrases(postings);
    this.#proximity = new Proximity(postings);
    this.#feedback = new Feedback(postings);
    this.#nearness = new VectorSearch(sql);
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
    const ranked = this.#probed(this.#ranker.rank(weighed.terms, options), narrowed);
    const isCut = ranked.isCut || candidates?.length === PHRASE_ROWS_MAX;
    const rescored = this.#rescored(ranked.best, weighed);
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
    return this.#exactTitleFirst(best, found, { question, isOfNamedType });
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

  /** Rescores the top results by proximity, unless the query is a single word. */
  #rescored(found: readonly Ranked[], question: WeightedQuery): readonly Ranked[] {
    if (question.words.length === 1) return found;
    return [
      ...this.#proximity.rescored(found.slice(0, RESCORED_MAX), question),
      ...found.slice(RESCORED_MAX),
    ];
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

  /**
   * Moves word matches to the top whose titles consist of exactly the query's words, apart from stop
   * words; does nothing if the query is a line.
   */
  #exactTitleFirst(
    best: readonly Ranked[],
    found: readonly Ranked[],
    { question, isOfNamedType }: Pick<Part, "isOfNamedType"> & { question: IndexQuery },
  ): readonly Ranked[] {
    const words = question.words.filter(({ isSmall }) => !isSmall);
    if (words.length === 0 || words.length > TITLE_WORDS_MAX || isLine(question.words)) return best;
    const read = found
      .slice(0, RESCORED_MAX)
      .filter(({ row }, place) => place < TITLES_READ_MAX || isOfNamedType(row))
      .slice(0, 3 * TITLES_READ_MAX);
    const stems = this.#titleStems(rowsOf(read));
    const titled = read
      .filter(({ row }) => haveSameStems(stems.get(row) ?? [], words))
      .sort((a, b) => Number(isOfNamedType(b.row)) - Number(isOfNamedType(a.row)));
    const rows = new Set(titled.map(({ row }) => row));
    return [...titled, ...best.filter(({ row }) => !rows.has(row))];
  }

  /** The stems of each title, ignoring stop words. */
  #titleStems(rows: readonly number[]): Map<number, string[]> {
    const found = this.#sql
      .listing(
        `SELECT i.row, i.title, i.language FROM json_each(?) r
         CROSS JOIN reading_item i ON i.row = r.value`,
      )
      .all(JSON.stringify(rows));
    return new Map(
      found.map((item) => {
        const tokens = tokensOf(textOf(item, 1), textOf(item, 2));
        return [numberOf(item, 0), tokens.flatMap(({ isStop, stem }) => (isStop ? [] : stem))];
      }),
    );
  }
}

function haveSameStems(stems: readonly string[], words: readonly QueryWord[]): boolean {
  return (
    stems.every((stem) => words.some((word) => word.stems.includes(stem))) &&
    words.every((word) => word.stems.some((stem) => stems.includes(stem)))
  );
}

const NO_RESULTS: RankedResults = {
  best: [],
  total: 0,
  isCut: false,
  kindCounts: new Map(),
  fits: [],
  isShortened: false,
};

function rowsOf(ranked: readonly Ranked[]): number[] {
  return ranked.map(({ row }) => row);
}

function calledFirst(best: readonly Ranked[], called: readonly number[]): Ranked[] {
  const byRow = new Map(best.map((one) => [one.row, one]));
  const first = called.flatMap((row) => byRow.get(row) ?? []);
  return [...first, ...best.filter(({ row }) => !called.includes(row))];
}
