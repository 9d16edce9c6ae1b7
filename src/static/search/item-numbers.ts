import { createHash } from "node:crypto";

/**
 * Item numbers have two bits more than necessary. An eighth to a quarter of all numbers are then in
 * use.
 */
const USED_SHARE_BITS = 2;
const HASH_BITS = 32;
const BITS_MIN = 6;

export interface ItemNumbers<Item> {
  /**
   * Bits per item number. When the number of items passes a power of two, `bits` and all item
   * numbers change.
   */
  bits: number;
  /** Items with their numbers, in ascending order of the numbers. */
  numbered: readonly { item: Item; number: number }[];
}

/**
 * Numbers items by hashes of their paths, so that a new item changes hardly any other number. An
 * item whose number is already in use gets the next free one.
 */
export function assignItemNumbers<Item extends { path: string }>(
  items: readonly Item[],
): ItemNumbers<Item> {
  const bits = Math.max(
    BITS_MIN,
    Math.ceil(Math.log2(Math.max(1, items.length))) + USED_SHARE_BITS,
  );
  const hashed = items.map((item) => ({ item, hash: hashOf(item.path) }));
  hashed.sort((a, b) => a.hash - b.hash || (a.item.path < b.item.path ? -1 : 1));
  let free = 0;
  const numbered = hashed.map(({ item, hash }) => {
    const number = Math.max(free, hash >>> (HASH_BITS - bits));
    free = number + 1;
    return { item, number };
  });
  return { bits, numbered };
}

function hashOf(path: string): number {
  return createHash("sha256").update(path).digest().readUInt32BE();
}
