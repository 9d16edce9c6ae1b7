import type { ContentType } from "./content-type.ts";

/** The name of a type's first relation with this target type; null: it has none. */
export function firstRelationToType({ relations }: ContentType, target: string): string | null {
  return Object.entries(relations).find(([, relation]) => relation.target === target)?.[0] ?? null;
}
