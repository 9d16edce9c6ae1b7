import type { PublishedItem } from "../../library.ts";
import type { ContentTypes } from "../../types/content-type.ts";
import { type RelationView, relationViews } from "../../types/relation-views.ts";
import { isShownAsFact } from "./item-facts.ts";

/**
 * The relation views whose items are listed on an item's page, largest view first. Excludes views
 * without items and views shown as facts.
 */
export function listedRelationViews(
  item: Pick<PublishedItem, "type" | "counts">,
  types: ContentTypes,
): RelationView[] {
  const count = ({ name }: RelationView) => item.counts[name] ?? 0;
  return relationViews(types, item.type)
    .filter((view) => !isShownAsFact(item.type, view) && count(view) > 0)
    .sort((a, b) => count(b) - count(a));
}
