import type { Item } from "../items/item.ts";
import type { ContentReader, ContentRecord, ContentTransaction } from "../record.ts";

/** Number of items changed per transaction; limits how long other writers wait. */
const BATCH_ITEMS = 100;

/** A change that is made to items at a scheduled time. */
interface DueChange {
  /**
   * Finds items that are due. Called until it finds none, so an item must no longer be due after `change`.
   */
  find: (content: ContentReader, limit: number) => Promise<Item[]>;
  change: (transaction: ContentTransaction, item: Item) => Promise<unknown>;
}

/**
 * Changes all items that are due, in batches of one transaction each. Takes no write lock if no item
 * is due.
 *
 * @returns the number of items changed.
 */
export async function changeDueItems(
  record: ContentRecord,
  { find, change }: DueChange,
): Promise<number> {
  let changedCount = 0;
  while ((await find(record, 1)).length > 0) {
    changedCount += await record.write(async (transaction) => {
      const items = await find(transaction, BATCH_ITEMS);
      for (const item of items) await change(transaction, item);
      return items.length;
    });
  }
  return changedCount;
}
