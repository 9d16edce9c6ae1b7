import type { ContentType, ContentTypes, RelationView } from "../content-type.ts";
import { relationViews } from "../content-type.ts";
import type { PreparedCards, PreparedForm, PublishedItem, ReadingCopy } from "../library.ts";
import { type GroupPart, groupParts, pagesOf } from "./item-page.ts";
import type { PageRequest } from "./view.ts";

/** A group of what points at an item, with the part of it that its page shows. */
export interface PreparedGroup {
  part: GroupPart;
  total: number;
  pages: number;
  cards: PreparedCards;
}

/** All that the page of an item is joined from. */
export interface PreparedParts {
  item: PublishedItem;
  type: ContentType;
  /** The largest last, as they stand on the page. */
  groups: PreparedGroup[];
  /** Empty or `?page=2`. */
  query: string;
  /** The latest change of what is shown. */
  updatedAt: string;
}

/**
 * The pieces of the page of an item; null when none is published there, when the query asks for a
 * page of its lists there is not, or when something else is shown there: the home page.
 */
export function preparedParts(
  reading: ReadingCopy,
  path: string,
  { form, request }: { form: PreparedForm; request: PageRequest },
): PreparedParts | null {
  if (path === "/") return null;
  const types = reading.types();
  const prepared = reading.prepared.item(path);
  if (prepared === null) return null;
  const { item } = prepared;
  const type = types.get(item.type);
  if (type === undefined) return null;
  const parts = groupParts(types, item, request);
  if (parts.some(({ view }) => isAmbiguous(types, item.type, view))) return null;
  const groups: PreparedGroup[] = [];
  let { updatedAt } = item;
  for (const part of parts.toReversed()) {
    const total = item.counts[part.view.name] ?? 0;
    const pages = pagesOf(total, part.limit);
    if (part.page > pages) return null;
    const { language } = item;
    const cards = reading.prepared.group(prepared, part.view, { ...part, form, language });
    if (cards.updatedAt > updatedAt) updatedAt = cards.updatedAt;
    groups.push({ part, total, pages, cards });
  }
  const page = parts[0]?.page ?? 1;
  return { item, type, groups, query: page === 1 ? "" : `?page=${page}`, updatedAt };
}

/** Two groups of one name are counted together. */
function isAmbiguous(types: ContentTypes, type: string, { name }: RelationView): boolean {
  return relationViews(types, type).filter((view) => view.name === name).length > 1;
}
