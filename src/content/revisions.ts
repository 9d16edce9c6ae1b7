import { isDeepStrictEqual } from "node:util";
import { type Actor, actorName, requireScope } from "../access/actor.ts";
import { AppError } from "../errors.ts";
import { requireRevision } from "./editing.ts";
import type { Item } from "./item.ts";
import { requireFreePath } from "./path-claims.ts";
import { type ChangeOptions, existingItem, scopeToChange } from "./publishing.ts";
import type { ContentRecord, ContentTransaction, Revision } from "./record.ts";
import { checkFields } from "./validation.ts";

const DELETED_RESTORABLE_DAYS = 30;

/** Every saved state of an item, latest first. @throws {AppError} `not_found`. */
export async function listRevisions(
  record: ContentRecord,
  actor: Actor,
  id: string,
): Promise<Revision[]> {
  requireScope(actor, "content:read");
  const revisions = await record.revisions(id);
  if (revisions.length === 0) {
    throw new AppError("not_found", `There is no item with the id ${id}`);
  }
  return revisions;
}

/**
 * Gives an item the content of an earlier revision, as a new revision. Path and status stay as they
 * are; a deleted item comes back as a draft.
 *
 * @throws {AppError} `not_found` for an unknown item or revision; `gone` when the item was deleted
 * more than 30 days ago; `invalid` when its type no longer allows the content; `conflict` when its
 * path belongs to another item by now.
 */
export async function restoreRevision(
  record: ContentRecord,
  actor: Actor,
  id: string,
  { restore, now, revision, requestId }: ChangeOptions & { restore: number },
): Promise<Item> {
  requireScope(actor, "content:write");
  return await record.write(async (transaction) => {
    const before = await existingItem(transaction, id);
    requireScope(actor, before.status === "deleted" ? "content:write" : scopeToChange(before));
    requireRevision(before, revision);
    const saved = await savedState(transaction, before, restore);
    const at = now.toISOString();
    const item: Item = {
      ...before,
      ...saved,
      ...(before.status === "deleted" ? await revived(transaction, before, now) : {}),
      updatedAt: before.updatedAt,
    };
    if (isDeepStrictEqual(item, before)) return before;
    const restored = { ...item, updatedAt: at, revision: before.revision + 1 };
    await transaction.put(restored, {
      before,
      at,
      actor: actorName(actor),
      action: "content.restore",
      requestId: requestId ?? null,
    });
    return restored;
  });
}

type ItemContent = Pick<
  Item,
  "title" | "summary" | "body" | "fields" | "relations" | "language" | "translationOf"
>;

async function savedState(
  transaction: ContentTransaction,
  before: Item,
  restore: number,
): Promise<ItemContent> {
  const found = await transaction.revision(before.id, restore);
  if (found === null) {
    throw new AppError("not_found", `"${before.path}" has no revision ${restore}`);
  }
  const type = (await transaction.types()).get(before.type);
  if (type === undefined) {
    throw new AppError("conflict", `The site no longer declares the content type ${before.type}`);
  }
  const { title, summary, body, fields, relations, language, translationOf } = found.item;
  const declared = Object.entries(relations).filter(([name]) => name in type.relations);
  return {
    title,
    summary,
    body,
    fields: checkFields(type, fields, `"${before.path}"`),
    relations: Object.fromEntries(declared),
    language,
    translationOf,
  };
}

async function revived(
  transaction: ContentTransaction,
  before: Item,
  now: Date,
): Promise<Pick<Item, "status" | "publishAt">> {
  const age = now.getTime() - new Date(before.updatedAt).getTime();
  if (age > DELETED_RESTORABLE_DAYS * 24 * 3600 * 1000) {
    throw new AppError(
      "gone",
      `"${before.path}" was deleted at ${before.updatedAt}; deleted items can be restored for ${DELETED_RESTORABLE_DAYS} days`,
    );
  }
  await requireFreePath(transaction, before.path, before.id);
  return { status: "draft", publishAt: null };
}
