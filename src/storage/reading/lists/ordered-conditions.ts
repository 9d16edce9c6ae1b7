import { isSingleTargetRelation, placeField } from "../../../content/lists/places.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import type { ListCondition } from "./conditions.ts";
import type { RankedCondition } from "./list-rows.ts";

/**
 * Returns a condition whose rows are already in the requested order; null if there is none. The
 * plan uses it regardless of its number of rows.
 */
export function conditionInAddedOrder(
  conditions: readonly ListCondition[],
  sort: string,
): ListCondition | null {
  if (sort !== "added") return null;
  return conditions.find(({ isExact }) => isExact === true) ?? null;
}

/**
 * Returns the condition that selects the parts of an item, such as a work, if the list is sorted by
 * place; null if there is none.
 */
export function placeCondition(
  type: ContentType,
  conditions: readonly ListCondition[],
  sort: string,
): RankedCondition | null {
  if (sort !== placeField(type)) return null;
  const linked = conditions.filter(hasLink);
  return linked.find(({ link }) => isSingleTargetRelation(type, link.relation)) ?? null;
}

/**
 * Returns the only condition, if its rows are already in order. The plan then does not depend on
 * their number.
 */
export function onlyOrderedCondition(
  conditions: readonly ListCondition[],
  ordered: RankedCondition | null,
): RankedCondition | null {
  return conditions.length === 1 ? ordered : null;
}

/** Whether the condition selects the items that link to an item. */
export function hasLink(condition: ListCondition): condition is RankedCondition {
  return condition.link !== undefined;
}
