import type { ItemSummary, ReadingCopy } from "../library.ts";
import type { Edition } from "../site/editions.ts";
import { type ContentType, relationViews } from "../types/content-type.ts";

/**
 * The items of a type with the most incoming links; newest first for types without incoming
 * relations.
 */
export function hubsOf(
  reading: ReadingCopy,
  type: ContentType,
  { limit, only = {} }: { limit: number; only?: Edition["only"] },
): ItemSummary[] {
  const view = largestView(reading, type);
  const sort = view === null ? "added" : `count:${view}`;
  const query = { types: [type.name], filters: [], links: [], sort, descending: true, limit };
  return reading.items({ ...query, ...only });
}

/** Whether items of other types link to this type. */
export function hasHubs(reading: ReadingCopy, type: ContentType): boolean {
  return largestView(reading, type) !== null;
}

/**
 * The name of the view with the links from the type that has the most items, such as `quotations` for a
 * topic. Null if no other type has items that may link here.
 */
export function largestView(reading: ReadingCopy, type: ContentType): string | null {
  const counts = reading.counts();
  let largest: { name: string; items: number } | null = null;
  for (const view of relationViews(reading.types(), type.name)) {
    if (view.direction === "out" || view.otherType === type.name) continue;
    const items = counts[view.otherType] ?? 0;
    if (items > (largest?.items ?? 0)) largest = { name: view.name, items };
  }
  return largest?.name ?? null;
}
