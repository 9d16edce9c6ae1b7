import { DAY_MILLISECONDS } from "../../access/days.ts";
import type { ContentRecord } from "../record.ts";
import { DELETED_RESTORABLE_DAYS } from "./revisions.ts";

/** Bounds how long other writers wait. */
const BLOCK_ITEMS = 100;

/**
 * Erases the content of deleted items that can no longer be restored. Their public addresses still
 * answer 410.
 *
 * @returns the number of items purged.
 */
export async function purgeDeleted(record: ContentRecord, now: Date): Promise<number> {
  const deletedBefore = new Date(now.getTime() - DELETED_RESTORABLE_DAYS * DAY_MILLISECONDS);
  let purged = 0;
  while ((await record.purgeable(deletedBefore, 1)).length > 0) {
    purged += await record.write(async (transaction) => {
      const items = await transaction.purgeable(deletedBefore, BLOCK_ITEMS);
      for (const item of items) {
        await transaction.purge(item, {
          at: now.toISOString(),
          actor: "clock",
          action: "content.purge",
          target: item.path,
          revisionBefore: item.revision,
          revisionAfter: null,
          requestId: null,
        });
      }
      return items.length;
    });
  }
  return purged;
}
