import type { ItemSummary, ReadingCopy } from "../library.ts";
import type { Edition } from "../site/editions.ts";
import type { ContentType } from "../types/content-type.ts";
import { relationViews } from "../types/relation-views.ts";

/**
 * The items of a type that have the most incoming links from items of other types; the newest items if no
 * other type can link to this type.
 */
export function listMostLinkedItems(
  reading: ReadingCopy,
  type: ContentType,
  { limit, languageFilter = {} }: { limit: number; languageFilter?: Edition["languageFilter"] },
): ItemSummary[] {
  const view = largestIncomingRelationName(reading, type);
  const sort = view === null ? "added" : `count:${view}`;
  const query = { types: [type.name], filters: [], links: [], sort, descending: true, limit };
  return reading.items({ ...query, ...languageFilter });
}

/** Whether another type can link to this type and has items. */
export function hasIncomingRelationWithItems(reading: ReadingCopy, type: ContentType): boolean {
  return largestIncomingRelationName(reading, type) !== null;
}

/**
 * Finds the relation by which another type can link to this type. If there are several, selects the one
 * whose linking type has the most items. Returns the relation's name as seen from this type, such as
 * `quotations` for a topic; null if there is none.
 */
export function largestIncomingRelationName(
  reading: ReadingCopy,
  type: ContentType,
): string | null {
  const counts = reading.counts();
  let largest: { name: string; items: number } | null = null;
  for (const view of relationViews(reading.types(), type.name)) {
    if (view.direction === "out" || view.otherType === type.name) continue;
    const items = counts[view.otherType] ?? 0;
    if (items > (largest?.items ?? 0)) largest = { name: view.name, items };
  }
  return largest?.name ?? null;
}
