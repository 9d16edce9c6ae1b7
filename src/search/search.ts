import type { SearchHit, SearchPage, SearchQuery } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Items } from "../storage/reading/items.ts";
import { numberOf, textOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { mergeRankings } from "./fusion.ts";
import { GroupCounter } from "./grouping.ts";
import { baseLanguage } from "./language/languages.ts";
import { tokensOf } from "./language/stems.ts";
import type { Meaning } from "./meaning/meaning.ts";
import { VectorSearch } from "./meaning/vector-search.ts";
import { type Narrowed, Narrowing } from "./narrowing.ts";
import { Kinds } from "./postings/kinds.ts";
import { Postings } from "./postings/postings.ts";
import { parseSearch, SEARCH_TOTAL_MAX, type SearchTerms, withoutQuotes } from "./query.ts";
import { type Ranked, Ranker, type Ranking, type Term } from "./ranking.ts";
import { Feedback } from "./search-feedback.ts";
import { type IndexQuery, type QueryWord, toIndexQuery } from "./search-terms.ts";
import { snippetOf, type Wanted, wantedBy } from "./snippets.ts";
import { Spelling } from "./spelling.ts";
import { type TimeLimit, WITHIN_TIME_LIMIT } from "./time-limit.ts";

/** Only this many top results are reranked; later pages are not. */
const REORDERED_MAX = 50;
/** Number of top results checked against conditions that many items meet. */
const PROBED_MAX = 5000;
/** Items with a phrase are examined in insertion order, up to this many. */
const PHRASE_ROWS_MAX = 20_000;
/** The most frequent stems with a prefix. */
const PREFIX_STEMS_MAX = 50;
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
    const terms = question.words.map((word) => this.#term(word)).filter(({ items }) => items > 0);
    if (candidates === null && terms.length + alsoRows.length === 0) {
      return { best: [], total: 0, isCut: false, kindCounts: new Map() };
    }
    const to = offset + limit + 1;
    const rowsMax = Math.max(to, meaning === undefined ? REORDERED_MAX : COMPARED_MAX);
    const options = {
      candidates,
      excludedStems: question.excludedWords.flatMap((word) => this.#term(word).stemIds),
      excludedRows: this.#phraseRows(question.excludedPhrases),
      alsoRows,
      isAllowed: narrowed.isAllowed,
      kinds: this.#kinds.ofRows(),
      limit: narrowed.probe === null ? rowsMax : Math.max(to, PROBED_MAX),
      checkTime: () => this.#timeLimit.check(),
    };
    const found = this.#probed(this.#ranker.rank(merged(terms), options), narrowed);
    const isCut = found.isCut || candidates?.length === PHRASE_ROWS_MAX;
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

  /** Rows that contain the phrases, or the words of a query of stop words; null: any row. */
  #candidates({ phrases, frequentWords }: IndexQuery): number[] | null {
    if (phrases !== null) return this.#phraseRows(phrases, PHRASE_ROWS_MAX);
    if (frequentWords.length === 0) return null;
    for (const reading of frequentWords) {
      const rows = this.#phraseRows(reading, SEARCH_TOTAL_MAX + 1);
      if (rows.length > 0) return rows;
    }
    return [];
  }

  #phraseRows(phrases: string | null, limit = -1): number[] {
    if (phrases === null) return [];
    return this.#sql
      .of(
        `SELECT s.row FROM (SELECT rowid AS row FROM reading_phrase WHERE reading_phrase MATCH ?) s
         WHERE ${WITHIN_TIME_LIMIT} LIMIT +?`,
      )
      .all(phrases, limit)
      .map((found) => numberOf(found, "row"));
  }

  #term({ stems, prefix }: QueryWord): Term {
    const known = new Map<number, number>();
    for (const stem of stems) {
      const found = this.#postings.stem(stem);
      if (found !== null) known.set(found.id, found.items);
    }
    const longer = prefix === null ? [] : this.#postings.stemsFrom(prefix, PREFIX_STEMS_MAX);
    for (const { id, items } of longer) known.set(id, items);
    const items = [...known.values()].reduce((sum, count) => sum + count, 0);
    return { stemIds: [...known.keys()], items, weight: 1 };
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
    const asked = new Set(question.words.flatMap((word) => this.#term(word).stemIds));
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

  #hasTitle(row: number, { words }: IndexQuery): boolean {
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

/** Merges repeated query words into one term with a higher weight. */
function merged(terms: readonly Term[]): Term[] {
  const byStems = Map.groupBy(terms, ({ stemIds }) => stemIds.join());
  return [...byStems.values()].flatMap(([term, ...more]) =>
    term === undefined ? [] : [{ ...term, weight: 1 + more.length }],
  );
}
