import type { ContentTypes } from "../../../content/types/content-type.ts";
import { type RelationView, relationViews } from "../../../content/types/relation-views.ts";

const viewsByTypes = new WeakMap<ContentTypes, Map<string, RelationView[]>>();

/**
 * Returns the relation views of a type that have a count: those that list links from other items,
 * and those of symmetric relations.
 */
export function countedRelationViews(types: ContentTypes, type: string): RelationView[] {
  const byType = viewsByTypes.get(types) ?? new Map<string, RelationView[]>();
  viewsByTypes.set(types, byType);
  const found = byType.get(type);
  if (found !== undefined) return found;
  const symmetric = symmetricRelations(types, type);
  const views = relationViews(types, type).filter(
    (view) => view.direction === "in" || symmetric.includes(view.relation),
  );
  byType.set(type, views);
  return views;
}

/** The names of the relations of a type that hold in both directions. */
export function symmetricRelations(types: ContentTypes, type: string): string[] {
  return Object.entries(types.get(type)?.relations ?? {})
    .filter(([, relation]) => relation.symmetric === true)
    .map(([name]) => name);
}
