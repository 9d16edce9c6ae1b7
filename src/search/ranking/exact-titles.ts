import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { isLineQuery } from "../closeness.ts";
import { tokenize } from "../language/stems.ts";
import type { IndexQuery, QueryWord } from "../search-terms.ts";
import type { RankedRow } from "./best-results.ts";

/**
 * The number of top results whose titles are compared with the query. Among lower results, only items
 * of types that people refer to by name are compared.
 */
const TITLES_READ_MAX = 10;
const TITLE_WORDS_MAX = 12;

/** Moves items whose titles equal the query to the top. */
export class ExactTitleRanker {
  readonly #sql: StatementCache;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /**
   * Moves items to the top of `best` if their titles consist of exactly the words of the query, apart from
   * stop words. Takes the items from `found`, the results of the search by words. Changes nothing if the
   * query is a line of a text rather than a name.
   */
  withExactFirst(
    best: readonly RankedRow[],
    found: readonly RankedRow[],
    { query, isOfNamedType }: { query: IndexQuery; isOfNamedType: (row: number) => boolean },
  ): readonly RankedRow[] {
    const words = query.words.filter(({ isStopOrFiller }) => !isStopOrFiller);
    if (words.length === 0 || words.length > TITLE_WORDS_MAX || isLineQuery(query.words))
      return best;
    const comparedItems = found
      .filter(({ row }, position) => position < TITLES_READ_MAX || isOfNamedType(row))
      .slice(0, 3 * TITLES_READ_MAX);
    const stems = this.#titleStems(comparedItems.map(({ row }) => row));
    const exactMatches = comparedItems
      .filter(({ row }) => haveSameStems(stems.get(row) ?? [], words))
      .sort((a, b) => Number(isOfNamedType(b.row)) - Number(isOfNamedType(a.row)));
    const rows = new Set(exactMatches.map(({ row }) => row));
    return [...exactMatches, ...best.filter(({ row }) => !rows.has(row))];
  }

  /** The stems of each title without stop words. */
  #titleStems(rows: readonly number[]): Map<number, string[]> {
    const found = this.#sql
      .withArrayRows(
        `SELECT i.row, i.title, i.language FROM json_each(?) r
         CROSS JOIN reading_item i ON i.row = r.value`,
      )
      .all(JSON.stringify(rows));
    return new Map(
      found.map((item) => {
        const tokens = tokenize(textOf(item, 1), textOf(item, 2));
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
