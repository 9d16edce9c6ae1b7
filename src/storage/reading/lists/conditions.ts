import type { FieldFilter, LinkFilter } from "../../../content/library.ts";
import {
  type ContentType,
  type ContentTypes,
  filterableFields,
} from "../../../content/types/content-type.ts";
import type { PublishedItems } from "../items.ts";
import {
  isCountedValue,
  linkTallyName,
  MISSING_VALUE,
  type StoredValue,
  valueRangeOfFilter,
} from "../values.ts";

export type SqlParameter = string | number | Uint8Array;

/**
 * A condition on the items of one type, as SQL. `rows` is a query for the rows that match. `probe`
 * tests whether the row `s.row` matches.
 */
export interface ListCondition {
  rows: string;
  rowsParameters: SqlParameter[];
  probe: string;
  probeParameters: SqlParameter[];
  /**
   * Whether the condition is true for most items, so that collecting its rows is never worthwhile.
   */
  isBroad?: true;
  /**
   * Set if the condition selects the items that have this relation to the single item `target`, which is at
   * `path`. The `rows` query then returns each row once, in row order, with its language.
   */
  link?: { target: number; relation: string; path: string };
  /** A query for rows of `reading_tally`. The sum of their `items` is the number of rows of the condition. */
  tally?: { text: string; parameters: SqlParameter[] };
  /** Set if the condition is on the language of an item: tests a column that has the language. */
  languageTest?: ((column: string) => ConditionTest) | undefined;
  /** A test on the item's own columns that is equivalent to `probe`. */
  columnTest?: { probe: string; probeParameters: SqlParameter[] };
}

export interface ListFilter {
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  notLanguages?: readonly string[];
  updatedSince?: string;
  exceptPaths?: readonly string[];
}

/**
 * Returns the query's conditions on items of this type. Null if no item can match: the type lacks a
 * field, or no anchor of a link is published. An anchor is an item to which, or from which, the listed
 * items have links.
 */
export function buildListConditionsForType(
  type: ContentType,
  query: ListFilter,
  { items, types }: { items: PublishedItems; types: ContentTypes },
): ListCondition[] | null {
  const conditions: (ListCondition | null)[] = [
    ...query.filters.map((filter) => fieldCondition(type, filter)),
    ...query.links.map((link) => linkCondition(type, link, { items, types })),
  ];
  conditions.push(...languageConditions(type, query));
  if (query.exceptPaths?.length) conditions.push(exceptCondition(type, query.exceptPaths, items));
  if (query.updatedSince !== undefined) {
    const from = Date.parse(query.updatedSince);
    conditions.push(valueCondition(type, "updated", rangeTest({ from, to: null })));
  }
  const possible = conditions.filter((condition) => condition !== null);
  return possible.length === conditions.length ? possible : null;
}

function fieldCondition(type: ContentType, filter: FieldFilter): ListCondition | null {
  const field = filterableFields(type).find(([name]) => name === filter.field)?.[1];
  if (field === undefined) return null;
  const range = rangeTest(valueRangeOfFilter(field, filter));
  const condition = valueCondition(type, filter.field, range);
  if (!STORED_UNCHANGED.has(field.kind)) return condition;
  return { ...condition, columnTest: columnProbe(`fields ->> '${filter.field}'`, range) };
}

/** Kinds of fields whose values are stored unchanged. */
const STORED_UNCHANGED: ReadonlySet<string> = new Set([
  "enum",
  "url",
  "boolean",
  "integer",
  "number",
]);

function columnProbe(
  value: string,
  { test, parameters }: ConditionTest,
): NonNullable<ListCondition["columnTest"]> {
  return {
    probe: `EXISTS (SELECT 1 FROM (SELECT ${value} AS value FROM reading_item WHERE row = s.row)
      WHERE value IS NOT NULL AND ${test})`,
    probeParameters: parameters,
  };
}

/** SQL that is true for rows that match. */
export interface ConditionTest {
  test: string;
  parameters: SqlParameter[];
}

/**
 * Returns one condition for the requested language, and one for all excluded languages together.
 * `en` also matches `en-GB`.
 */
function languageConditions(
  type: ContentType,
  { language, notLanguages = [] }: ListFilter,
): ListCondition[] {
  const condition = (languages: readonly string[], negation: string): ListCondition => {
    const parameters = languages.map((tag) => tag.toLowerCase()).flatMap(tagRange);
    const languageTest = (column: string) => {
      const each = `${negation}(${column} >= ? AND ${column} < ? AND (${column} = ? OR ${column} >= ?))`;
      return { test: `(${languages.map(() => each).join(" AND ")})`, parameters };
    };
    const test = languageTest("value");
    const columnTest = columnProbe("lower(language)", test);
    return { ...valueCondition(type, "language", test), languageTest, columnTest };
  };
  return [
    ...(language === undefined ? [] : [condition([language], "")]),
    ...(notLanguages.length === 0
      ? []
      : [{ ...condition(notLanguages, "NOT "), isBroad: true as const }]),
  ];
}

/**
 * The four parameters of the test for a language tag. The first two bound the range of the index that
 * contains the tag and its subtags, so that SQLite does not read all languages. The last two exclude other
 * tags in that range.
 */
function tagRange(tag: string): string[] {
  return [tag, `${tag}.`, tag, `${tag}-`];
}

/** Returns the condition that leaves out the items at these paths. */
function exceptCondition(
  type: ContentType,
  paths: readonly string[],
  items: PublishedItems,
): ListCondition {
  const excluded = JSON.stringify(paths.flatMap((path) => items.rowAt(path) ?? []));
  const isOther = "NOT IN (SELECT value FROM json_each(?))";
  return {
    rows: `SELECT row FROM reading_item WHERE type = ? AND row ${isOther}`,
    rowsParameters: [type.name, excluded],
    probe: `s.row ${isOther}`,
    probeParameters: [excluded],
    isBroad: true,
  };
}

function rangeTest({ from, to }: { from: StoredValue; to: StoredValue }): ConditionTest {
  const lower = from === null ? "" : "value >= ? AND ";
  const upper = to === null ? "value < ?" : "value <= ?";
  return {
    test: lower + upper,
    parameters: [...(from === null ? [] : [from]), to ?? MISSING_VALUE],
  };
}

function valueCondition(
  type: ContentType,
  name: string,
  { test, parameters }: ConditionTest,
): ListCondition {
  return {
    ...(isCountedValue(type, name) ? { tally: tallySql(type, name, [{ test, parameters }]) } : {}),
    rows: `SELECT row FROM reading_value WHERE type = ? AND name = ? AND ${test}`,
    rowsParameters: [type.name, name, ...parameters],
    probe: `EXISTS (SELECT 1 FROM reading_value WHERE row = s.row AND name = ? AND ${test})`,
    probeParameters: [name, ...parameters],
  };
}

function tallySql(
  type: ContentType,
  name: string,
  tests: readonly ConditionTest[],
): NonNullable<ListCondition["tally"]> {
  return {
    text: `SELECT type, name, value, items, hash FROM reading_tally
      WHERE type = ? AND name = ?${tests.map(({ test }) => ` AND ${test}`).join("")}`,
    parameters: [type.name, name, ...tests.flatMap(({ parameters }) => parameters)],
  };
}

/**
 * Returns the query for the stored number of items that match all conditions. Null if no number is stored:
 * numbers are stored only for single conditions, and for a link together with a language.
 */
export function tallyQueryOf(
  type: ContentType,
  conditions: readonly ListCondition[],
): NonNullable<ListCondition["tally"]> | null {
  const [first] = conditions;
  if (first !== undefined && conditions.length === 1) return first.tally ?? null;
  const link = conditions.find((condition) => condition.link !== undefined)?.link;
  const tests = conditions.flatMap(({ languageTest }) => languageTest?.("value") ?? []);
  if (link === undefined || tests.length < conditions.length - 1) return null;
  return tallySql(type, linkTallyName(link.relation, link.target), tests);
}

function linkCondition(
  type: ContentType,
  { direction, relation, anchors }: LinkFilter,
  { items, types }: { items: PublishedItems; types: ContentTypes },
): ListCondition | null {
  const found = anchors.flatMap((path) => {
    const row = items.rowAt(path);
    return row === null ? [] : [{ row, path }];
  });
  const [first, ...others] = found;
  if (first === undefined) return null;
  const { row, path } = first;
  const isSingle = others.length === 0;
  const anchor = isSingle
    ? { test: "= ?", parameter: row }
    : {
        test: "IN (SELECT value FROM json_each(?))",
        parameter: JSON.stringify(found.map((each) => each.row)),
      };
  const ends = [direction === "in" ? LINKS_FROM_ITEM : LINKS_FROM_ANCHOR];
  if (isSymmetric(types, type.name, relation))
    ends.splice(0, 1, LINKS_FROM_ITEM, LINKS_FROM_ANCHOR);
  const isIndexed = isSingle && ends.length === 1 && direction === "in";
  return {
    rows: isIndexed
      ? LINKS_FROM_ITEM.rows(anchor.test, ", language")
      : ends.map((end) => end.rows(anchor.test)).join(" UNION "),
    rowsParameters: ends.flatMap((end) =>
      end.rowsParameters(anchor.parameter, relation, type.name),
    ),
    probe: `(${ends.map((end) => end.probe(anchor.test)).join(" OR ")})`,
    probeParameters: ends.flatMap(() => [relation, anchor.parameter]),
    ...(isIndexed
      ? {
          link: { target: row, relation, path },
          tally: tallySql(type, linkTallyName(relation, row), []),
        }
      : {}),
  };
}

/** SQL for items that link to an anchor. */
const LINKS_FROM_ITEM = {
  /** For a single anchor, the index on `target` returns the rows in order, and their languages. */
  rows: (anchor: string, language = "") => `SELECT source AS row${language} FROM reading_link
    WHERE target ${anchor} AND relation = ? AND source_type = ?`,
  rowsParameters: (anchor: SqlParameter, relation: string, type: string) => [
    anchor,
    relation,
    type,
  ],
  /** Reads the few links of the item. Without `+`, SQLite would read all links to the anchor. */
  probe: (anchor: string) => `EXISTS (SELECT 1 FROM reading_link l
    WHERE l.source = s.row AND l.relation = ? AND +l.target ${anchor})`,
};

const LINKS_FROM_ANCHOR = {
  rows: (anchor: string) =>
    `SELECT target AS row FROM reading_link WHERE source ${anchor} AND relation = ?`,
  rowsParameters: (anchor: SqlParameter, relation: string) => [anchor, relation],
  probe: (anchor: string) => `EXISTS (SELECT 1 FROM reading_link l
    WHERE l.target = s.row AND l.relation = ? AND l.source ${anchor})`,
};

function isSymmetric(types: ContentTypes, type: string, relation: string): boolean {
  return types.get(type)?.relations[relation]?.symmetric === true;
}
