import type { Item } from "../../content/items/item.ts";
import { partialDateToDayRange, partialDateToNumber } from "../../content/items/partial-date.ts";
import type { FieldFilter } from "../../content/library.ts";
import { findPlaceFieldName, positionFieldName } from "../../content/lists/places.ts";
import type { ContentType, Field, FieldValue } from "../../content/types/content-type.ts";
import { nameKey } from "../../search/language/folding.ts";
import { equivalentNumerals } from "../../search/language/numerals.ts";
import { rowHash } from "../sqlite/row-hash.ts";

/**
 * A value by which lists are sorted or filtered. Null means that the item has no value; the database
 * then contains `MISSING_VALUE`.
 */
export type StoredValue = string | number | null;

export const MISSING_VALUE = new Uint8Array();

export const INSERT_VALUE_SQL = "INSERT INTO reading_value VALUES (?, ?, ?, ?, ?)";

/** Limit on sort keys. Longer keys would enlarge the index without distinguishing more items. */
const KEY_CHARACTERS_MAX = 80;

/** The values to bind in {@link INSERT_VALUE_SQL}. */
export function valueRowParameters(
  type: string,
  { name, value, row }: { name: string; value: StoredValue; row: number },
): (string | number | Uint8Array)[] {
  const stored = value ?? MISSING_VALUE;
  return [type, name, stored, row, rowHash(type, name, stored, row)];
}

/**
 * Returns the values by which lists sort and filter an item, as pairs of name and value. Each pair
 * becomes a row of `reading_value`.
 */
export function collectStoredValues(item: Item, type: ContentType): [string, StoredValue][] {
  const values: [string, StoredValue][] = [
    ["title", sortKey(item.title)],
    ["updated", Date.parse(item.updatedAt)],
    ["language", item.language.toLowerCase()],
    ...nameKeys(item).map((key): [string, StoredValue] => ["name", key]),
  ];
  for (const [name, field] of Object.entries(type.fields)) {
    if (field.filter !== true && field.sort !== true) continue;
    const stored = fieldValues(field, item.fields[name]);
    for (const value of new Set(stored)) values.push([name, value]);
  }
  return values;
}

/**
 * Whether lists can be filtered by the values with this name. If so, the number of items is stored for
 * each value.
 */
export function isCountedValue(type: ContentType, name: string): boolean {
  return name === "language" || type.fields[name]?.filter === true;
}

/**
 * Returns the name of the sort keys of items within another item, such as quotations in a work. `row`
 * is the row of the work, and `field` the field by which its quotations are sorted.
 */
export function partSortKeyName(row: number, field: string): string {
  return `${field}@${row}`;
}

/**
 * Returns the name under which `reading_tally` counts the items that link to the item at row
 * `target`, by their language.
 */
export function linkTallyName(relation: string, target: number): string {
  return `link:${relation}@${target}`;
}

/**
 * Returns the name under which `reading_tally` counts the items that link to the item at row
 * `target`, by their author.
 */
export function authorTallyName(relation: string, target: number): string {
  return `author:${relation}@${target}`;
}

/**
 * Returns the sort key of an item within another item, such as a quotation in a work. The key is the
 * item's position or, if the item has no position, its place. Numbers sort before texts.
 */
export function partSortKey(item: Pick<Item, "fields">, type: ContentType): StoredValue {
  const names = [positionFieldName(type), findPlaceFieldName(type)].filter((name) => name !== null);
  const [name] = names.filter((each) => item.fields[each] !== undefined);
  const field = type.fields[name ?? ""];
  if (name === undefined || field === undefined) return null;
  return fieldValues(field, item.fields[name])[0] ?? null;
}

/** Sort keys of all names of an item except its title. */
function nameKeys({ title, fields }: Pick<Item, "title" | "fields">): string[] {
  const keys = new Set([
    ...alternativeNamesOf(fields).map(sortKey),
    ...familyNames({ title, fields }),
    ...withoutApostrophes(title),
  ]);
  return [...keys].filter((key) => key !== sortKey(title));
}

/** Names of an item besides its title. */
export function alternativeNamesOf(fields: Item["fields"]): string[] {
  return [fields["aliases"], fields["sort_name"]].flat().filter((name) => typeof name === "string");
}

/**
 * If the title has apostrophes, returns its sort key without them, because many people omit them,
 * as in "Devils Dictionary".
 */
function withoutApostrophes(title: string): string[] {
  return /['’]/.test(title) ? [sortKey(title.replace(/['’]/g, ""))] : [];
}

/** Matches names that end with an epithet instead of a family name, such as "Augustine of Hippo". */
const EPITHET_ENDING = / (?:of|the) \S+$/i;

/**
 * A person's family names: the part of `sort_name` before the comma, and the last word of `title`, unless the
 * name ends with an epithet.
 */
function familyNames({ title, fields }: Pick<Item, "title" | "fields">): string[] {
  const sortName = fields["sort_name"];
  if (typeof sortName !== "string") return [];
  const [family = "", given] = sortName.split(",");
  return [
    ...(given === undefined ? [] : [sortKey(family)]),
    ...(EPITHET_ENDING.test(title) ? [] : sortKey(title).split(" ").slice(1).slice(-1)),
  ];
}

export function sortKey(text: string): string {
  return nameKey(text).slice(0, KEY_CHARACTERS_MAX);
}

/** Rewrites numbers, including Roman numerals, so that the texts sort numerically. */
function placeKey(text: string): string {
  const arabic = text.replaceAll(/[\p{L}\p{N}]+/gu, (word) => {
    if (word === "I" || word === "V" || word === "X") return { I: "1", V: "5", X: "10" }[word];
    return equivalentNumerals(word).find((other) => /^\d/.test(other)) ?? word;
  });
  return sortKey(arabic.replaceAll(/\d+/g, (digits) => digits.padStart(6, "0")));
}

function fieldValues(field: Field, value: FieldValue | undefined): StoredValue[] {
  if (value === undefined) return [null];
  if (typeof value === "boolean") return [value ? 1 : 0];
  if (typeof value === "number") return [value];
  if (typeof value !== "string") return value.map(sortKey);
  return [isDate(field) ? partialDateToNumber(value) : textKey(field, value)];
}

/** A range of stored values, including both limits; null where the range has no limit. */
export interface ValueRange {
  from: StoredValue;
  to: StoredValue;
}

/** The stored values that pass a filter. A partial date matches every day that it can mean. */
export function valueRangeOfFilter(field: Field, filter: FieldFilter): ValueRange {
  const { from, to } = givenRange(field, filter.value);
  if (filter.operator === "from") return { from, to: null };
  if (filter.operator === "to") return { from: null, to };
  return { from, to };
}

function givenRange(field: Field, value: string | number | boolean): ValueRange {
  if (typeof value === "boolean") return { from: value ? 1 : 0, to: value ? 1 : 0 };
  if (isDate(field)) {
    const days = partialDateToDayRange(String(value));
    if (days !== null) return days;
  }
  if (typeof value === "number") return { from: value, to: value };
  const key = textKey(field, value);
  return { from: key, to: key };
}

function textKey(field: Field, value: string): string {
  if (field.kind === "enum" || field.kind === "url") return value;
  return field.numbered === true ? placeKey(value) : sortKey(value);
}

function isDate(field: Field): boolean {
  return field.kind === "date" || field.kind === "partial_date";
}
