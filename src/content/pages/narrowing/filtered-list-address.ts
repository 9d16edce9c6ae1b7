import { SEARCH_PATH } from "../../addresses/paths.ts";
import type { ReadingCopy } from "../../library.ts";
import { editionPath, splitEditionPrefix } from "../../site/editions.ts";
import { type ContentType, filterableFields } from "../../types/content-type.ts";
import { listedRelationViews } from "../items/linking-views.ts";

/** Suffixes of range parameters, as in `year_from=1800&year_to=1899`. */
export const RANGE_PARAMETER_SUFFIXES = ["from", "to"];
const BOUND = new RegExp(`_(?:${RANGE_PARAMETER_SUFFIXES.join("|")})$`);

/**
 * Converts the address of a list with filters or a sort order to the address of the search page,
 * because list pages have neither. `path` is the path of a list page, or of an item's page with a
 * list. Null if the query has no filter or sort order, or if there is no list at `path`.
 */
export function searchAddressForFilteredList(
  reading: ReadingCopy,
  { path, query }: { path: string; query: URLSearchParams },
): { path: string; query: URLSearchParams } | null {
  if (query.size === 0) return null;
  const given = [...query].filter(([, value]) => value !== "");
  const types = reading.types();
  if (![...types.values()].some((type) => filterParametersIn(given, type).length > 0)) return null;
  const list = listAt(reading, path);
  const type = types.get(list?.type ?? "");
  if (list === null || type === undefined) return null;
  const filterParameters = filterParametersIn(given, type);
  if (filterParameters.length === 0) return null;
  const parameters = new URLSearchParams([...filterParameters, ...Object.entries(list.filter)]);
  parameters.set("type", list.type);
  for (const [name, value] of Object.entries(list.filter)) parameters.set(name, value);
  return {
    path: editionPath(splitEditionPrefix(reading, path).edition, SEARCH_PATH),
    query: parameters,
  };
}

type Parameter = [name: string, value: string];

/** The parameters that filter or sort items of the type. */
function filterParametersIn(parameters: readonly Parameter[], type: ContentType): Parameter[] {
  const fields = new Set(filterableFields(type).map(([name]) => name));
  const known = new Set(["language", "sort", ...Object.keys(type.relations), ...fields]);
  return parameters.filter(([name]) => known.has(name) || fields.has(name.replace(BOUND, "")));
}

interface ListAtPath {
  /** The type of the items listed. */
  type: string;
  /** The filter that selects the listed items. */
  filter: Readonly<Record<string, string>>;
}

function listAt(reading: ReadingCopy, path: string): ListAtPath | null {
  const { edition } = splitEditionPrefix(reading, path);
  const found = reading.resolve(path);
  if (found.kind === "item") {
    const [view] = listedRelationViews(found.item, edition.types);
    if (view?.direction !== "in") return null;
    return { type: view.otherType, filter: { [view.relation]: found.item.path } };
  }
  const listed = [...edition.types.values()].find(({ listPath }) => listPath === path);
  return listed === undefined ? null : { type: listed.name, filter: {} };
}
