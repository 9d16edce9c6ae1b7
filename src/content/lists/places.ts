import type { ContentType } from "../types/content-type.ts";

/** The field with an item's location in its work, such as a page; null if the type has none. */
export function placeField({ fields }: Pick<ContentType, "fields">): string | null {
  return Object.entries(fields).find(([, { numbered }]) => numbered === true)?.[0] ?? null;
}

/**
 * Whether an item has at most one target of this relation, such as the work of a quotation.
 */
export function isPartRelation({ relations }: ContentType, relation: string): boolean {
  return relations[relation]?.many === false;
}
