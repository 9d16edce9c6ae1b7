import { type ContentType, type ContentTypes, filtersOf } from "../../content/content-type.ts";
import type { FieldFilter, LinkFilter } from "../../content/library.ts";
import type { Items } from "./items.ts";
import { filteredRange, MISSING, type StoredValue } from "./values.ts";

export type Parameter = string | number | Uint8Array;

/** A condition on items of one type, in two forms: as the set of rows, or asked of a row `s.row`. */
export interface Condition {
  rows: string;
  rowsParameters: Parameter[];
  probe: string;
  probeParameters: Parameter[];
}

export interface Narrowing {
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  updatedSince?: string;
}

/**
 * The conditions a query puts on items of this type; null: no item of it can match, because it lacks
 * a field or an anchor is not published.
 */
export function conditionsOn(
  type: ContentType,
  query: Narrowing,
  { items, types }: { items: Items; types: ContentTypes },
): Condition[] | null {
  const conditions: (Condition | null)[] = [
    ...query.filters.map((filter) => fieldCondition(type, filter)),
    ...query.links.map((link) => linkCondition(type, link, { items, types })),
  ];
  if (query.language !== undefined) conditions.push(languageCondition(type, query.language));
  if (query.updatedSince !== undefined) {
    const from = Date.parse(query.updatedSince);
    conditions.push(valueCondition(type, "updated", { from, to: null }));
  }
  const possible = conditions.filter((condition) => condition !== null);
  return possible.length === conditions.length ? possible : null;
}

function fieldCondition(type: ContentType, filter: FieldFilter): Condition | null {
  const field = filtersOf(type).find(([name]) => name === filter.field)?.[1];
  if (field === undefined) return null;
  return valueCondition(type, filter.field, filteredRange(field, filter));
}

/** `en` also keeps `en-GB`. */
function languageCondition(type: ContentType, language: string): Condition {
  const tag = language.toLowerCase();
  const test = "(value = ? OR (value >= ? AND value < ?))";
  return valueTest(type, "language", { test, parameters: [tag, `${tag}-`, `${tag}.`] });
}

function valueCondition(
  type: ContentType,
  name: string,
  { from, to }: { from: StoredValue; to: StoredValue },
): Condition {
  const lower = from === null ? "" : "value >= ? AND ";
  const upper = to === null ? "value < ?" : "value <= ?";
  return valueTest(type, name, {
    test: lower + upper,
    parameters: [...(from === null ? [] : [from]), to ?? MISSING],
  });
}

function valueTest(
  type: ContentType,
  name: string,
  { test, parameters }: { test: string; parameters: Parameter[] },
): Condition {
  return {
    rows: `SELECT row FROM reading_value WHERE type = ? AND name = ? AND ${test}`,
    rowsParameters: [type.name, name, ...parameters],
    probe: `EXISTS (SELECT 1 FROM reading_value WHERE row = s.row AND name = ? AND ${test})`,
    probeParameters: [name, ...parameters],
  };
}

function linkCondition(
  type: ContentType,
  { direction, relation, anchors }: LinkFilter,
  { items, types }: { items: Items; types: ContentTypes },
): Condition | null {
  const rows = anchors.map((path) => items.rowAt(path)).filter((row) => row !== null);
  if (rows.length === 0) return null;
  const list = JSON.stringify(rows);
  const ends = [direction === "in" ? STATED_BY_ITEM : STATED_BY_ANCHOR];
  if (isSymmetric(types, type.name, relation)) ends.splice(0, 1, STATED_BY_ITEM, STATED_BY_ANCHOR);
  return {
    rows: ends.map((end) => end.rows).join(" UNION "),
    rowsParameters: ends.flatMap((end) => end.rowsParameters(list, relation, type.name)),
    probe: `(${ends.map((end) => end.probe).join(" OR ")})`,
    probeParameters: ends.flatMap(() => [relation, list]),
  };
}

const ANCHORS = "(SELECT value FROM json_each(?))";

const STATED_BY_ITEM = {
  rows: `SELECT source AS row FROM reading_link
    WHERE target IN ${ANCHORS} AND relation = ? AND source_type = ?`,
  rowsParameters: (anchors: string, relation: string, type: string) => [anchors, relation, type],
  probe: `EXISTS (SELECT 1 FROM reading_link l WHERE l.source = s.row AND l.relation = ?
    AND l.target IN ${ANCHORS})`,
};

const STATED_BY_ANCHOR = {
  rows: `SELECT target AS row FROM reading_link WHERE source IN ${ANCHORS} AND relation = ?`,
  rowsParameters: (anchors: string, relation: string) => [anchors, relation],
  probe: `EXISTS (SELECT 1 FROM reading_link l WHERE l.target = s.row AND l.relation = ?
    AND l.source IN ${ANCHORS})`,
};

function isSymmetric(types: ContentTypes, type: string, relation: string): boolean {
  return types.get(type)?.relations[relation]?.symmetric === true;
}
