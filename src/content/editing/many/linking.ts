import { type Actor, requireScope } from "../../../access/actor.ts";
import type { ChangeContext } from "../../../access/audit.ts";
import { fieldError } from "../../../errors.ts";
import type { Item, Link } from "../../items/item.ts";
import type { ContentRecord, ContentTransaction } from "../../record.ts";
import { changeItem } from "../editing.ts";
import { requireExistingItem } from "../item-to-change.ts";

export interface LinkChange {
  /** `set` replaces the relation as a whole. */
  action: "link" | "unlink" | "set";
  relation: string;
  /** Ids of the items whose links change. */
  items: readonly string[];
  /** Ids, paths or source keys of the items to link to or unlink. */
  targets: readonly string[];
}

/**
 * Changes a relation of many items in one transaction. Each changed item gets a revision and an audit
 * entry; remaining links keep their notes.
 *
 * @returns the ids of the items that changed.
 * @throws {AppError} `invalid` or `not_found`, naming the item; also the errors of `changeItem`.
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
    const changedIds: string[] = [];
    for (const id of new Set(change.items)) {
      const item = await requireExistingItem(transaction, id);
      const patch = { relations: { [change.relation]: linksAfter(item, targets, change) } };
      const { outcome } = await changeItem(transaction, actor, id, { patch, ...options });
      if (outcome !== "unchanged") changedIds.push(id);
    }
    return changedIds;
  });
}

function linksAfter(
  item: Item,
  targets: readonly string[],
  { action, relation }: LinkChange,
): Link[] {
  const before = item.relations[relation] ?? [];
  const keptLinks = before.filter(({ to }) =>
    action === "link" ? true : targets.includes(to) === (action === "set"),
  );
  if (action === "unlink") return [...keptLinks];
  const links =
    action === "set"
      ? targets.map((to) => keptLinks.find((link) => link.to === to) ?? { to, note: null })
      : keptLinks;
  const added = targets.filter((to) => !links.some((link) => link.to === to));
  return [...links, ...added.map((to) => ({ to, note: null }))];
}

async function targetIds(
  transaction: ContentTransaction,
  names: readonly string[],
): Promise<string[]> {
  const found = await transaction.references(names);
  const unknownName = names.find((name) => !found.has(name));
  if (unknownName !== undefined) {
    throw fieldError("targets", {
      en: `no item has the id, path or source key "${unknownName}"`,
      de: `Den Inhalt „${unknownName}“ gibt es nicht`,
    });
  }
  return [...new Set([...found.values()].map(({ id }) => id))];
}
