import type { Actor } from "../../access/actor.ts";
import { fieldError } from "../../errors.ts";
import type { RedirectChangeContext } from "../addresses/redirect-change-context.ts";
import { addRedirect } from "../addresses/redirects.ts";
import type { Item } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import { archiveItem, deleteItem, type ItemChangeOptions, unpublishItem } from "./publishing.ts";
import { requireUnreferenced } from "./reference-checks.ts";
import type { References } from "./references.ts";

/**
 * The ways to withdraw an item. With `draft`, its address answers 404, as if the item had never been public.
 * With `gone`, its address answers 410. With `delete`, its address answers 410 and editors no longer see the
 * item.
 */
export const WITHDRAW_ACTIONS = {
  draft: unpublishItem,
  gone: archiveItem,
  delete: deleteItem,
} as const;
export type Withdrawal = keyof typeof WITHDRAW_ACTIONS;

interface WithdrawOptions extends ItemChangeOptions {
  /** The references to the item; null: the item is withdrawn even if other items refer to it. */
  references: References | null;
  /**
   * Only with `delete`: the target to which the item's address redirects, as a path, id or source key.
   * `isDocument` and `origin` are options of {@link addRedirect}.
   */
  leadTo?: { to: string } & Pick<RedirectChangeContext, "origin" | "isDocument">;
}

/**
 * Withdraws an item from the public. If `leadTo` is given, redirects the item's address in the same
 * transaction.
 *
 * @throws {AppError} `conflict` if other items refer to the item, naming the first of these items; also the
 *   errors of {@link deleteItem} and {@link addRedirect}.
 */
export async function withdrawItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  { how, references, leadTo, ...options }: WithdrawOptions & { how: Withdrawal },
): Promise<Item> {
  if (leadTo !== undefined && how !== "delete") {
    throw fieldError("leadTo", {
      en: "goes with deleting; an item that stays keeps its address",
      de: "Das geht nur beim Löschen: Ein Inhalt, der bleibt, behält seine Adresse",
    });
  }
  return await record.write(async (transaction) => {
    const before = await transaction.item(id);
    if (before !== null && before.status !== "deleted" && references !== null) {
      requireUnreferenced(references, before);
    }
    const item = await WITHDRAW_ACTIONS[how](transaction, actor, id, options);
    if (leadTo !== undefined) {
      const { to, ...site } = leadTo;
      const redirect = { from: item.path, to };
      const { now, requestId } = options;
      await addRedirect(transaction, actor, redirect, { ...site, now, requestId });
    }
    return item;
  });
}
