import type { DraftStore } from "../drafts/draft.ts";
import {
  type ContentDesk,
  findItemByPathOrKey,
  ITEM_SORTS,
  type listItems,
  queryError,
} from "../editing/desk.ts";
import { toFieldFilters } from "../lists/filters.ts";
import type { ContentReader } from "../record.ts";
import { filterableFields, sortOrdersOf } from "../types/content-type.ts";
import type { DeskFilter, DeskIndex } from "./desk-queries.ts";

/** The stores of the record, and the editors' index of all items and drafts. */
export interface ContentQueryStores {
  content: ContentReader;
  desk: ContentDesk;
  drafts: Pick<DraftStore, "outlines">;
  deskIndex: DeskIndex;
}

export interface ContentQuery extends Omit<Parameters<typeof listItems>[2], "sort" | "descending"> {
  /** Words to find in an item's title, texts and fields, in the names of linked items, or in its draft. */
  text?: string;
  /** Maps the name of a filterable field to a value or `{ from, to }`. */
  filters: Readonly<Record<string, unknown>>;
  /**
   * The sort key: an order that every list of items has, or a sortable field of the types. The default is
   * relevance if `text` is given, and otherwise `updated`.
   */
  sort?: string;
  descending?: boolean;
}

/**
 * Converts a query into a filter for the editors' index.
 *
 * @throws {AppError} `invalid`, naming a parameter by which the index cannot filter or sort.
 */
export async function deskFilterFromContentQuery(
  { content }: ContentQueryStores,
  query: ContentQuery,
): Promise<DeskFilter> {
  const { types, statuses, language, updatedSince, relatedTo, relation, sort } = query;
  for (const name of ["path", "sourceKey", "translationOf", "reviewBefore"] as const) {
    if (query[name] !== undefined) {
      throw queryError(name, "goes with no text, filter or sort of a type; ask for it by itself");
    }
  }
  const allTypes = await content.types();
  const requestedTypes =
    types.length === 0 ? [...allTypes.values()] : types.flatMap((t) => allTypes.get(t) ?? []);
  if (
    sort !== undefined &&
    sort !== "fit" &&
    !requestedTypes.every((type) => sortOrdersOf(type).includes(sort))
  ) {
    const [only] = requestedTypes;
    const sorts =
      requestedTypes.length === 1 && only !== undefined ? sortOrdersOf(only) : ITEM_SORTS;
    throw queryError("sort", `there is no "${sort.slice(0, 80)}"; use ${sorts.join(", ")}`);
  }
  const filters = Object.entries(query.filters).flatMap(([name, value]) => {
    const field = requestedTypes
      .flatMap(filterableFields)
      .find(([candidate]) => candidate === name)?.[1];
    if (field !== undefined) return toFieldFilters(name, field, value);
    const names = new Set(requestedTypes.flatMap(filterableFields).map(([candidate]) => candidate));
    throw queryError("filter", `there is no "${name.slice(0, 80)}"; use ${[...names].join(", ")}`);
  });
  return {
    types,
    statuses,
    filters,
    ...(language === undefined ? {} : { language }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
    ...(relatedTo === undefined
      ? {}
      : { linkedTo: [await linkFilter(content, relatedTo, relation)] }),
  };
}

async function linkFilter(content: ContentReader, relatedTo: string, relation: string | undefined) {
  if (relation === undefined) {
    throw queryError("relation", "say which relation leads to relatedTo, when a text is given");
  }
  return { item: await findItemByPathOrKey(content, relatedTo, "relatedTo"), relation };
}
