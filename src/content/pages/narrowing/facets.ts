import { AppError } from "../../../errors.ts";
import type { ReadingCopy, SearchQuery } from "../../library.ts";
import { filterLabel } from "../../lists/filter-labels.ts";
import { requireGrouping } from "../../lists/grouping.ts";
import type { Edition } from "../../site/editions.ts";
import {
  type ContentType,
  type Field,
  filterableFields,
  sortOrdersOf,
} from "../../types/content-type.ts";
import type { Anchor, Block, RangeInput } from "../view.ts";
import { activeFilterLabel, filterOptionLabel } from "./filter-value-labels.ts";

const OPTIONS_MAX = 30;
/** Types with more items than this get no counts, because counting more items would delay other searches. */
const COUNTED_ITEMS_MAX = 50_000;

interface FacetsRequest {
  edition: Edition;
  type: ContentType;
  query: Omit<SearchQuery, "limit" | "offset">;
  /** The active filters, keyed by query parameter. */
  filterParameters: Readonly<Record<string, string>>;
  /** The current order; null where results are ranked. */
  sort: string | null;
  /** Query parameters other than filters, such as the search text. */
  keptParameters: Readonly<Record<string, string>>;
  path: string;
}

/** The facets of a list with their counts, and the active filters, each with a link that removes it. */
export async function buildFacetBlocks(
  reading: ReadingCopy,
  request: FacetsRequest,
): Promise<Block[]> {
  const { edition, type, filterParameters, keptParameters, path } = request;
  const types = [edition.types.get(type.name) ?? type, ...edition.types.values()];
  const label = (name: string) => filterLabel(name, types, edition);
  const chosen = chosenFilters(reading, { ...request, types });
  const facets =
    (reading.counts()[type.name] ?? 0) > COUNTED_ITEMS_MAX
      ? []
      : await countedFilters(reading, request);
  const ranges = rangesOf(reading, type).map(({ name, kind }) => {
    const boundValue = (bound: string) => filterParameters[`${name}_${bound}`] ?? "";
    return { name, label: label(name), kind, from: boundValue("from"), to: boundValue("to") };
  });
  const sorts =
    request.sort === null
      ? []
      : usableSorts(reading, type, request.sort).map((value) => ({
          value,
          label: edition.texts.filters.sorts[value] ?? label(value),
          isChosen: value === request.sort,
        }));
  if (chosen.length + facets.length + ranges.length + sorts.length === 0) return [];
  const inputs = new Set(ranges.flatMap(({ name }) => [`${name}_from`, `${name}_to`]));
  const hidden = Object.entries({ ...keptParameters, ...filterParameters }).filter(
    ([name]) => !inputs.has(name) && name !== "sort",
  );
  return [
    {
      kind: "filters",
      action: path,
      hidden: hidden.map(([name, value]) => ({ name, value })),
      chosen,
      facets: facets.map(({ name, options }) => ({
        name,
        label: label(name),
        options,
      })),
      ranges,
      sorts,
    },
  ];
}

interface ChosenFilters
  extends Pick<FacetsRequest, "edition" | "filterParameters" | "keptParameters" | "path"> {
  /** The types listed, with the edition's labels. */
  types: readonly ContentType[];
}

/** The active filters of a search in all types, which has no facets. */
export function buildActiveFilterBlocks(reading: ReadingCopy, request: ChosenFilters): Block[] {
  const chosen = chosenFilters(reading, request);
  if (chosen.length === 0) return [];
  const none = { hidden: [], facets: [], ranges: [], sorts: [] };
  return [{ kind: "filters", action: request.path, chosen, ...none }];
}

/** The active filters, each as a link that removes it. */
function chosenFilters(
  reading: ReadingCopy,
  { edition, types, filterParameters, keptParameters, path }: ChosenFilters,
): Anchor[] {
  return Object.entries(filterParameters).map(([name, value]) => {
    const { [name]: _, ...others } = filterParameters;
    return {
      text: `${filterLabel(name, types, edition)}: ${activeFilterLabel(reading, name, { types, value, edition })}`,
      to: `${path}?${new URLSearchParams({ ...keptParameters, ...others })}`,
    };
  });
}

interface CountedFacet {
  name: string;
  options: { value: string; label: string; count: number }[];
}

/** Counts one filter after another, so that a page occupies only one slot of the search queue. */
async function countedFilters(
  reading: ReadingCopy,
  request: FacetsRequest,
): Promise<CountedFacet[]> {
  const { type, query, filterParameters, edition } = request;
  const fields = filterableFields(type).filter(([, { kind }]) => kind === "enum");
  const names = [...Object.keys(type.relations), ...fields.map(([name]) => name), "language"];
  const facets: CountedFacet[] = [];
  try {
    for (const name of names) {
      if (filterParameters[name] !== undefined) continue;
      const { by } = requireGrouping(reading, [type.name], name);
      const { groups } = await reading.search({
        ...query,
        countBy: by,
        limit: OPTIONS_MAX,
        offset: 0,
      });
      const field = edition.types.get(type.name)?.fields[name];
      const options = (groups?.counts ?? []).map(({ name: value, path, count }) => ({
        value: path ?? value,
        label: filterOptionLabel(name, value, field),
        count,
      }));
      if (options.length > 1) facets.push({ name, options });
    }
  } catch (error) {
    // The search queue is full, so the list is shown without counts.
    if (!(error instanceof AppError && error.code === "unavailable")) throw error;
  }
  return facets;
}

/**
 * The fields of a type that can be filtered by a range of numbers or dates. Excludes a field if all items
 * have the same value.
 */
function rangesOf(reading: ReadingCopy, type: ContentType): Pick<RangeInput, "name" | "kind">[] {
  const varying = new Set(
    reading.ranges(type.name).flatMap(({ field, min, max }) => (min === max ? [] : [field])),
  );
  return filterableFields(type).flatMap(([name, field]) => {
    const kind = rangeKind(field);
    return kind === null || !varying.has(name) ? [] : [{ name, kind }];
  });
}

function rangeKind({ kind }: Field): RangeInput["kind"] | null {
  if (kind === "date" || kind === "partial_date") return "date";
  return kind === "integer" ? "number" : null;
}

/**
 * The sort orders to offer; none if the type has only one item. Omits a field if no item has a
 * value for it, unless it is the current order.
 */
function usableSorts(reading: ReadingCopy, type: ContentType, current: string): string[] {
  if ((reading.counts()[type.name] ?? 0) < 2) return [];
  return sortOrdersOf(type).filter((sort) => {
    if (sort === current || type.fields[sort] === undefined) return true;
    const query = { types: [type.name], filters: [], links: [], sort, descending: false, limit: 1 };
    // Items without a value come last. If the first item has no value, no item has one.
    const [first] = reading.items(query);
    return first?.fields[sort] !== undefined;
  });
}
