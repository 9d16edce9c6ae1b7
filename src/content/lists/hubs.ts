import type { ItemSummary, ReadingCopy } from "../library.ts";
import { type ContentType, relationViews } from "../types/content-type.ts";

/** The items of a type to which most others point; those that nothing can point at, newest first. */
export function hubsOf(reading: ReadingCopy, type: ContentType, limit: number): ItemSummary[] {
  const view = widestView(reading, type);
  const sort = view === null ? "added" : `count:${view}`;
  const query = { types: [type.name], filters: [], links: [], sort, descending: true, limit };
  return reading.list(query).items;
}

/** Do items of other types point at those of this one, so that some are hubs? */
export function hasHubs(reading: ReadingCopy, type: ContentType): boolean {
  return widestView(reading, type) !== null;
}

/** The group of other items through which the type is reached most: quotations, for a topic. */
function widestView(reading: ReadingCopy, type: ContentType): string | null {
  const counts = reading.counts();
  let widest: { name: string; items: number } | null = null;
  for (const view of relationViews(reading.types(), type.name)) {
    if (view.direction === "out" || view.otherType === type.name) continue;
    const items = counts[view.otherType] ?? 0;
    if (items > (widest?.items ?? 0)) widest = { name: view.name, items };
  }
  return widest?.name ?? null;
}
