import type { FieldKind } from "../types/content-type.ts";

/**
 * The property by which items are grouped: their related items, the values of a field, or (`own`)
 * their type or language.
 */
export type GroupingProperty =
  | {
      kind: "relation";
      direction: "out" | "in";
      relation: string;
      otherType: string;
      isSymmetric: boolean;
    }
  | { kind: "field"; field: string; valueKind: FieldKind }
  | { kind: "own"; column: "type" | "language" };

export interface GroupCount {
  /** The title of an item or the value of a field. */
  name: string;
  /** The path of the item; null if the group is a field value. */
  path: string | null;
  count: number;
}

export interface GroupCounts {
  /** Number of items counted. */
  items: number;
  /** Number of all groups. */
  groups: number;
  /** Number of items that belong to no group. */
  without: number;
  /** Largest group first. */
  counts: GroupCount[];
}
