import type { SearchQuery } from "../content/library.ts";
import type { ContentTypes } from "../content/types/content-type.ts";
import { type Condition, conditionsOn, type Parameter } from "../storage/reading/conditions.ts";
import type { Items } from "../storage/reading/items.ts";
import { requireKnownRows } from "../storage/reading/known-rows.ts";
import { numberOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import type { Kind, Kinds } from "./postings/kinds.ts";
import { WITHIN_TIME_LIMIT } from "./time-limit.ts";

/** Conditions with more matching rows are checked on the search results instead of up front. */
const GATHERED_ROWS_MAX = 50_000;

/** Tests whether rows pass the query's filters; both tests apply. */
export interface Narrowed {
  /** Null: all pass. */
  isAllowed: ((row: number) => boolean) | null;
  /** Returns those of some result rows that meet the remaining conditions; null: none remain. */
  probe: ((rows: readonly number[]) => ReadonlySet<number>) | null;
}

interface Arm {
  type: string;
  conditions: readonly Condition[];
}

/** Filters search results by type, language, fields and links. */
export class Narrowing {
  readonly #sql: Statements;
  readonly #items: Items;

  readonly #kinds: Kinds;

  constructor(sql: Statements, items: Items, kinds: Kinds) {
    this.#sql = sql;
    this.#items = items;
    this.#kinds = kinds;
  }

  /** A query for every row that passes the filters, each once. */
  rowsOf(query: SearchQuery, types: ContentTypes): { text: string; parameters: Parameter[] } {
    const arms = this.#arms(query, types, query).map(({ type, conditions }) => ({
      ...gatheredRows(type, conditions),
      distinct: conditions.length === 0 ? "" : "DISTINCT",
    }));
    const texts = arms.map(({ text, distinct }) => `SELECT ${distinct} row FROM (${text})`);
    return {
      text: [NO_ROWS, ...texts].join(" UNION ALL "),
      parameters: arms.flatMap(({ parameters }) => [...parameters, -1]),
    };
  }

  /** Null: no item can match. */
  narrow(query: SearchQuery, types: ContentTypes): Narrowed | null {
    const { language, notLanguages = [], ...rest } = query;
    const names = query.types.length === 0 ? [...types.keys()] : query.types;
    const arms = this.#arms(query, types, rest);
    if (arms.length === 0) return null;
    const isOpen =
      query.types.length === 0 &&
      arms.length === names.length &&
      language === undefined &&
      notLanguages.length === 0;
    const isWanted = (kind: Kind) =>
      (language === undefined || matchesLanguage(kind.language, language)) &&
      !notLanguages.some((other) => matchesLanguage(kind.language, other)) &&
      arms.some(({ type }) => type === kind.type);
    const isOfKind = isOpen ? null : this.#kinds.test(isWanted);
    if (arms.every(({ conditions }) => conditions.length === 0)) {
      return { isAllowed: isOfKind, probe: null };
    }
    const gathered = this.#gather(arms, types);
    return gathered === null
      ? { isAllowed: isOfKind, probe: (rows) => this.#probe(rows, arms) }
      : { isAllowed: (row) => gathered.has(row) && isOfKind?.(row) !== false, probe: null };
  }

  #arms(
    query: SearchQuery,
    types: ContentTypes,
    conditions: Parameters<typeof conditionsOn>[1],
  ): Arm[] {
    const names = query.types.length === 0 ? [...types.keys()] : query.types;
    return names.flatMap((name): Arm[] => {
      const type = types.get(name);
      const found =
        type === undefined ? null : conditionsOn(type, conditions, { items: this.#items, types });
      return found === null ? [] : [{ type: name, conditions: found }];
    });
  }

  /** Null: too many rows to collect. */
  #gather(arms: readonly Arm[], types: ContentTypes): ReadonlySet<number> | null {
    const rows = new Set<number>();
    for (const { type, conditions } of arms) {
      const { text, parameters } = gatheredRows(type, conditions);
      const found = this.#sql.of(text).all(...parameters, GATHERED_ROWS_MAX + 1);
      if (found.length > GATHERED_ROWS_MAX) return null;
      this.#requireRows(type, conditions, { rows: found.length, types });
      for (const { row } of found) rows.add(Number(row));
    }
    return rows;
  }

  #requireRows(
    name: string,
    [condition, ...others]: readonly Condition[],
    { rows, types }: { rows: number; types: ContentTypes },
  ): void {
    const type = types.get(name);
    if (condition === undefined || type === undefined || others.length > 0) return;
    requireKnownRows({ sql: this.#sql, types }, { type, condition }, { rows });
  }

  #probe(rows: readonly number[], arms: readonly Arm[]): ReadonlySet<number> {
    const tests = arms.map(({ conditions }) =>
      ["s.type = ?", ...conditions.map(({ probe }) => probe)].join(" AND "),
    );
    const parameters = arms.flatMap(({ type, conditions }): Parameter[] => [
      type,
      ...conditions.flatMap(({ probeParameters }) => probeParameters),
    ]);
    const found = this.#sql
      .of(
        `SELECT s.row FROM json_each(?) f CROSS JOIN reading_item s ON s.row = f.value
         WHERE (${tests.map((test) => `(${test})`).join(" OR ")}) AND ${WITHIN_TIME_LIMIT}`,
      )
      .all(JSON.stringify(rows), ...parameters);
    return new Set(found.map((one) => numberOf(one, "row")));
  }
}

const NO_ROWS = "SELECT NULL AS row WHERE FALSE";

/** Starts from the last condition: links come last, and are usually the most selective. */
function gatheredRows(
  type: string,
  conditions: readonly Condition[],
): { text: string; parameters: Parameter[] } {
  const last = conditions.at(-1);
  if (last === undefined) {
    return {
      text: "SELECT s.row FROM reading_item s WHERE s.type = ? LIMIT +?",
      parameters: [type],
    };
  }
  const others = conditions.slice(0, -1);
  const tests = others.map(({ probe }) => ` AND ${probe}`).join("");
  return {
    text: `SELECT s.row FROM (${last.rows}) g CROSS JOIN reading_item s ON s.row = g.row
      WHERE s.type = ?${tests} AND ${WITHIN_TIME_LIMIT} LIMIT +?`,
    parameters: [
      ...last.rowsParameters,
      type,
      ...others.flatMap(({ probeParameters }) => probeParameters),
    ],
  };
}

/** `en` also matches `en-GB`. */
function matchesLanguage(tag: string, language: string): boolean {
  const wanted = language.toLowerCase();
  return tag === wanted || tag.startsWith(`${wanted}-`);
}
