import { AppError, englishOnlyWording } from "../../errors.ts";
import { REFUSALS_FOR_PROGRAMS } from "../../texts/refusals/english.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { findItemOfType } from "../addresses/find-item.ts";
import { endsBeforeItBegins, partialDateToNumber } from "../items/partial-date.ts";
import type { FieldFilter, LinkFilter, ReadingCopy } from "../library.ts";
import {
  type ContentType,
  type ContentTypes,
  type Field,
  type FieldValue,
  filterableFields,
} from "../types/content-type.ts";
import { type RelationView, relationViews } from "../types/relation-views.ts";
import { invalidFilterError } from "./invalid-list-request.ts";
import { singularAndPluralForms } from "./name-forms.ts";

const ANCHORS_MAX = 20;
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  1: true,
  0: false,
};

/**
 * The names of paging parameters in other APIs. Requests that use them as filters get a hint about
 * cursors.
 */
const PAGING_NAMES = ["page", "offset", "skip", "start"];
const NEXT_PAGE = "for the next page, give the next_cursor of the last answer as cursor";
const OWN_ARGUMENT = "it is an argument of its own: give it next to filters, not within";

export interface FieldAndLinkFilters {
  filters: FieldFilter[];
  links: LinkFilter[];
}

export interface FilterArguments {
  given: Readonly<Record<string, unknown>>;
  origin: string;
  /**
   * The names of the caller's arguments other than `filters`. A filter with one of these names is
   * refused with a hint.
   */
  argumentNames?: readonly string[] | undefined;
}

/**
 * Parses the filters in a request, such as a visit to a page or a call of an MCP tool. A field takes a
 * value, or `{ from, to }` if its values are ordered. A relation takes the address or name of an item, or a
 * list of addresses and names. Items related to at least one of the listed items match.
 * @throws {AppError} `invalid`, naming the filter, the fault and what is allowed; `not_found` if a relation
 *   names an unpublished item.
 */
export function parseFilters(
  reading: ReadingCopy,
  typeNames: readonly string[],
  { given, origin, argumentNames = [] }: FilterArguments,
): FieldAndLinkFilters {
  const allTypes = reading.types();
  const types = requireTypes(allTypes, typeNames);
  const result: FieldAndLinkFilters = { filters: [], links: [] };
  const knownNames = listFilterNames(allTypes, types);
  for (const givenName of Object.keys(given).sort()) {
    const value = given[givenName];
    if (value === undefined || value === null) continue;
    if (PAGING_NAMES.includes(givenName) && !knownNames.includes(givenName))
      throw wrongFilter(givenName, NEXT_PAGE);
    const name = findMatchingName(knownNames, givenName) ?? givenName;
    const field = types.flatMap(filterableFields).find(([candidate]) => candidate === name)?.[1];
    const views = types
      .flatMap((type) => relationViews(allTypes, type.name))
      .filter((view) => view.name === name);
    if (field !== undefined) result.filters.push(...toFieldFilters(name, field, value));
    else if (views.length > 0) result.links.push(linkFilter(reading, views, { value, origin }));
    else throw unknownFilter(name, { knownNames, argumentNames });
  }
  return result;
}

function unknownFilter(
  name: string,
  { knownNames, argumentNames }: Record<"knownNames" | "argumentNames", readonly string[]>,
): AppError {
  const argument = findMatchingName(argumentNames, name);
  if (argument !== undefined) return wrongFilter(argument, OWN_ARGUMENT);
  return invalidFilterError(name.slice(0, 80), (texts) =>
    knownNames.length === 0 ? texts.noFilters : texts.noFilter(oneOf(knownNames, texts)),
  );
}

/**
 * The types with these names; all types if the list is empty.
 *
 * @throws {AppError} `invalid` for an undeclared name.
 */
export function requireTypes(all: ContentTypes, names: readonly string[]): ContentType[] {
  if (names.length === 0) return [...all.values()];
  return names.map((name) => {
    const type = all.get(name) ?? typeCalled(all, name);
    if (type !== undefined) return type;
    const message = `There is no content type "${name.slice(0, 80)}"; use ${alternatives([...all.keys()])}`;
    throw new AppError("invalid", englishOnlyWording(message), {
      problems: [{ where: "type", message: englishOnlyWording(message) }],
    });
  });
}

/** The type with this name (singular or plural, ignoring letter case) or with this label. */
function typeCalled(all: ContentTypes, name: string): ContentType | undefined {
  const wanted = name.trim().toLowerCase();
  const forms = [wanted, ...singularAndPluralForms(wanted)];
  return [...all.values()].find(
    ({ name: known, label, plural }) =>
      forms.includes(known) || wanted === label.toLowerCase() || wanted === plural.toLowerCase(),
  );
}

/** The name in `names` that matches `given`, ignoring case, in singular or plural. */
export function findMatchingName(names: readonly string[], given: string): string | undefined {
  const wanted = given.toLowerCase();
  return [given, wanted, ...singularAndPluralForms(wanted)].find((form) => names.includes(form));
}

/** The names of the fields and relations by which these types can be filtered. */
export function listFilterNames(all: ContentTypes, types: readonly ContentType[]): string[] {
  const names = types.flatMap((type) => [
    ...filterableFields(type).map(([name]) => name),
    ...relationViews(all, type.name).map((view) => view.name),
  ]);
  return [...new Set(names)];
}

/**
 * Converts a value or `{ from, to }` to filters on a field.
 *
 * @throws {AppError} `invalid`.
 */
export function toFieldFilters(name: string, field: Field, value: unknown): FieldFilter[] {
  if (typeof value !== "object" || value === null) {
    return [{ field: name, operator: "eq", value: fieldValue(name, field, value) }];
  }
  if (Array.isArray(value)) {
    const [only, ...others] = value;
    const isOne = only !== undefined && others.length === 0 && !Array.isArray(only);
    if (isOne) return toFieldFilters(name, field, only);
    throw wrongFilter(
      name,
      `give one value${hasOrder(field) ? REFUSALS_FOR_PROGRAMS.orRange : ""}`,
    );
  }
  if (!hasOrder(field))
    throw invalidFilterError(name, (texts) => texts.noRange(allowedValues(field, texts)));
  const bounds = Object.entries(value).filter(([, bound]) => bound !== undefined && bound !== null);
  if (bounds.length === 0) throw wrongFilter(name, "give from, to or both");
  const found = bounds.map(([given, bound]) => {
    const operator = BOUND_NAMES.get(given);
    if (operator === undefined)
      throw wrongFilter(name, `"${given}" is not a bound; use from and to`);
    return { field: name, operator, value: fieldValue(name, field, bound) };
  });
  const [first, last] = (["from", "to"] as const).map(
    (operator) => found.find((filter) => filter.operator === operator)?.value,
  );
  if (first !== undefined && last !== undefined && isReversed(first, last))
    throw invalidFilterError(name, (texts) => texts.order(String(first), String(last)));
  return found;
}

function isReversed(first: FieldValue, last: FieldValue): boolean {
  if (typeof first === "number" && typeof last === "number") return first > last;
  return typeof first === "string" && typeof last === "string" && endsBeforeItBegins(first, last);
}

function hasOrder({ kind }: Field): boolean {
  return kind === "integer" || kind === "number" || kind === "date" || kind === "partial_date";
}

/** Accepted names of bounds, including the names that other APIs use. */
const BOUND_NAMES: ReadonlyMap<string, "from" | "to"> = new Map([
  ["from", "from"],
  ["min", "from"],
  ["gte", "from"],
  ["to", "to"],
  ["max", "to"],
  ["lte", "to"],
]);

/** Accepts numbers and booleans as text, as in URLs and on the command line. */
function fieldValue(name: string, field: Field, value: unknown): string | number | boolean {
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof text !== "string" || text.trim() === "") {
    throw invalidFilterError(name, (texts) => allowedValues(field, texts));
  }
  const read = readAs(field, text.trim());
  if (read === null)
    throw invalidFilterError(name, (texts) =>
      texts.unfit(text.slice(0, 80), allowedValues(field, texts)),
    );
  return read;
}

function readAs({ kind, values }: Field, text: string): string | number | boolean | null {
  switch (kind) {
    case "integer":
      return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : null;
    case "number":
      return Number.isFinite(Number(text)) ? Number(text) : null;
    case "boolean":
      return BOOLEAN_WORDS[text.toLowerCase()] ?? null;
    case "date":
    case "partial_date":
      return partialDateToNumber(text) === null ? null : text;
    case "enum":
      return values?.find((value) => value === text || value === text.toLowerCase()) ?? null;
    default:
      return text;
  }
}

function allowedValues({ kind, values = [] }: Field, texts: SiteTexts["refusals"]): string {
  switch (kind) {
    case "integer":
    case "number":
      return texts[kind] + texts.orRange;
    case "boolean":
      return texts.boolean;
    case "date":
    case "partial_date":
      return texts.date + texts.orRange;
    case "enum":
      return oneOf(values, texts);
    default:
      return texts.text;
  }
}

function oneOf(names: readonly string[], texts: SiteTexts["refusals"]): string {
  return names.length < 2 ? texts.onlyValue(names.join("")) : texts.oneOf(names.join(", "));
}

function linkFilter(
  reading: ReadingCopy,
  views: readonly RelationView[],
  { value, origin }: { value: unknown; origin: string },
): LinkFilter {
  const [view] = views;
  if (view === undefined) throw new Error("A link filter needs a relation");
  const { name } = view;
  const isOne = views.every((other) => hasSameEnds(view, other));
  if (!isOne) throw invalidFilterError(name, (texts) => texts.ambiguous);
  const anchors = [value].flat();
  if (anchors.length === 0 || anchors.length > ANCHORS_MAX) {
    throw wrongFilter(name, `give 1 to ${ANCHORS_MAX} addresses`);
  }
  const target = reading.types().get(view.otherType);
  if (target === undefined) throw wrongFilter(name, `nothing of the type ${view.otherType} exists`);
  const paths = anchors.map((anchor) => {
    if (typeof anchor !== "string")
      throw wrongFilter(name, `give the address or the name of an item of the type ${target.name}`);
    return findItemOfType(reading, target, { text: anchor, origin }).path;
  });
  // The direction is reversed, because `view.direction` is seen from the listed item, and the
  // direction of a `LinkFilter` is seen from the anchor.
  const direction = view.direction === "out" ? "in" : "out";
  return { direction, relation: view.relation, anchors: [...new Set(paths)].sort() };
}

function hasSameEnds(a: RelationView, b: RelationView): boolean {
  return a.direction === b.direction && a.relation === b.relation && a.otherType === b.otherType;
}

/**
 * The error for a mistake that only programs can make in a filter. Its message is therefore in
 * English only.
 */
function wrongFilter(name: string, message: string): AppError {
  const problems = [{ where: `filters.${name}`, message: englishOnlyWording(message) }];
  return new AppError("invalid", englishOnlyWording(REFUSALS_FOR_PROGRAMS.filter(name, message)), {
    problems,
  });
}

function alternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `one of ${names.join(", ")}`;
}
