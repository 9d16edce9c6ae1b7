import type { ItemSummary, ReadingCopy } from "../library.ts";
import type { Edition } from "../site/editions.ts";
import { type ContentType, relationViews } from "../types/content-type.ts";

/**
 * The items of a type that have the most incoming links from items of other types; the newest items
 * if no other type may link to this type.
 */
export function mostLinkedItems(
  reading: ReadingCopy,
  type: ContentType,
  { limit, languageFilter = {} }: { limit: number; languageFilter?: Edition["languageFilter"] },
): ItemSummary[] {
  const view = mostPopulatedIncomingViewName(reading, type);
  const sort = view === null ? "added" : `count:${view}`;
  const query = { types: [type.name], filters: [], links: [], sort, descending: true, limit };
  return reading.items({ ...query, ...languageFilter });
}

/** Whether another type that has items may link to this type. */
export function isLinkedByOtherTypes(reading: ReadingCopy, type: ContentType): boolean {
  return mostPopulatedIncomingViewName(reading, type) !== null;
}

/**
 * Compares the relations by which other types may link to this type, and finds the one whose
 * linking type has the most items. Returns the relation's name as seen from this type, such as
 * `quotations` for a topic; null if there is none.
 */
export function mostPopulatedIncomingViewName(
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
