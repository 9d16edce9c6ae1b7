import { z } from "zod";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { ItemSummary, ListQuery, PublishedItem, ReadingCopy } from "../library.ts";
import { type RelationView, relationViews } from "../types/relation-views.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { findMatchingName } from "./filters.ts";
import { listPositionSchema, requireValidLimit, serializeListPosition } from "./listing.ts";

export interface RelatedGroup {
  view: RelationView;
  items: ItemSummary[];
  total: number;
  /** The cursor for the next page of this group; null on the last. */
  nextCursor: string | null;
}

export interface RelatedRequest {
  /** Name of a relation as seen from the item, such as `quotations`; absent: all relations. */
  view?: string | undefined;
  /** Types to include; empty or absent: all types. */
  types?: readonly string[] | undefined;
  /** Items per group. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

const cursorSchema = z.tuple([z.string(), z.string(), listPositionSchema]);

/**
 * The published items related to an item, grouped by relation. Empty groups are left out unless
 * requested by name. Outgoing links that fit on one page keep the item's own order.
 *
 * @throws {AppError} `invalid` for an unknown relation, a limit out of bounds, or a cursor from
 * another item.
 */
export function listRelatedGroups(
  reading: ReadingCopy,
  item: PublishedItem,
  request: RelatedRequest = {},
): RelatedGroup[] {
  const limit = requireValidLimit(request.limit);
  if (request.cursor !== undefined && request.cursor !== "") {
    const [name, otherType, after] = decodeCursor(request.cursor, itemKey(item), cursorSchema);
    return viewsOf(reading, item, name)
      .filter((view) => view.otherType === otherType)
      .map((view) => relatedGroup(reading, item, { view, query: { limit, after } }));
  }
  return viewsOf(reading, item, request.view)
    .filter(({ otherType }) => isWanted(otherType, request.types))
    .map((view) => relatedGroup(reading, item, { view, query: { limit } }))
    .filter(({ total }) => total > 0 || request.view !== undefined);
}

function viewsOf(reading: ReadingCopy, item: PublishedItem, name?: string): RelationView[] {
  const views = relationViews(reading.types(), item.type);
  const viewName =
    name === undefined
      ? undefined
      : findMatchingName(
          views.map((view) => view.name),
          name,
        );
  const wanted = views.filter((view) => name === undefined || view.name === viewName);
  if (name === undefined || wanted.length > 0) return wanted;
  const names = [...new Set(views.map((view) => view.name))].join(", ");
  const message =
    names === ""
      ? `items of the type ${item.type} have no relations`
      : `${item.path} has no relation "${name.slice(0, 80)}"; use one of ${names}`;
  throw new AppError("invalid", englishOnlyWording(`Cannot find related items: ${message}`), {
    problems: [{ where: "relation", message: englishOnlyWording(message) }],
  });
}

function isWanted(type: string, wanted: readonly string[] = []): boolean {
  return wanted.length === 0 || wanted.includes(type);
}

function relatedGroup(
  reading: ReadingCopy,
  item: PublishedItem,
  { view, query }: { view: RelationView; query: Pick<ListQuery, "limit" | "after"> },
): RelatedGroup {
  const { direction, relation, otherType } = view;
  const page = reading.list({
    types: [otherType],
    filters: [],
    links: [{ direction, relation, anchors: [item.path] }],
    sort: reading.types().get(otherType)?.defaultSort ?? "title",
    descending: false,
    ...query,
  });
  const isWhole = page.items.length === page.total;
  return {
    view,
    items: isWhole && direction === "out" ? inLinkOrder(item, relation, page.items) : page.items,
    total: page.total,
    nextCursor:
      page.next === null
        ? null
        : encodeCursor(itemKey(item), [view.name, otherType, serializeListPosition(page.next)]),
  };
}

function inLinkOrder(item: PublishedItem, relation: string, items: ItemSummary[]): ItemSummary[] {
  const positions = new Map((item.links[relation] ?? []).map((link, index) => [link.path, index]));
  const positionOf = ({ path }: ItemSummary) => positions.get(path) ?? positions.size;
  return [...items].sort((a, b) => positionOf(a) - positionOf(b));
}

function itemKey(item: PublishedItem): unknown {
  return ["related", item.id];
}
