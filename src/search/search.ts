import type { SearchHit, SearchPage, SearchQuery } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import type { Items } from "../storage/reading/items.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { closenessOf } from "./closeness.ts";
import { GroupCounter } from "./grouping.ts";
import { baseLanguage } from "./language/languages.ts";
import { hasOwnWords } from "./language/stems.ts";
import { lineWithoutSlips } from "./line-slips.ts";
import { isStrict, Names, namedTypes } from "./names.ts";
import { type Narrowed, Narrowing } from "./narrowing.ts";
import { Kinds } from "./postings/kinds.ts";
import { Postings } from "./postings/postings.ts";
import { isLong, parseSearch, SEARCH_TOTAL_MAX, type SearchTerms, withoutQuotes } from "./query.ts";
import { type RankedResults, ResultRanking } from "./result-ranking.ts";
import { type IndexQuery, likeliestFirst, toIndexQuery } from "./search-terms.ts";
import { snippetOf, type Wanted, wantedBy } from "./snippets.ts";
import { Spelling } from "./spelling.ts";
import type { TimeLimit } from "./time-limit.ts";

/** An item with at least this coverage counts as containing all words of the query. */
const COMPLETE_COVERAGE = 0.99;
/** The number of top results that are read for the line that was meant. */
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
  /** The site's own language, tried first when reading a query. */
  language: string;
}

interface RankedPage {
  page: SearchPage;
  /** Rows of the very best results, whichever page is asked for. */
  best: readonly number[];
}

interface UnderstoodQuery {
  /** The terms as typed; `terms` are those searched for, with corrections. */
  asked: SearchTerms;
  terms: SearchTerms;
  narrowed: Narrowed;
  types: ContentTypes;
}

export class Search {
  readonly #items: Items;
  readonly #postings: Postings;
  readonly #kinds: Kinds;
  readonly #narrowing: Narrowing;
  readonly #groups: GroupCounter;
  readonly #names: Names;
  readonly #spelling: Spelling;
  readonly #ranking: ResultRanking;
  readonly #timeLimit: TimeLimit;

  constructor(sql: Statements, items: Items, timeLimit: TimeLimit) {
    this.#items = items;
    this.#timeLimit = timeLimit;
    this.#postings = new Postings(sql);
    this.#kinds = new Kinds(sql);
    this.#narrowing = new Narrowing(sql, items, this.#kinds);
    this.#groups = new GroupCounter(sql, items);
    this.#names = new Names(sql, items);
    this.#spelling = new Spelling(sql, this.#postings);
    this.#ranking = new ResultRanking(sql, {
      postings: this.#postings,
      kinds: this.#kinds,
      timeLimit,
    });
  }

  /** Call after any change of published content. */
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
        groups: this.#groups.count(this.#narrowing.rowsOf(query, site.types), query),
      };
    }
    const asked = parseSearch(query.text);
    const wanted =
      query.isVerbatim === true ? null : this.#names.withoutUnwanted(asked, site.types);
    if (wanted !== null) {
      const page = this.#search({ ...query, text: wanted }, parseSearch(wanted), site);
      return { ...page, correctedText: page.correctedText ?? wanted };
    }
    const strictly = this.#search(query, asked, site);
    const isFinal = strictly.total > 0 || query.isVerbatim === true;
    const text = isFinal ? null : withoutQuotes(query.text, asked);
    if (text === null) return strictly;
    const quoted = this.#quotedLine(query, asked, site);
    if (quoted !== null) return quoted;
    const loosely = this.#search({ ...query, text }, parseSearch(text), site);
    return loosely.total === 0
      ? strictly
      : { ...loosely, correctedText: loosely.correctedText ?? text };
  }

  /**
   * Searches for the first quoted line alone, as words, since no item has it as quoted. Null: nothing
   * comes close, or no phrase is a line.
   */
  #quotedLine(query: SearchQuery, { phrases }: SearchTerms, site: Site): SearchPage | null {
    const text = phrases.find(isLong)?.join(" ");
    if (text === undefined) return null;
    const page = this.#search({ ...query, text }, parseSearch(text), site);
    return page.closeness === "close"
      ? { ...page, correctedText: page.correctedText ?? text }
      : null;
  }

  #search(query: SearchQuery, asked: SearchTerms, site: Site): SearchPage {
    const found = this.#find(query, asked, site);
    const isSearched = found.page.closeness !== "distant" || query.isVerbatim === true;
    return isSearched || isStrict(asked)
      ? found.page
      : this.#asMeant(query, asked, { found, site });
  }

  /**
   * Corrects the query by the texts of its best results, as a misremembered line; keeps the first page if
   * no corrected line has a close match.
   */
  #asMeant(
    query: SearchQuery,
    asked: SearchTerms,
    { found: { page, best }, site }: { found: RankedPage; site: Site },
  ): SearchPage {
    for (const { item, text } of this.#items.withTexts(best)) {
      const meant = lineWithoutSlips(asked, { text, language: item.language });
      if (meant === null) continue;
      const exactly: SearchQuery = { ...query, text: meant, isVerbatim: true };
      const corrected = this.#find(exactly, parseSearch(meant), site).page;
      if (corrected.closeness === "close") return { ...corrected, correctedText: meant };
    }
    return page;
  }

  #find(query: SearchQuery, asked: SearchTerms, site: Site): RankedPage {
    const narrowed = this.#narrowing.narrow(query, site.types);
    if (narrowed === null) return { page: NO_RESULTS, best: [] };
    const languages = likeliestFirst(asked, this.#languages(query, site.language));
    const correctedText = this.#corrected(query, asked, { types: site.types, languages });
    const terms = correctedText === null ? asked : parseSearch(correctedText);
    const naming = this.#names.wordsNaming(terms, site.types);
    const question = toIndexQuery(terms, {
      languages,
      naming,
      isIndexed: (stem) => this.#postings.stem(stem) !== null,
    });
    const ranking = this.#ranked(question, query, { asked, terms, narrowed, types: site.types });
    const total = Math.min(ranking.total, SEARCH_TOTAL_MAX);
    const wanted = wantedBy(question);
    const shown = this.#groups.listed(ranking.best, query);
    const page = {
      hits: this.#hits(
        shown.map(({ row }) => row),
        wanted,
      ),
      total,
      totalIsExact: !ranking.isCut && total === ranking.total,
      hasMore: ranking.best.length > query.offset + query.limit,
      counts: this.#kinds.countsOfTypes(ranking.kindCounts),
      correctedText: total === 0 ? null : correctedText,
      closeness: closenessOf(ranking.fits, { ...question, isNamed: ranking.isNamed }),
      isShortened: asked.isShortened || ranking.isShortened,
      named: this.#names.namedIn(terms, site.types),
      groups: this.#groups.countRanked(ranking.best, query),
    };
    return { page, best: ranking.best.slice(0, MEANT_LINES_READ).map(({ row }) => row) };
  }

  /**
   * Ranks results, items called by name first: those whose names equal the query or, if no item contains
   * all its words, similar ones.
   */
  #ranked(
    question: IndexQuery,
    query: SearchQuery,
    { asked, terms, narrowed, types }: UnderstoodQuery,
  ): RankedResults & { isNamed: boolean } {
    const named = namedTypes(types);
    const isOfNamedType = this.#kinds.test(({ type }) => named.includes(type));
    const part = { ...query, ...this.#groups.part(query), narrowed, isOfNamedType };
    const called = [...new Set([asked, terms])].flatMap((each) => this.#names.called(each, types));
    const kept = [...new Set(called)].filter((row) => narrowed.isAllowed?.(row) !== false);
    const ranking = this.#ranking.ranked(question, { ...part, called: kept });
    if (kept.length > 0 || query.isVerbatim === true) {
      return { ...ranking, isNamed: kept.length > 0 };
    }
    const isComplete = ranking.fits.some(({ coverage }) => coverage > COMPLETE_COVERAGE);
    const isOneWord = asked.words.length === 1;
    if (isComplete && this.#spelling.areWritten(isOneWord ? terms : asked))
      return { ...ranking, isNamed: false };
    const alike = this.#names
      .alike(asked, types)
      .filter((row) => narrowed.isAllowed?.(row) !== false);
    if (alike.length === 0) return { ...ranking, isNamed: false };
    return { ...this.#ranking.ranked(question, { ...part, called: alike }), isNamed: true };
  }

  /**
   * The requested language, or the site's own and those of published items. Languages without stems and
   * stop words of their own read a word alike, so only one of them is included.
   */
  #languages({ language }: SearchQuery, own: string): string[] {
    if (language !== undefined) return [baseLanguage(language)];
    const all = [...new Set([baseLanguage(own), ...this.#kinds.languages()])];
    const plain = all.find((each) => !hasOwnWords(each));
    return all.filter((each) => each === plain || hasOwnWords(each));
  }

  /** The text to search, with aliases replaced by titles and unknown words corrected; null: as typed. */
  #corrected(
    { isVerbatim }: SearchQuery,
    asked: SearchTerms,
    { types, languages }: { types: ContentTypes; languages: readonly string[] },
  ): string | null {
    if (isVerbatim === true) return null;
    const titled = this.#names.withTitles(asked, types);
    const terms = titled === null ? asked : parseSearch(titled);
    return this.#spelling.correctedText(terms, languages) ?? titled;
  }

  #hits(rows: readonly number[], wanted: Wanted): SearchHit[] {
    return this.#items.withTexts(rows).map(({ item, text }) => ({
      ...item,
      snippet: snippetOf(text === "" ? item.summary : text, { wanted, language: item.language }),
    }));
  }
}
