import type { SearchQuery } from "../content/library.ts";
import type { ContentType, ContentTypes } from "../content/types/content-type.ts";
import type { PublishedItems } from "../storage/reading/items.ts";
import {
  buildListConditionsForType,
  type ListCondition,
  type SqlParameter,
} from "../storage/reading/lists/conditions.ts";
import { requireStoredRowCount } from "../storage/reading/lists/row-count-checks.ts";
import { numberOf } from "../storage/sqlite/columns.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import type { ItemKind, ItemKindReader } from "./postings/item-kinds.ts";
import { TIME_LIMIT_SQL_CONDITION } from "./time-limit.ts";

/**
 * Limit of rows to collect before the search. If more rows meet the conditions, the results of the
 * search are filtered instead.
 */
const GATHERED_ROWS_MAX = 50_000;

/** The filters of a query as two tests. A row must pass both. */
export interface RowFilter {
  /** Tests a row in memory; null if every row passes. */
  isAllowed: ((row: number) => boolean) | null;
  /**
   * Returns the rows that meet the conditions on fields and links; null if `isAllowed` also tests these
   * conditions.
   */
  matchesAmong: ((rows: readonly number[]) => ReadonlySet<number>) | null;
}

interface TypeConditions {
  type: ContentType;
  conditions: readonly ListCondition[];
}

/** Filters search results by type, language, fields and links. */
export class SearchFilters {
  readonly #sql: StatementCache;
  readonly #items: PublishedItems;
  readonly #kinds: ItemKindReader;

  constructor(sql: StatementCache, items: PublishedItems, kinds: ItemKindReader) {
    this.#sql = sql;
    this.#items = items;
    this.#kinds = kinds;
  }

  /** Builds an SQL query for all rows that pass the filters, without duplicates. */
  rowsOf(query: SearchQuery, types: ContentTypes): { text: string; parameters: SqlParameter[] } {
    const byType = this.#conditionsByType(query, types, query).map(({ type, conditions }) => ({
      ...gatheredRows(type.name, conditions),
      distinct: conditions.length === 0 ? "" : "DISTINCT",
    }));
    const texts = byType.map(({ text, distinct }) => `SELECT ${distinct} row FROM (${text})`);
    return {
      text: [NO_ROWS, ...texts].join(" UNION ALL "),
      parameters: byType.flatMap(({ parameters }) => [...parameters, -1]),
    };
  }

  /** Prepares the filter of a query; null if no item can match. */
  prepareFilter(query: SearchQuery, types: ContentTypes): RowFilter | null {
    const { language, notLanguages = [], ...fieldConditions } = query;
    const names = query.types.length === 0 ? [...types.keys()] : query.types;
    const byType = this.#conditionsByType(query, types, fieldConditions);
    if (byType.length === 0) return null;
    const admitsEveryKind =
      query.types.length === 0 &&
      byType.length === names.length &&
      language === undefined &&
      notLanguages.length === 0;
    const matchesKind = (kind: ItemKind) =>
      (language === undefined || matchesLanguage(kind.language, language)) &&
      !notLanguages.some((other) => matchesLanguage(kind.language, other)) &&
      byType.some(({ type }) => type.name === kind.type);
    const isOfKind = admitsEveryKind ? null : this.#kinds.test(matchesKind);
    if (byType.every(({ conditions }) => conditions.length === 0)) {
      return { isAllowed: isOfKind, matchesAmong: null };
    }
    const matchingRows = this.#gather(byType);
    return matchingRows === null
      ? { isAllowed: isOfKind, matchesAmong: (rows) => this.#matchesAmong(rows, byType) }
      : {
          isAllowed: (row) => matchingRows.has(row) && isOfKind?.(row) !== false,
          matchesAmong: null,
        };
  }

  #conditionsByType(
    query: SearchQuery,
    types: ContentTypes,
    conditions: Parameters<typeof buildListConditionsForType>[1],
  ): TypeConditions[] {
    const names = query.types.length === 0 ? [...types.keys()] : query.types;
    return names.flatMap((name): TypeConditions[] => {
      const type = types.get(name);
      if (type === undefined) return [];
      const found = buildListConditionsForType(type, conditions, { items: this.#items, types });
      return found === null ? [] : [{ type, conditions: found }];
    });
  }

  /** Collects the rows that meet the conditions; null if there are too many. */
  #gather(byType: readonly TypeConditions[]): ReadonlySet<number> | null {
    const rows = new Set<number>();
    for (const each of byType) {
      const { text, parameters } = gatheredRows(each.type.name, each.conditions);
      const found = this.#sql.of(text).all(...parameters, GATHERED_ROWS_MAX + 1);
      if (found.length > GATHERED_ROWS_MAX) return null;
      requireStoredRowCount(this.#sql, each, { rows: found.length });
      for (const { row } of found) rows.add(Number(row));
    }
    return rows;
  }

  #matchesAmong(rows: readonly number[], byType: readonly TypeConditions[]): ReadonlySet<number> {
    const tests = byType.map(({ conditions }) =>
      ["s.type = ?", ...conditions.map(({ probe }) => probe)].join(" AND "),
    );
    const parameters = byType.flatMap(({ type, conditions }): SqlParameter[] => [
      type.name,
      ...conditions.flatMap(({ probeParameters }) => probeParameters),
    ]);
    const found = this.#sql
      .of(
        `SELECT s.row FROM json_each(?) f CROSS JOIN reading_item s ON s.row = f.value
         WHERE (${tests.map((test) => `(${test})`).join(" OR ")}) AND ${TIME_LIMIT_SQL_CONDITION}`,
      )
      .all(JSON.stringify(rows), ...parameters);
    return new Set(found.map((one) => numberOf(one, "row")));
  }
}

const NO_ROWS = "SELECT NULL AS row WHERE FALSE";

/**
 * Builds an SQL query for the items of a type that meet all conditions. Starts from the rows of the last
 * condition: conditions on links come last, and match the fewest rows.
 */
function gatheredRows(
  type: string,
  conditions: readonly ListCondition[],
): { text: string; parameters: SqlParameter[] } {
  const last = conditions.at(-1);
  if (last === undefined) {
    return {
      text: "SELECT s.row FROM reading_item s WHERE s.type = ? LIMIT +?",
      parameters: [type],
    };
  }
  const otherConditions = conditions.slice(0, -1);
  const tests = otherConditions.map(({ probe }) => ` AND ${probe}`).join("");
  return {
    text: `SELECT s.row FROM (${last.rows}) g CROSS JOIN reading_item s ON s.row = g.row
      WHERE s.type = ?${tests} AND ${TIME_LIMIT_SQL_CONDITION} LIMIT +?`,
    parameters: [
      ...last.rowsParameters,
      type,
      ...otherConditions.flatMap(({ probeParameters }) => probeParameters),
    ],
  };
}

/** Whether a tag is in a language; `en-GB` is in `en`. */
function matchesLanguage(tag: string, language: string): boolean {
  const wanted = language.toLowerCase();
  return tag === wanted || tag.startsWith(`${wanted}-`);
}
