import { isDeepStrictEqual } from "node:util";
import type { Item } from "../items/item.ts";

/**
 * Keys that every save sets, keys that never change, and groups, whose entries are compared one by
 * one.
 */
const NOT_COMPARED: ReadonlySet<string> = new Set<keyof Item>([
  "id",
  "type",
  "fields",
  "relations",
  "createdAt",
  "updatedAt",
  "revision",
]);

/** With more changes in a group, only the group is named, to keep lists short. */
const NAMED_MAX = 20;

/**
 * The names of the parts in which two states of an item differ, such as `title`, `fields.year` and
 * `relations.topics`; empty if the states are equal. A group with more than 20 is `fields` or `relations`.
 */
export function changedParts(before: Item, after: Item): string[] {
  const compared = Object.keys(after).filter((part) => !NOT_COMPARED.has(part));
  return [
    ...changedKeys(before, after, compared),
    ...changedInGroup("fields", before, after),
    ...changedInGroup("relations", before, after),
  ];
}

function changedInGroup(group: "fields" | "relations", before: Item, after: Item): string[] {
  const names = new Set([...Object.keys(before[group]), ...Object.keys(after[group])]);
  const changed = changedKeys(before[group], after[group], [...names]);
  return changed.length > NAMED_MAX ? [group] : changed.map((name) => `${group}.${name}`);
}

function changedKeys(before: object, after: object, keys: readonly string[]): string[] {
  const old: Readonly<Record<string, unknown>> = { ...before };
  const present: Readonly<Record<string, unknown>> = { ...after };
  return keys.filter((key) => !isDeepStrictEqual(old[key], present[key]));
}
