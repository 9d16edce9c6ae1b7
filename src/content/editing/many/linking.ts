import { type Actor, requireScope } from "../../../access/actor.ts";
import { fieldError } from "../../../errors.ts";
import type { Item, Link } from "../../items/item.ts";
import type { ChangeContext, ContentRecord, ContentTransaction } from "../../record.ts";
import { changeItem } from "../editing.ts";
import { existingItem } from "../item-to-change.ts";

export interface LinkChange {
  /** `set` replaces the relation as a whole. */
  action: "link" | "unlink" | "set";
  relation: string;
  /** Ids of the items that have the relation. */
  items: readonly string[];
  /** Ids, paths or source keys of the items at the other end. */
  targets: readonly string[];
}

/**
 * Changes a relation of many items in one transaction. Each changed item gets a revision and an audit
 * entry; links that stay keep their notes.
 *
 * @returns the ids of the items that changed.
 * @throws {AppError} `invalid` or `not_found`, naming the item; as `changeItem`.
 */
export async function changeLinks(
  record: ContentRecord,
  actor: Actor,
  change: LinkChange,
  options: ChangeContext,
): Promise<string[]> {
  requireScope(actor, "content:write");
  return await record.write(async (transaction) => {
    const targets = await targetIds(transaction, change.targets);
    const changed: string[] = [];
    for (const id of new Set(change.items)) {
      const item = await existingItem(transaction, id);
      const patch = { relations: { [change.relation]: linksAfter(item, targets, change) } };
      const { outcome } = await changeItem(transaction, actor, id, { patch, ...options });
      if (outcome !== "unchanged") changed.push(id);
    }
    return changed;
  });
}

function linksAfter(
  item: Item,
  targets: readonly string[],
  { action, relation }: LinkChange,
): Link[] {
  const before = item.relations[relation] ?? [];
  const kept = before.filter(({ to }) =>
    action === "link" ? true : targets.includes(to) === (action === "set"),
  );
  if (action === "unlink") return [...kept];
  const links =
    action === "set"
      ? targets.map((to) => kept.find((link) => link.to === to) ?? { to, note: null })
      : kept;
  const added = targets.filter((to) => !links.some((link) => link.to === to));
  return [...links, ...added.map((to) => ({ to, note: null }))];
}

async function targetIds(
  transaction: ContentTransaction,
  names: readonly string[],
): Promise<string[]> {
  const found = await transaction.references(names);
  const unknown = names.find((name) => !found.has(name));
  if (unknown !== undefined) {
    throw fieldError("targets", {
      en: `no item has the id, path or source key "${unknown}"`,
      de: `Den Inhalt „${unknown}“ gibt es nicht`,
    });
  }
  return [...new Set([...found.values()].map(({ id }) => id))];
}
