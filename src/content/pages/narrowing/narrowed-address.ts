import { SEARCH_PATH } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import { filterNames, requireTypes } from "../../lists/filters.ts";
import { singularOrPlural } from "../../lists/name-forms.ts";
import { editionAt, editionPath } from "../../site/editions.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import { mainView } from "../items/linking-views.ts";

/** Suffixes of range parameters: `year_from=1800&year_to=1899`. */
export const BOUND_NAMES = ["from", "to"];

/** A query parameter that sorts a list, beside those that narrow it. */
const SORT_PARAMETER = "sort";

type ParameterForms = readonly [name: string, ...others: string[]];

const knownParameters = new WeakMap<ContentTypes, Map<string | null, readonly ParameterForms[]>>();

/** The parameters that filter results, each with the singular and plural forms of its name. */
export function narrowingParameters(
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
  const types = requireTypes(all, chosen === null ? [] : [chosen]);
  const names = filterNames(all, types).flatMap((name) => [
    name,
    ...BOUND_NAMES.map((bound) => `${name}_${bound}`),
  ]);
  return ["language", ...names].map((name) => [name, ...singularOrPlural(name)]);
}

/**
 * The address of the search page that lists the items of a list, or of a page with a list, as the query
 * narrows or sorts them: lists themselves show everything in one order. Null: the query does neither, or
 * there is no list.
 */
export function narrowedAddress(
  reading: ReadingCopy,
  { path, query }: { path: string; query: URLSearchParams },
): string | null {
  const given = [...query].filter(([name, value]) => value !== "" && isNarrowing(reading, name));
  if (given.length === 0) return null;
  const list = listAt(reading, path);
  if (list === null) return null;
  const names = new Set([SORT_PARAMETER, ...narrowingParameters(reading, list.type).flat()]);
  const narrowing = given.filter(([name]) => names.has(name));
  if (narrowing.length === 0) return null;
  const parameters = new URLSearchParams([...narrowing, ...Object.entries(list.filter)]);
  parameters.set("type", list.type);
  for (const [name, value] of Object.entries(list.filter)) parameters.set(name, value);
  return `${editionPath(editionAt(reading, path).edition, SEARCH_PATH)}?${parameters}`;
}

function isNarrowing(reading: ReadingCopy, name: string): boolean {
  return (
    name === SORT_PARAMETER ||
    narrowingParameters(reading, null).some((forms) => forms.includes(name))
  );
}

/** The type of the items listed at a path, and the filter that selects them. */
function listAt(
  reading: ReadingCopy,
  path: string,
): { type: string; filter: Readonly<Record<string, string>> } | null {
  const { edition } = editionAt(reading, path);
  const found = reading.resolve(path);
  if (found.kind === "item") {
    const view = mainView(found.item, edition.types);
    if (view?.direction !== "in") return null;
    return { type: view.otherType, filter: { [view.relation]: found.item.path } };
  }
  const listed = [...edition.types.values()].find(({ listPath }) => listPath === path);
  return listed === undefined ? null : { type: listed.name, filter: {} };
}
