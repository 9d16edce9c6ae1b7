import type { ReadingCopy } from "../../library.ts";
import { listFilterNames, requireTypes } from "../../lists/filters.ts";
import { toLanguageTag } from "../../lists/language-tags.ts";
import { singularAndPluralForms } from "../../lists/name-forms.ts";
import type { ContentType, ContentTypes } from "../../types/content-type.ts";
import type { PageRequest } from "../view.ts";
import { RANGE_PARAMETER_SUFFIXES } from "./filtered-list-address.ts";

/**
 * The parameters of the search page that are not filters. A filter's name may be singular or
 * plural, but a parameter with one of these names is never a filter: `page` does not set the filter
 * `pages`.
 */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  "q",
  "type",
  "page",
  "count_by",
  "verbatim",
  "sort",
]);

/**
 * The filters in the query, by filter name. Includes filters that the chosen type does not have, so
 * that they are refused instead of ignored.
 */
export function readRequestedFilters(
  reading: ReadingCopy,
  chosen: string | null,
  request: PageRequest,
): Record<string, string> {
  const filters: Record<string, string> = {};
  for (const [name, ...forms] of knownFilterParameters(reading, chosen)) {
    const value = [name, ...forms]
      .map((form) => request.parameter(form)?.trim() ?? "")
      .find((each) => each !== "");
    if (value === undefined) continue;
    filters[name] = name === "language" ? (toLanguageTag(value) ?? value) : asPath(value);
  }
  return filters;
}

type ParameterForms = readonly [name: string, ...others: string[]];

const knownParameters = new WeakMap<ContentTypes, Map<string | null, readonly ParameterForms[]>>();

/** The parameters that filter results, each with the singular and plural forms of its name. */
function knownFilterParameters(
  reading: ReadingCopy,
  chosen: string | null,
): readonly ParameterForms[] {
  const all = reading.types();
  const byType = knownParameters.get(all) ?? new Map<string | null, readonly ParameterForms[]>();
  knownParameters.set(all, byType);
  const parameters = byType.get(chosen) ?? findParameters(all, chosen);
  byType.set(chosen, parameters);
  return parameters;
}

function findParameters(all: ContentTypes, chosen: string | null): ParameterForms[] {
  const own = parametersOf(all, requireTypes(all, chosen === null ? [] : [chosen]));
  const taken = new Set(own.flat());
  const others = parametersOf(all, requireTypes(all, []));
  return [...own, ...others.filter((forms) => !forms.some((form) => taken.has(form)))];
}

function parametersOf(all: ContentTypes, types: readonly ContentType[]): ParameterForms[] {
  const names = listFilterNames(all, types).flatMap((name) => [
    name,
    ...RANGE_PARAMETER_SUFFIXES.map((bound) => `${name}_${bound}`),
  ]);
  return ["language", ...names].map((name) => [
    name,
    ...singularAndPluralForms(name).filter((form) => !OWN_PARAMETERS.has(form)),
  ]);
}

/** Reduces a URL to its path. Accepts any origin, because pages do not know the site's origin. */
function asPath(value: string): string {
  const address = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(value)
    ? URL.parse(value, "https://x")
    : null;
  return address === null ? value.replace(/^\/+/, "/") : address.pathname;
}

/**
 * Converts filter parameters to the input that {@link parseFilters} expects: `year_from` becomes the
 * lower bound of `year`, unless the chosen type declares a filter `year_from`.
 */
export function parseFilterParameters(
  reading: ReadingCopy,
  chosen: string | null,
  filterParameters: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const { language: _, ...otherFilters } = filterParameters;
  const all = reading.types();
  const declared = new Set(
    listFilterNames(all, requireTypes(all, chosen === null ? [] : [chosen])),
  );
  const filters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(otherFilters)) {
    const bound = RANGE_PARAMETER_SUFFIXES.find((end) => name.endsWith(`_${end}`));
    if (bound === undefined || declared.has(name)) filters[name] = value;
    else {
      const field = name.slice(0, -bound.length - 1);
      const range = filters[field];
      filters[field] = { ...(typeof range === "object" ? range : {}), [bound]: value };
    }
  }
  return filters;
}
