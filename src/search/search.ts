import type { SearchHit, SearchPage, SearchQuery } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Items } from "../storage/reading/items.ts";
import { textOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { GroupCounter } from "./grouping.ts";
import { baseLanguage } from "./language/languages.ts";
import { tokensOf } from "./language/stems.ts";
import type { Meaning } from "./meaning/meaning.ts";
import { VectorSearch } from "./meaning/vector-search.ts";
import { type Narrowed, Narrowing } from "./narrowing.ts";
import { PHRASE_ROWS_MAX, Phrases } from "./phrases.ts";
import { Kinds } from "./postings/kinds.ts";
import { Postings } from "./postings/postings.ts";
import { parseSearch, SEARCH_TOTAL_MAX, type SearchTerms, withoutQuotes } from "./query.ts";
import type { Ranked } from "./ranking/best.ts";
import { Feedback } from "./ranking/feedback.ts";
import { mergeRankings } from "./ranking/fusion.ts";
import { Proximity, type Question } from "./ranking/proximity.ts";
import { Ranker, type Ranking } from "./ranking/ranker.ts";
import { type IndexQuery, type Phrase, toIndexQuery } from "./search-terms.ts";
import { snippetOf, type Wanted, wantedBy } from "./snippets.ts";
import { Spelling } from "./spelling.ts";
import type { TimeLimit } from "./time-limit.ts";
import { Weighing } from "./weighing.ts";

/** Only this many top results are reranked; later pages are not. */
const REORDERED_MAX = 50;
/** Number of top results checked against conditions that many items meet. */
const PROBED_MAX = 5000;
/** Only this many top results are rescored by where their words stand. */
const RESCORED_MAX = 300;
const LANGUAGES_MAX = 12;
/** Number of word results reranked by meaning. */
const COMPARED_MAX = 300;
/** Results found by meaning alone: one page. */
const NEAREST_MAX = 10;
/** Number of nearest items checked against conditions that many items meet. */
const NEAREST_PROBED_MAX = 200;

const NOTHING: SearchPage = {
  hits: [],
  total: 0,
  totalIsExact: true,
  hasMore: false,
  counts: {},
  correctedText: null,
  closeness: "distant",
  isShortened: false,
  named: [],
  groups: null,
};

export class Search {
  readonly #sql: Statements;
  readonly #items: Items;
  readonly #postings: Postings;
  readonly #ranker: Ranker;
  readonly #kinds: Kinds;
  readonly #narrowing: Narrowing;
  readonly #groups: GroupCounter;
  readonly #spelling: Spelling;
  readonly #feedback: Feedback;
  readonly #phrases: Phrases;
  readonly #proximity: Proximity;
  readonly #weighing: Weighing;
  readonly #nearness: VectorSearch;
  readonly #timeLimit: TimeLimit;

  constructor(sql: Statements, items: Items, timeLimit: TimeLimit) {
    this.#sql = sql;
    this.#items = items;
    this.#timeLimit = timeLimit;
    this.#postings = new Postings(sql);
    this.#ranker = new Ranker(this.#postings);
    this.#kinds = new Kinds(sql);
    this.#narrowing = new Narrowing(sql, items, this.#kinds);
    this.#groups = new GroupCounter(sql, items);
    this.#spelling = new Spelling(sql, this.#postings);
    this.#feedback = new Feedback(this.#postings);
    this.#phrases = new Phrases(this.#postings);
    this.#proximity = new Proximity(this.#postings);
    this.#weighing = new Weighing(this.#postings);
    this.#nearness = new VectorSearch(sql);
  }

  /** Call after any change of published content. */
  forget(): void {
    this.#kinds.forget();
    this.#postings.forget();
  }

  /**
   * @param site.language the site's own, tried first when parsing the query.
   * @throws {AppError} `invalid` for a malformed query, `unavailable` when it takes too long.
   */
  search(query: SearchQuery, site: { types: ContentTypes; language: string }): SearchPage {
    this.#timeLimit.start();
    if (query.text === "" && query.countBy !== undefined) {
      return {
        ...NOTHING,
        groups: this.#groups.count(this.#narrowing.rowsOf(query, site.types), query),
      };
    }
    const asked = parseSearch(query.text);
    const strictly = this.#search(query, asked, site);
    const isFinal = strictly.total > 0 || query.isVerbatim === true;
    const text = isFinal ? null : withoutQuotes(query.text, asked);
    if (text === null) return strictly;
    const loosely = this.#search({ ...query, text }, parseSearch(text), site);
    return loosely.total === 0
      ? strictly
      : { ...loosely, correctedText: loosely.correctedText ?? text };
  }

  #search(
    query: SearchQuery,
    asked: SearchTerms,
    site: { types: ContentTypes; language: string },
  ): SearchPage {
    const narrowed = this.#narrowing.narrow(query, site.types);
    if (narrowed === null) return NOTHING;
    const languages = this.#languages(query, site.language);
    const correctedText =
      query.isVerbatim === true ? null : this.#spelling.correctedText(query.text, asked, languages);
    const terms = correctedText === null ? asked : parseSearch(correctedText);
    const question = toIndexQuery(terms, languages);
    const ranking = this.#ranked(question, { ...query, ...this.#groups.part(query) }, narrowed);
    const total = Math.min(ranking.total, SEARCH_TOTAL_MAX);
    const wanted = wantedBy(question);
    const shown = this.#groups.listed(ranking.best, query);
    return {
      hits: shown.flatMap(({ row }) => this.#hit(row, wanted)),
      total,
      totalIsExact: !ranking.isCut && total === ranking.total,
      hasMore: ranking.best.length > query.offset + query.limit,
      counts: this.#kinds.countsOfTypes(ranking.kindCounts),
      correctedText: total === 0 ? null : correctedText,
      closeness: total === 0 ? "distant" : "close",
      isShortened: false,
      named: [],
      groups: this.#groups.countRanked(ranking.best, query),
    };
  }

  /** The requested language, or the site's own and all languages with published items. */
  #languages({ language }: SearchQuery, own: string): string[] {
    if (language !== undefined) return [baseLanguage(language)];
    const all = new Set([baseLanguage(own), ...this.#kinds.languages()]);
    return [...all].slice(0, LANGUAGES_MAX);
  }

  /** The best results, in order, one more than the page needs. */
  #ranked(question: IndexQuery, query: SearchQuery, narrowed: Narrowed): Ranking {
    const { offset, limit } = query;
    const candidates = this.#candidates(question);
    const meaning = candidates === null ? query.meaning : undefined;
    const alsoRows = meaning === undefined ? [] : this.#nearest(meaning, narrowed);
    const weighed = this.#weighing.question(question);
    const { terms } = weighed;
    if (candidates === null && terms.length + alsoRows.length === 0) {
      return { best: [], total: 0, isCut: false, kindCounts: new Map() };
    }
    const to = offset + limit + 1;
    const rowsMax = Math.max(to, RESCORED_MAX);
    const options = {
      candidates,
      excludedStems: question.excludedWords.flatMap((word) => this.#weighing.term(word).stemIds),
      excludedRows: question.excludedPhrases.flatMap((phrase) => this.#rowsWith(phrase)),
      alsoRows,
      isAllowed: narrowed.isAllowed,
      kinds: this.#kinds.ofRows(),
      limit: narrowed.probe === null ? rowsMax : Math.max(to, PROBED_MAX),
      checkTime: () => this.#timeLimit.check(),
    };
    const ranked = this.#probed(this.#ranker.rank(terms, options), narrowed);
    const isCut = ranked.isCut || candidates?.length === PHRASE_ROWS_MAX;
    const found = { ...ranked, best: this.#rescored(ranked.best, weighed) };
    if (candidates !== null) return { ...found, isCut };
    if (meaning === undefined && offset >= REORDERED_MAX) return { ...found, isCut };
    const reordered = this.#reordered(found.best, question);
    const best = meaning === undefined ? reordered : this.#byMeaning(reordered, meaning, alsoRows);
    return {
      ...found,
      isCut,
      best: this.#exactTitleFirst(best, found.best, question).slice(0, to),
    };
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

  /** Rows that contain the phrases, or a word of a query of stop words; null: any row. */
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

  #rescored(found: readonly Ranked[], question: Question): Ranked[] {
    const rescored = this.#proximity.rescored(found.slice(0, RESCORED_MAX), question);
    return [...rescored, ...found.slice(RESCORED_MAX)];
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

  #reordered(found: readonly Ranked[], question: IndexQuery): readonly Ranked[] {
    const asked = new Set(question.words.flatMap((word) => this.#weighing.term(word).stemIds));
    const reordered = this.#feedback.reordered(found.slice(0, REORDERED_MAX), asked);
    return [...reordered, ...found.slice(REORDERED_MAX)];
  }

  /** Keeps the best word match first if its title matches the query exactly. */
  #exactTitleFirst(
    best: readonly Ranked[],
    [first]: readonly Ranked[],
    question: IndexQuery,
  ): readonly Ranked[] {
    if (first === undefined || !this.#hasTitle(first.row, question)) return best;
    return [first, ...best.filter(({ row }) => row !== first.row)];
  }

  #hasTitle(row: number, { words: all }: IndexQuery): boolean {
    const words = all.filter(({ isSmall }) => !isSmall);
    const item = this.#sql.of("SELECT title, language FROM reading_item WHERE row = ?").get(row);
    if (item === undefined) return false;
    const titleStems = tokensOf(textOf(item, "title"), textOf(item, "language"))
      .filter(({ isStop }) => !isStop)
      .map(({ stem }) => stem);
    const isInQuery = (stem: string) => words.some(({ stems }) => stems.includes(stem));
    return (
      titleStems.every(isInQuery) &&
      words.every(({ stems }) => stems.some((s) => titleStems.includes(s)))
    );
  }

  #hit(row: number, wanted: Wanted): SearchHit[] {
    const text = this.#items.fullText(row);
    return this.#items.summaries([row]).map((item) => ({
      ...item,
      snippet: snippetOf(text === "" ? item.summary : text, { wanted, language: item.language }),
    }));
  }
}
