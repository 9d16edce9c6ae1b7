import { findPlaceFieldName, isSingleTargetRelation } from "../../../content/lists/places.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import type { ListCondition } from "./conditions.ts";
import type { ConditionWithLink } from "./list-sources.ts";

/**
 * For a list sorted by `added`: returns a condition whose `rows` query already returns rows in that
 * order. Null if there is none, or the list has another order. The list uses this condition even if it
 * has many rows.
 */
export function findConditionInAddedOrder(
  conditions: readonly ListCondition[],
  sort: string,
): ListCondition | null {
  if (sort !== "added") return null;
  return conditions.find(hasLink) ?? null;
}

/**
 * For a list sorted by place: returns the condition that selects the items of one larger item, such
 * as the quotations of a work. Null if there is none, or the list has another order.
 */
export function findPlaceCondition(
  type: ContentType,
  conditions: readonly ListCondition[],
  sort: string,
): ConditionWithLink | null {
  if (sort !== findPlaceFieldName(type)) return null;
  const linked = conditions.filter(hasLink);
  return linked.find(({ link }) => isSingleTargetRelation(type, link.relation)) ?? null;
}

/**
 * Returns `ordered` if the list has no other condition; otherwise null. The rows of `ordered` are
 * already in the requested order, so the list can use this condition even if it has many rows.
 */
export function findSoleOrderedCondition(
  conditions: readonly ListCondition[],
  ordered: ConditionWithLink | null,
): ConditionWithLink | null {
  return conditions.length === 1 ? ordered : null;
}

/** Whether the condition selects the items that link to an item. */
export function hasLink(condition: ListCondition): condition is ConditionWithLink {
  return condition.link !== undefined;
}
