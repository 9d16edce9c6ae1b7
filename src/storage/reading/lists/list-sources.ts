import { BEST_FIRST_SORT, type ContentType } from "../../../content/types/content-type.ts";
import { partSortKeyName } from "../values.ts";
import type { ListCondition, SqlParameter } from "./conditions.ts";

/** How a list finds its items of one type. */
export interface TypeSelection {
  type: ContentType;
  conditions: ListCondition[];
  /**
   * The condition whose rows are collected and then sorted; null if rows are read from an index in
   * the requested order.
   */
  collected: ListCondition | null;
  /**
   * For a ranked list: the condition whose matching links are stored with a rank; null if there is
   * none.
   */
  ranked: ConditionWithLink | null;
  /** For a list sorted by place in a work: the condition that selects the work; otherwise null. */
  placed: ConditionWithLink | null;
}

export type ConditionWithLink = ListCondition & Required<Pick<ListCondition, "link">>;

export interface SqlWithParameters {
  text: string;
  parameters: SqlParameter[];
}

/** The tables from which a list reads its rows. */
export interface ListSource extends SqlWithParameters {
  /**
   * Column with the languages of the items, which saves looking them up; null if the tables have no such
   * column.
   */
  language: "s.language" | "g.language" | null;
}

/**
 * Returns the condition whose rows can be read in the requested order; null if there is none. If a list
 * is sorted by place, also null if the rows of another condition are collected, because the place of
 * each collected row is then read separately.
 */
export function findOrderedCondition(
  { ranked, placed, collected }: TypeSelection,
  sort: string,
): ConditionWithLink | null {
  if (sort === BEST_FIRST_SORT) return ranked;
  if (sort === "added") return null;
  return collected === null || collected === placed ? placed : null;
}

/** Returns the tables from which the rows of a list are read, as the beginning of an SQL query. */
export function buildListSource(
  selection: TypeSelection,
  { ordered, sort }: { ordered: ConditionWithLink | null; sort: string },
): ListSource {
  if (ordered !== null && sort === BEST_FIRST_SORT) return rankedLinks(selection, ordered);
  const name = sortKeyName(selection, sort);
  return ordered !== null || selection.collected === null
    ? walkedOrder(selection, name)
    : collectedOrder(selection, selection.collected, name);
}

/**
 * Selects the items that have the link in the condition `ranked`, with the rank of that link. If the rows
 * of another condition have been collected, reads only the links of those rows.
 */
function rankedLinks(
  { type, collected: known }: TypeSelection,
  ranked: ConditionWithLink,
): ListSource {
  const { target, relation } = ranked.link;
  if (known === null || known === ranked) {
    return {
      text: `FROM (SELECT source AS row, rank AS value, language FROM reading_link
        WHERE target = ? AND relation = ? AND source_type = ? AND rank IS NOT NULL) s WHERE TRUE`,
      parameters: [target, relation, type.name],
      language: "s.language",
    };
  }
  return {
    text: `FROM (SELECT l.source AS row, l.rank AS value
      FROM (SELECT DISTINCT row FROM (${known.rows})) g CROSS JOIN reading_link l
      ON l.source = g.row AND l.relation = ? AND +l.target = ? AND l.source_type = ?) s WHERE TRUE`,
    parameters: [...known.rowsParameters, relation, target, type.name],
    language: null,
  };
}

function walkedOrder(selection: TypeSelection, sort: string): ListSource {
  if (sort === "added") {
    return {
      text: "FROM reading_item s WHERE s.type = ?",
      parameters: [selection.type.name],
      language: null,
    };
  }
  return {
    text: "FROM reading_value s WHERE s.type = ? AND s.name = ?",
    parameters: [selection.type.name, sort],
    language: null,
  };
}

function collectedOrder(
  selection: TypeSelection,
  { rows, rowsParameters, link }: ListCondition,
  sort: string,
): ListSource {
  const hasEachRowOnce = link !== undefined;
  if (hasEachRowOnce && sort === "added") {
    return {
      text: `FROM (${rows}) s WHERE TRUE`,
      parameters: rowsParameters,
      language: "s.language",
    };
  }
  const each = hasEachRowOnce ? rows : `SELECT DISTINCT row FROM (${rows})`;
  const distinct = `FROM (${each}) g CROSS JOIN`;
  const language = hasEachRowOnce ? "g.language" : null;
  if (sort === "added") {
    return {
      text: `${distinct} reading_item s ON s.row = g.row WHERE s.type = ?`,
      parameters: [...rowsParameters, selection.type.name],
      language,
    };
  }
  return {
    text: `${distinct} reading_value s ON s.row = g.row AND s.name = ? WHERE s.type = ?`,
    parameters: [...rowsParameters, sort, selection.type.name],
    language,
  };
}

/** Returns the name of the values in `reading_value` that order the rows of one type. */
export function sortKeyName(selection: TypeSelection | undefined, sort: string): string {
  const placed = selection?.placed ?? null;
  return placed === null ? sort : partSortKeyName(placed.link.target, sort);
}
