import type { SearchHit, SearchPage, SearchQuery } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { PublishedItems } from "../storage/reading/items.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import { classifyMatchCloseness } from "./closeness.ts";
import { GroupCounter } from "./grouping.ts";
import { baseLanguage } from "./language/languages.ts";
import { hasStemmerOrStopWords } from "./language/stems.ts";
import { correctMisrememberedLine } from "./line-slips.ts";
import { NameFinder, selectTypesFindableByName } from "./name-finder.ts";
import { ItemKindReader } from "./postings/item-kinds.ts";
import { Postings } from "./postings/postings.ts";
import {
  COUNTED_HITS_MAX,
  hasOperators,
  isLongPhrase,
  parseSearch,
  type SearchTerms,
  unquotePhrases,
} from "./query.ts";
import { type RankedResults, ResultRanker } from "./result-ranking.ts";
import { type RowFilter, SearchFilters } from "./search-filters.ts";
import { type IndexQuery, moveLikeliestLanguageFirst, toIndexQuery } from "./search-terms.ts";
import { selectTermsToHighlight, snippetOf, type TermsToHighlight } from "./snippets.ts";
import { type SearchedContent, SpellingCorrector } from "./spelling.ts";
import type { TimeLimit } from "./time-limit.ts";

/** An item with more than this coverage counts as containing all words of the query. */
const COMPLETE_COVERAGE = 0.99;
/**
 * The number of top results whose texts are compared with the query to find the line that the user
 * meant.
 */
const MEANT_LINES_READ = 3;

const NO_RESULTS: SearchPage = {
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

interface Site {
  types: ContentTypes;
  /** The site's own language, tried first for a query. */
  language: string;
}

interface RankedPage {
  page: SearchPage;
  /** Rows of the top results of the query, independent of the requested page. */
  best: readonly number[];
}

interface UnderstoodQuery {
  /** The terms as typed. */
  typed: SearchTerms;
  /** The terms to search for, with corrections. */
  terms: SearchTerms;
  filter: RowFilter;
  types: ContentTypes;
}

export class PublishedContentSearch {
  readonly #items: PublishedItems;
  readonly #postings: Postings;
  readonly #kinds: ItemKindReader;
  readonly #filters: SearchFilters;
  readonly #groups: GroupCounter;
  readonly #names: NameFinder;
  readonly #spelling: SpellingCorrector;
  readonly #ranking: ResultRanker;
  readonly #timeLimit: TimeLimit;

  constructor(sql: StatementCache, items: PublishedItems, timeLimit: TimeLimit) {
    this.#items = items;
    this.#timeLimit = timeLimit;
    this.#postings = new Postings(sql);
    this.#kinds = new ItemKindReader(sql);
    this.#filters = new SearchFilters(sql, items, this.#kinds);
    this.#groups = new GroupCounter(sql, items);
    this.#names = new NameFinder(sql, items);
    this.#spelling = new SpellingCorrector(sql, this.#postings);
    this.#ranking = new ResultRanker(sql, {
      postings: this.#postings,
      kinds: this.#kinds,
      timeLimit,
    });
  }

  /** Clears the cached data. Call after any change of published content. */
  forget(): void {
    this.#kinds.forget();
    this.#postings.forget();
  }

  /**
   * @throws {AppError} `invalid` for a malformed query, `unavailable` when it takes too long.
   */
  search(query: SearchQuery, site: Site): SearchPage {
    this.#timeLimit.start();
    if (query.text === "" && query.countBy !== undefined) {
      return {
        ...NO_RESULTS,
        groups: this.#groups.count(this.#filters.rowsOf(query, site.types), query),
      };
    }
    const typed = parseSearch(query.text);
    const excluding =
      query.isVerbatim === true ? null : this.#names.withExclusions(typed, site.types);
    if (excluding !== null) {
      const page = this.#search({ ...query, text: excluding }, parseSearch(excluding), site);
      return { ...page, correctedText: page.correctedText ?? excluding };
    }
    const strictPage = this.#search(query, typed, site);
    const isFinal = strictPage.total > 0 || query.isVerbatim === true;
    const text = isFinal ? null : unquotePhrases(query.text, typed);
    if (text === null) return strictPage;
    const linePage = this.#quotedLine(query, typed, site);
    if (linePage !== null) return linePage;
    const loosePage = this.#search({ ...query, text }, parseSearch(text), site);
    return loosePage.total === 0
      ? strictPage
      : { ...loosePage, correctedText: loosePage.correctedText ?? text };
  }

  /**
   * Searches for the words of the first long phrase in quotation marks. Used if no item has the exact
   * phrase. Returns null if no result is close, or if all phrases are short.
   */
  #quotedLine(query: SearchQuery, { phrases }: SearchTerms, site: Site): SearchPage | null {
    const text = phrases.find(isLongPhrase)?.join(" ");
    if (text === undefined) return null;
    const page = this.#search({ ...query, text }, parseSearch(text), site);
    return page.closeness === "close"
      ? { ...page, correctedText: page.correctedText ?? text }
      : null;
  }

  #search(query: SearchQuery, typed: SearchTerms, site: Site): SearchPage {
    const found = this.#find(query, typed, site);
    const isFinal = found.page.closeness !== "distant" || query.isVerbatim === true;
    return isFinal || hasOperators(typed)
      ? found.page
      : this.#correctedLine(query, typed, { found, site });
  }

  /**
   * Treats the query as a misremembered line and corrects it from the texts of its best results.
   * Returns the uncorrected page if no corrected line has a close match.
   */
  #correctedLine(
    query: SearchQuery,
    typed: SearchTerms,
    { found: { page, best }, site }: { found: RankedPage; site: Site },
  ): SearchPage {
    for (const { item, text } of this.#items.withTexts(best)) {
      const meant = correctMisrememberedLine(typed, { text, language: item.language });
      if (meant === null) continue;
      const verbatim: SearchQuery = { ...query, text: meant, isVerbatim: true };
      const corrected = this.#find(verbatim, parseSearch(meant), site).page;
      if (corrected.closeness === "close") return { ...corrected, correctedText: meant };
    }
    return page;
  }

  #find(query: SearchQuery, typed: SearchTerms, site: Site): RankedPage {
    const filter = this.#filters.prepareFilter(query, site.types);
    if (filter === null) return { page: NO_RESULTS, best: [] };
    const languages = moveLikeliestLanguageFirst(typed, this.#languages(query, site.language));
    const correctedText = this.#corrected(query, typed, {
      types: site.types,
      languages,
      isAllowed: filter.isAllowed,
    });
    const terms = correctedText === null ? typed : parseSearch(correctedText);
    const naming = this.#names.wordsNaming(terms, site.types);
    const indexQuery = toIndexQuery(terms, {
      languages,
      naming,
      isIndexed: (stem) => this.#postings.stem(stem) !== null,
    });
    const ranking = this.#ranked(indexQuery, query, { typed, terms, filter, types: site.types });
    const total = Math.min(ranking.total, COUNTED_HITS_MAX);
    const highlights = selectTermsToHighlight(indexQuery);
    const listed = this.#groups.listed(ranking.best, query);
    const page = {
      hits: this.#hits(
        listed.map(({ row }) => row),
        highlights,
      ),
      total,
      totalIsExact: !ranking.isCut && total === ranking.total,
      hasMore: ranking.best.length > query.offset + query.limit,
      counts: this.#kinds.countsOfTypes(ranking.kindCounts),
      correctedText: total === 0 ? null : correctedText,
      closeness: classifyMatchCloseness(ranking.fits, { ...indexQuery, isNamed: ranking.isNamed }),
      isShortened: typed.isShortened || ranking.isShortened,
      named: this.#names.namedIn(terms, site.types),
      groups: this.#groups.countRanked(ranking.best, query),
    };
    return { page, best: ranking.best.slice(0, MEANT_LINES_READ).map(({ row }) => row) };
  }

  /**
   * Ranks the results. Items that the query names come first: items whose names equal the query or,
   * if no item contains all words of the query, items with similar names.
   */
  #ranked(
    indexQuery: IndexQuery,
    query: SearchQuery,
    { typed, terms, filter, types }: UnderstoodQuery,
  ): RankedResults & { isNamed: boolean } {
    const named = selectTypesFindableByName(types);
    const isOfNamedType = this.#kinds.test(({ type }) => named.includes(type));
    const request = { ...query, ...this.#groups.range(query), filter, isOfNamedType };
    const rows = [...new Set([typed, terms])].flatMap((each) => this.#names.rowsNamed(each, types));
    const namedRows = [...new Set(rows)].filter((row) => filter.isAllowed?.(row) !== false);
    const ranking = this.#ranking.rank(indexQuery, { ...request, namedRows });
    if (namedRows.length > 0 || query.isVerbatim === true) {
      return { ...ranking, isNamed: namedRows.length > 0 };
    }
    const isComplete = ranking.fits.some(({ coverage }) => coverage > COMPLETE_COVERAGE);
    const isOneWord = typed.words.length === 1;
    if (isComplete && this.#spelling.areAllIndexed(isOneWord ? terms : typed))
      return { ...ranking, isNamed: false };
    const similarRows = this.#names
      .rowsNamedLike(typed, types)
      .filter((row) => filter.isAllowed?.(row) !== false);
    if (similarRows.length === 0) return { ...ranking, isNamed: false };
    const similar = this.#ranking.rank(indexQuery, { ...request, namedRows: similarRows });
    return { ...similar, isNamed: true };
  }

  /**
   * Returns the requested language, or else the site's own language and the languages of published items.
   * All languages without a stemmer and stop words treat words in the same way, so only one of these
   * languages is included.
   */
  #languages({ language }: SearchQuery, siteLanguage: string): string[] {
    if (language !== undefined) return [baseLanguage(language)];
    const all = [...new Set([baseLanguage(siteLanguage), ...this.#kinds.languages()])];
    const withoutRules = all.find((each) => !hasStemmerOrStopWords(each));
    return all.filter((each) => each === withoutRules || hasStemmerOrStopWords(each));
  }

  /** The text with aliases replaced by titles and unknown words corrected; null if nothing changed. */
  #corrected(
    { isVerbatim }: SearchQuery,
    typed: SearchTerms,
    searched: SearchedContent,
  ): string | null {
    if (isVerbatim === true) return null;
    const withTitles = this.#names.withTitles(typed, searched.types);
    const terms = withTitles === null ? typed : parseSearch(withTitles);
    return this.#spelling.correctedText(terms, searched) ?? withTitles;
  }

  #hits(rows: readonly number[], highlights: TermsToHighlight): SearchHit[] {
    return this.#items.withTexts(rows).map(({ item, text }) => ({
      ...item,
      snippet: snippetOf(text === "" ? item.summary : text, {
        highlights,
        language: item.language,
      }),
    }));
  }
}
