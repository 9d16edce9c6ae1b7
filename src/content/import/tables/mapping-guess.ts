import { SUMMARY_CHARACTERS_MAX } from "../../items/item.ts";
import type { TableMapping } from "../../site/import-choices/table-mappings.ts";
import type { ContentType, ContentTypes, Field } from "../../types/content-type.ts";
import {
  type ColumnTarget,
  columnNameWeight,
  findTypesInFileName,
  listColumnTargets,
  TYPE_REVEALING_NAME_WEIGHT,
} from "./columns/column-names.ts";
import { isoDateFromText } from "./dates.ts";
import type { TableRow } from "./table.ts";
import type { TableHeader } from "./table-header.ts";
import { findMappingTarget, ROW_KEY_TARGET } from "./table-mapping.ts";

/** A column with its values in the first rows. */
interface Column {
  name: string;
  values: readonly string[];
  /** Average length of a value in characters. */
  length: number;
}

interface ColumnGuess {
  columns: Map<string, string>;
  score: number;
}

const LONG_TEXT_CHARACTERS = 60;
const NAME_CHARACTERS_MAX = 80;
/**
 * A target that holds a list and already has a column accepts further columns, such as `Tag 2`, only if
 * their weight exceeds this value.
 */
const SURE_WEIGHT = 2.5;
/** Required share of values that are valid for a target. */
const FITTING_SHARE_MIN = 0.5;
/**
 * Required share of distinct values in a key column. It is lower than 1 because rows may be
 * repeated.
 */
const DISTINCT_SHARE_MIN = 0.6;
/** Added to the score of a type that the file name mentions. */
const FILE_NAME_WEIGHT = 4;

/**
 * Guesses the type of the rows and the mapping of the columns from their names and values.
 *
 * @param rows the first rows of the table, without headings.
 * @param chosen the targets that the caller chose, by column.
 */
export function guessMapping(
  { columns: names, isNamed }: TableHeader,
  rows: readonly TableRow[],
  {
    types,
    fileName,
    type,
    chosen,
  }: {
    types: ContentTypes;
    fileName: string;
    type?: string | undefined;
    chosen: ReadonlyMap<string, string>;
  },
): Pick<TableMapping, "type" | "columns"> {
  const columns = names.map((name, at) =>
    columnOf(
      name,
      rows.map(({ cells }) => cells[at] ?? ""),
    ),
  );
  const filled = columns.filter(({ values }) => values.length > 0);
  const typesInName = findTypesInFileName(fileName, types);
  const chosenType = type === undefined ? undefined : types.get(type);
  const guesses = (chosenType === undefined ? [...types.values()] : [chosenType]).map((each) => {
    const guess = targetsFor(each, filled, { chosen, isNamed });
    const bonus = typesInName.includes(each.name) ? FILE_NAME_WEIGHT : 0;
    return { type: each, ...guess, score: guess.score + bonus };
  });
  const [best] = guesses.sort((one, other) => other.score - one.score);
  if (best === undefined) return { type: type ?? "page", columns: {} };
  return { type: best.type.name, columns: Object.fromEntries(best.columns) };
}

function columnOf(name: string, cells: readonly string[]): Column {
  const values = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  const length = values.reduce((sum, value) => sum + value.length, 0) / Math.max(values.length, 1);
  return { name, values, length };
}

interface GuessContext {
  type: ContentType;
  isNamed: boolean;
  chosen: ReadonlyMap<string, string>;
}

function targetsFor(
  type: ContentType,
  columns: readonly Column[],
  context: Omit<GuessContext, "type">,
): ColumnGuess {
  const found = new Map(
    [...context.chosen].filter(([name]) => columns.some((c) => c.name === name)),
  );
  const candidates = listColumnTargets(type)
    .flatMap((place) =>
      columns.map((column) => ({ place, column, weight: columnNameWeight(column.name, place) })),
    )
    .filter(({ weight, place, column }) => weight > 0 && fits(column, place.place, type))
    .sort((one, other) => other.weight - one.weight);
  const taken = new Set(found.values());
  let score = type.listPath === null ? 1 : 0;
  for (const { place, column, weight } of candidates) {
    if (found.has(column.name) || !isFree(place.place, { taken, weight, type })) continue;
    found.set(column.name, place.place);
    taken.add(place.place);
    score += evidenceForType(place, weight, type);
  }
  const rest = columns.filter(({ name }) => !found.has(name));
  for (const [name, place] of placesByContent(rest, taken, { ...context, type })) {
    found.set(name, place);
    taken.add(place);
    score += Object.hasOwn(type.relations, place) || Object.hasOwn(type.fields, place) ? 0.6 : 0;
  }
  const isQuotation = type.name === "quotation" && !taken.has("title") && taken.has("body");
  return { columns: found, score: isQuotation && taken.has("authors") ? score + 2 : score };
}

/**
 * Whether a column can still be mapped to a target. A list accepts several columns, such as `Tag 1`, `Tag
 * 2` and `Tag 3`; any other target accepts one column.
 */
function isFree(
  place: string,
  { taken, weight, type }: { taken: ReadonlySet<string>; weight: number; type: ContentType },
): boolean {
  if (!taken.has(place)) return true;
  return (
    place !== "body" &&
    weight > SURE_WEIGHT &&
    findMappingTarget(place, type)?.takesSeveral === true
  );
}

/** The value that a mapped column adds to the score of a type. */
function evidenceForType(
  { place, revealsType }: ColumnTarget,
  weight: number,
  type: ContentType,
): number {
  if (revealsType) return weight / 2;
  if (weight === TYPE_REVEALING_NAME_WEIGHT) return weight;
  return Object.hasOwn(type.relations, place) ? 0.4 : 0.2;
}

/**
 * Maps columns by their values. In a table with column names, maps only columns with unknown names,
 * and only to title and body, if these have no column yet.
 */
function placesByContent(
  columns: readonly Column[],
  taken: ReadonlySet<string>,
  { type, isNamed }: GuessContext,
): Map<string, string> {
  const found = new Map<string, string>();
  const has = (place: string) => taken.has(place) || [...found.values()].includes(place);
  const assign = (place: string, isLike: (column: Column) => boolean) => {
    if (has(place)) return;
    const column = columns.find((each) => !found.has(each.name) && isLike(each));
    if (column !== undefined) found.set(column.name, place);
  };
  const longest = Math.max(0, ...columns.map(({ length }) => length));
  if (!isNamed || !has("title")) {
    assign("body", ({ length }) => length === longest && length > LONG_TEXT_CHARACTERS);
  }
  if (!isNamed) {
    const dateField = type.dated?.by ?? "publishedAt";
    if ("year" in type.fields) assign("year", ({ values }) => share(values, isYear) > 0.8);
    else assign(dateField, ({ values }) => share(values, isDay) > 0.8);
  }
  const isText = ({ length, values }: Column) =>
    length <= NAME_CHARACTERS_MAX && share(values, (value) => /\p{L}/u.test(value)) > 0.8;
  const isQuotation = type.name === "quotation" && has("body");
  if (!isQuotation) assign("title", isText);
  else if (!isNamed) assign("authors", ({ values }) => share(values, isPersonName) > 0.6);
  return found;
}

function isYear(value: string): boolean {
  return /^-?\d{3,4}$/.test(value);
}

function isPersonName(value: string): boolean {
  return /^(?:\p{Lu}[\p{L}.'’-]*|von|van|de|der|di|da|zu)(?: (?:\p{Lu}[\p{L}.'’-]*|von|van|de|der|di|da|zu)){0,5}$/u.test(
    value,
  );
}

/** Whether enough of a column's values are valid for a target. */
function fits({ name, values, length }: Column, placeName: string, type: ContentType): boolean {
  if (values.length === 0) return false;
  const place = findMappingTarget(placeName, type);
  if (place === null) return false;
  if (place.part === "field")
    return share(values, (value) => fitsField(value, place.field)) >= FITTING_SHARE_MIN;
  if (place.part === "relation") return length <= 2 * NAME_CHARACTERS_MAX;
  switch (placeName) {
    case "publishedAt":
    case "publishAt":
    case "expireAt":
      return share(values, isDay) >= FITTING_SHARE_MIN;
    case "redirectFrom":
      return areFormerAddresses(name, values);
    case "path":
      return share(values, (value) => value.startsWith("/")) >= FITTING_SHARE_MIN;
    case "slug":
      return share(values, (value) => /^[\p{L}\p{N}_-]+$/u.test(value)) >= FITTING_SHARE_MIN;
    case "language":
      return length <= 20;
    case "status":
      return length <= 20 && new Set(values).size <= 8;
    case "summary":
      return length <= SUMMARY_CHARACTERS_MAX;
    case ROW_KEY_TARGET:
    case "sourceKey":
      return length <= 100 && new Set(values).size > DISTINCT_SHARE_MIN * values.length;
    case "title":
      return length <= 2 * NAME_CHARACTERS_MAX;
    default:
      return true;
  }
}

/**
 * Whether values are former addresses rather than links. True if the column's name says so, or if
 * the values are distinct and all on one site.
 */
function areFormerAddresses(name: string, values: readonly string[]): boolean {
  const isAddress = (value: string) => /^(?:https?:\/\/|\/)\S*$/i.test(value);
  if (share(values, isAddress) < FITTING_SHARE_MIN) return false;
  if (/old|alt|former|früher|redirect|permalink/i.test(name)) return true;
  const hosts = new Set(values.map((value) => URL.parse(value, "https://here.invalid")?.host));
  return hosts.size === 1 && new Set(values).size === values.length && values.length > 1;
}

function fitsField(value: string, { kind }: Field): boolean {
  switch (kind) {
    case "integer":
      return /^[+-]?\d+(?:[.,]0+)?$/.test(value) || /^\d{4}-\d\d-\d\d/.test(value);
    case "number":
      return /^[+-]?[\d.,]+$/.test(value);
    case "date":
    case "partial_date":
      return isoDateFromText(value, "day-first") !== null || /^~?-?\d{1,4}$/.test(value);
    case "url":
      return /^(?:https?:\/\/|www\.)/i.test(value);
    case "boolean":
      return value.length <= 6;
    case "enum":
      return value.length <= 40;
    default:
      return true;
  }
}

function isDay(value: string): boolean {
  const date = isoDateFromText(value, "day-first");
  return date !== null && date.length >= 10;
}

function share(values: readonly string[], test: (value: string) => boolean): number {
  return values.filter(test).length / Math.max(values.length, 1);
}
