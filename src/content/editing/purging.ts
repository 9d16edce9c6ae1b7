import { DAY_MILLISECONDS } from "../../access/days.ts";
import type { ContentRecord } from "../record.ts";
import { changeDueItems } from "./due-items.ts";
import { DELETED_RESTORABLE_DAYS } from "./revisions.ts";

/**
 * Erases the content of deleted items that can no longer be restored. Their public addresses still
 * answer 410.
 *
 * @returns the number of items purged.
 */
export async function purgeDeletedItems(record: ContentRecord, now: Date): Promise<number> {
  const deletedBefore = new Date(now.getTime() - DELETED_RESTORABLE_DAYS * DAY_MILLISECONDS);
  return await changeDueItems(record, {
    find: (content, limit) => content.purgeable(deletedBefore, limit),
    change: (transaction, item) =>
      transaction.purge(item, {
        at: now.toISOString(),
        actor: "clock",
        action: "content.purge",
        target: item.path,
        revisionBefore: item.revision,
        revisionAfter: null,
        requestId: null,
      }),
  });
}
