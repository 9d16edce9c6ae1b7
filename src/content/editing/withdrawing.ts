import type { Actor } from "../../access/actor.ts";
import { fieldError } from "../../errors.ts";
import type { RedirectChangeContext } from "../addresses/redirect-change-context.ts";
import type { Item } from "../items/item.ts";
import type { ContentRecord } from "../record.ts";
import type { ContentDesk } from "./desk.ts";
import { deleteAndLeadAddresses } from "./leading-addresses.ts";
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
export type WithdrawalKind = keyof typeof WITHDRAW_ACTIONS;

interface WithdrawOptions extends ItemChangeOptions {
  /** References to the item, which prevent its withdrawal; null: withdraws the item without this check. */
  references: References | null;
  /**
   * Only with `delete`: the target to which the item's addresses redirect, as a path, id or source key.
   */
  leadTo?: { to: string; desk: Pick<ContentDesk, "pathsTo" | "redirects"> } & Pick<
    RedirectChangeContext,
    "origin" | "isDocument"
  >;
}

/**
 * Withdraws an item from the public. If `leadTo` is given, redirects all addresses of the item in the
 * same transaction.
 *
 * @throws {AppError} `conflict` if other items refer to the item, naming the first of these items; also the
 *   errors of {@link deleteItem} and {@link deleteAndLeadAddresses}.
 */
export async function withdrawItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  { how, references, leadTo, ...options }: WithdrawOptions & { how: WithdrawalKind },
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
    if (leadTo === undefined) return await WITHDRAW_ACTIONS[how](transaction, actor, id, options);
    const { to, desk, ...site } = leadTo;
    const led = { id, paths: await desk.pathsTo(id), to };
    return await deleteAndLeadAddresses(transaction, desk, actor, led, { ...site, ...options });
  });
}
