import type { ContentTypes } from "../../content/content-type.ts";
import type { SearchHit, SearchPage, SearchQuery } from "../../content/library.ts";
import {
  parseSearch,
  replaceWords,
  SEARCH_TOTAL_MAX,
  type SearchTerms,
  withoutQuotes,
} from "../../content/search.ts";
import { isStopWord } from "../../content/stop-words.ts";
import { numberOf } from "./columns.ts";
import { conditionsOn, type Parameter } from "./conditions.ts";
import type { Items } from "./items.ts";
import { COLUMN_WEIGHTS, Feedback, type Ranked } from "./search-feedback.ts";
import { snippetOf } from "./snippets.ts";
import type { Spelling } from "./spelling.ts";
import type { Statements } from "./statements.ts";
import { foldedWords, stemOf } from "./stems.ts";
import { IN_TIME, type TimeLimit } from "./time-limit.ts";

/** The best of this many are put in order once more; further pages stand as they are. */
const REORDERED_MAX = 200;

/** Phrases and words that say nothing stand in the larger index only. */
type Index = "reading_search" | "reading_phrase";

interface Matching {
  index: Index;
  where: string;
  parameters: Parameter[];
}

export class Search {
  readonly #sql: Statements;
  readonly #items: Items;
  readonly #spelling: Spelling;
  readonly #feedback: Feedback;
  readonly #timeLimit: TimeLimit;

  constructor(
    sql: Statements,
    items: Items,
    { spelling, timeLimit }: { spelling: Spelling; timeLimit: TimeLimit },
  ) {
    this.#sql = sql;
    this.#items = items;
    this.#spelling = spelling;
    this.#timeLimit = timeLimit;
    this.#feedback = new Feedback(sql, items);
  }

  /**
   * @throws {AppError} `invalid` when the text breaks the query language, `unavailable` when it takes
   * too long to answer.
   */
  search(query: SearchQuery, types: ContentTypes): SearchPage {
    this.#timeLimit.start();
    const asked = parseSearch(query.text);
    const strictly = this.#search(query, asked, types);
    const text = strictly.total > 0 ? null : withoutQuotes(query.text, asked);
    if (text === null) return strictly;
    const loosely = this.#search({ ...query, text }, parseSearch(text), types);
    return loosely.total === 0
      ? strictly
      : { ...loosely, correctedText: loosely.correctedText ?? text };
  }

  #search(query: SearchQuery, asked: SearchTerms, types: ContentTypes): SearchPage {
    const correctedText = this.#corrected(query.text, asked);
    const terms = correctedText === null ? asked : parseSearch(correctedText);
    const matching = this.#matching(terms, query, types);
    if (matching === null) {
      return { hits: [], total: 0, totalIsExact: true, hasMore: false, correctedText };
    }
    const wanted = wantedStems(terms);
    const rows = this.#ranked(matching, query, wanted);
    const counted = this.#count(matching);
    const page = rows.slice(0, query.limit);
    return {
      hits: page.flatMap((row) => this.#hit(row, wanted)),
      total: Math.min(counted, SEARCH_TOTAL_MAX),
      totalIsExact: counted <= SEARCH_TOTAL_MAX,
      hasMore: rows.length > query.limit,
      correctedText,
    };
  }

  #corrected(text: string, { words }: SearchTerms): string | null {
    const replacements = words.flatMap((word) => {
      const [folded] = foldedWords(word.text);
      if (word.isPrefix || folded === undefined || isStopWord(folded)) return [];
      const by = this.#spelling.correction(folded);
      return by === null ? [] : [{ word, by }];
    });
    return replacements.length === 0 ? null : replaceWords(text, replacements);
  }

  #matching(terms: SearchTerms, query: SearchQuery, types: ContentTypes): Matching | null {
    const match = matchExpression(terms);
    if (match === null) return null;
    const names = query.types.length === 0 ? [...types.keys()] : query.types;
    const arms = names.flatMap((name) => {
      const type = types.get(name);
      if (type === undefined) return [];
      const conditions = conditionsOn(type, query, { items: this.#items, types });
      if (conditions === null) return [];
      const tests = ["s.type = ?", ...conditions.map((condition) => condition.probe)];
      const parameters = [name, ...conditions.flatMap((condition) => condition.probeParameters)];
      return [{ where: `(${tests.join(" AND ")})`, parameters }];
    });
    if (arms.length === 0) return null;
    const index = indexFor(terms);
    return {
      index,
      where: `FROM ${index} CROSS JOIN reading_item s ON s.row = ${index}.rowid
        WHERE ${index} MATCH ? AND (${arms.map((arm) => arm.where).join(" OR ")}) AND ${IN_TIME}`,
      parameters: [match, ...arms.flatMap((arm) => arm.parameters)],
    };
  }

  /** Up to one more than the limit, best first. */
  #ranked(matching: Matching, query: SearchQuery, wanted: ReadonlySet<string>): number[] {
    const { offset, limit } = query;
    const to = offset + limit + 1;
    const isPlain = matching.index === "reading_search";
    if (!isPlain || offset >= REORDERED_MAX) {
      return this.#scored(matching, { from: offset, to }).map(({ row }) => row);
    }
    const best = this.#scored(matching, { from: 0, to: Math.max(to, REORDERED_MAX) });
    const reordered = this.#feedback.reordered(best.slice(0, REORDERED_MAX), wanted);
    return [...reordered, ...best.slice(REORDERED_MAX)].slice(offset, to).map(({ row }) => row);
  }

  #scored(
    { index, where, parameters }: Matching,
    { from, to }: { from: number; to: number },
  ): Ranked[] {
    return this.#sql
      .of(
        `SELECT s.row, -bm25(${index}, ${COLUMN_WEIGHTS}) AS score ${where}
         ORDER BY score DESC, s.row LIMIT ? OFFSET ?`,
      )
      .all(...parameters, to - from, from)
      .map((found) => ({ row: numberOf(found, "row"), score: numberOf(found, "score") }));
  }

  #count({ where, parameters }: Matching): number {
    const counted = this.#sql
      .of(`SELECT count(*) AS n FROM (SELECT 1 ${where} LIMIT ${SEARCH_TOTAL_MAX + 1})`)
      .get(...parameters);
    return numberOf(counted ?? {}, "n");
  }

  #hit(row: number, wanted: ReadonlySet<string>): SearchHit[] {
    const text = this.#items.fullText(row);
    return this.#items.summaries([row]).map((item) => ({
      ...item,
      snippet: snippetOf(text === "" ? item.summary : text, wanted),
    }));
  }
}

function indexFor({ words, phrases, excluded }: SearchTerms): Index {
  const isPlain = phrases.length === 0 && excluded.every(isTelling);
  return isPlain && words.some(({ text }) => isTelling([text]))
    ? "reading_search"
    : "reading_phrase";
}

function isTelling(words: readonly string[]): boolean {
  const [word = "", ...others] = words.flatMap(foldedWords);
  return others.length === 0 && !isStopWord(word);
}

/** The terms in FTS5's language; null: nothing to look for, as in a text of signs only. */
function matchExpression(terms: SearchTerms): string | null {
  const phrases = terms.phrases.map(phraseOf).filter((phrase) => phrase !== "");
  const words = weightyWords(terms.words).flatMap(({ text, isPrefix }) =>
    foldedWords(text).map((word) => (isPrefix ? prefixOf(word) : `"${stemOf(word)}"`)),
  );
  if (phrases.length + words.length === 0) return null;
  const any = words.join(" OR ");
  // With phrases the words only rank: the first phrase stands in for items without any of them.
  const parts = [
    ...phrases,
    ...(any === "" ? [] : [[phrases[0], any].filter(Boolean).join(" OR ")]),
  ];
  const wanted = parts.map((part) => `(${part})`).join(" AND ");
  const unwanted = terms.excluded.map(phraseOf).filter((phrase) => phrase !== "");
  return unwanted.length === 0 ? wanted : `(${wanted}) NOT (${unwanted.join(" OR ")})`;
}

/** Without the words that say nothing, unless there are no others (`to be or not to be`). */
function weightyWords(words: SearchTerms["words"]): SearchTerms["words"] {
  const weighty = words.filter(({ text }) => isTelling([text]));
  return weighty.length === 0 ? words : weighty;
}

/** The index holds stems, which may end before the prefix does. */
function prefixOf(word: string): string {
  return `("${word}" * OR "${stemOf(word)}")`;
}

function phraseOf(words: readonly string[]): string {
  const stems = words.flatMap(foldedWords).map(stemOf);
  return stems.length === 0 ? "" : `"${stems.join(" ")}"`;
}

function wantedStems(terms: SearchTerms): ReadonlySet<string> {
  const words = [...weightyWords(terms.words).map(({ text }) => text), ...terms.phrases.flat()];
  return new Set(words.flatMap(foldedWords).map(stemOf));
}
