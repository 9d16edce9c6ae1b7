import type { ContentType } from "../types/content-type.ts";

/** The field with the place of an item in its work; null if the type has none. */
export function placeField({ fields }: Pick<ContentType, "fields">): string | null {
  return Object.entries(fields).find(([, { numbered }]) => numbered === true)?.[0] ?? null;
}

/**
 * Whether items that state this relation are part of a single item, as a quotation is of a work.
 */
export function isPartRelation({ relations }: ContentType, relation: string): boolean {
  return relations[relation]?.many === false;
}
