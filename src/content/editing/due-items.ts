import type { Item } from "../items/item.ts";
import type { ContentReader, ContentRecord, ContentTransaction } from "../record.ts";

/** Bounds how long other writers wait. */
const BLOCK_ITEMS = 100;

/** A change the clock makes to items whose time has come. */
interface DueChange {
  /** The items that are due. Must not return an item again once it was changed. */
  find: (content: ContentReader, limit: number) => Promise<Item[]>;
  change: (transaction: ContentTransaction, item: Item) => Promise<unknown>;
}

/**
 * Changes all items that are due, a block to a transaction. Takes no write lock if none is.
 *
 * @returns the number of items changed.
 */
export async function changeDueItems(
  record: ContentRecord,
  { find, change }: DueChange,
): Promise<number> {
  let changed = 0;
  while ((await find(record, 1)).length > 0) {
    changed += await record.write(async (transaction) => {
      const items = await find(transaction, BLOCK_ITEMS);
      for (const item of items) await change(transaction, item);
      return items.length;
    });
  }
  return changed;
}
