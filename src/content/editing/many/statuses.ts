import { type Actor, requireScope } from "../../../access/actor.ts";
import type { ChangeContext } from "../../../access/audit.ts";
import { AppError, type Wording } from "../../../errors.ts";
import type { ContentRecord, ContentTransaction } from "../../record.ts";
import { requireExistingItem } from "../item-to-change.ts";
import { publishItem } from "../publishing.ts";
import type { References } from "../references.ts";
import { type WithdrawalKind, withdrawItem } from "../withdrawing.ts";

export interface StatusChangeReport {
  id: string;
  outcome: "changed" | "unchanged" | "failed";
  /** Why the change failed. */
  message?: Wording;
}

interface StatusesOptions extends ChangeContext {
  /**
   * The references to each withdrawn item, keyed by the item's id. Items without an entry are not checked.
   */
  references: ReadonlyMap<string, References>;
}

/**
 * Changes the status of many items in one transaction and reports on each item. An item that cannot be
 * changed does not stop the others.
 */
export async function changeStatuses(
  record: ContentRecord,
  actor: Actor,
  { how, ids }: { how: "publish" | WithdrawalKind; ids: readonly string[] },
  { references, ...options }: StatusesOptions,
): Promise<StatusChangeReport[]> {
  requireScope(actor, "content:write");
  return await record.write(async (transaction) => {
    const reports: StatusChangeReport[] = [];
    for (const id of new Set(ids)) {
      try {
        const itemReferences = references.get(id) ?? null;
        const isChanged = await changeOne(
          transaction,
          actor,
          { how, id },
          { ...options, itemReferences },
        );
        reports.push({ id, outcome: isChanged ? "changed" : "unchanged" });
      } catch (error) {
        if (!(error instanceof AppError) || error.code === "unavailable") throw error;
        reports.push({ id, outcome: "failed", message: error.wording });
      }
    }
    return reports;
  });
}

async function changeOne(
  transaction: ContentTransaction,
  actor: Actor,
  { how, id }: { how: "publish" | WithdrawalKind; id: string },
  {
    itemReferences,
    ...options
  }: Omit<StatusesOptions, "references"> & { itemReferences: References | null },
): Promise<boolean> {
  const before = await requireExistingItem(transaction, id);
  const item =
    how === "publish"
      ? await publishItem(transaction, actor, id, options)
      : await withdrawItem(transaction, actor, id, { ...options, how, references: itemReferences });
  return item.revision !== before.revision;
}
