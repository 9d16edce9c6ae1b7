import { type Actor, actorName, requireScope } from "../../../access/actor.ts";
import type { ChangeContext } from "../../../access/audit.ts";
import { newId } from "../../../new-id.ts";
import { chooseAvailablePath } from "../../addresses/path-claims.ts";
import { planRedirectsToItem } from "../../addresses/redirects.ts";
import { canonicalizeLanguageTag } from "../../items/canonical-language.ts";
import type { Item, ItemInput } from "../../items/item.ts";
import { cleanItemTexts, invalidInputError } from "../../items/validation.ts";
import type { ContentRecord, ContentTransaction } from "../../record.ts";
import { requireSiteLanguage } from "../../site/site-language.ts";
import { requireTypeNamed } from "../../types/type-named.ts";
import { chooseLastChangeTime, type SavedItem, type SaveOptions } from "../editing.ts";
import { quoteItemName } from "../item-to-change.ts";

type DeletedOptions = ChangeContext & Pick<SaveOptions, "updatedAt" | "unusableRedirects">;

/**
 * Imports an item that was deleted at its source: its current and former addresses answer 410 and show its
 * title. Nothing else of the input is stored. If an item at the address has not been edited since its import,
 * that item is deleted. If that item is already deleted, it is left unchanged.
 *
 * @throws {AppError} `conflict` if the address is in use; `invalid` without a path.
 */
export async function saveItemDeletedAtSource(
  record: ContentRecord,
  actor: Actor,
  input: ItemInput,
  options: DeletedOptions,
): Promise<SavedItem> {
  return await record.write(async (transaction) => {
    const before = await replaceableItemAt(transaction, input);
    const isKnown = before?.status === "deleted";
    if (!isKnown) requireScope(actor, "content:publish");
    const item = isKnown ? before : await deletedItem(transaction, input, { ...options, before });
    const { now, requestId, unusableRedirects } = options;
    const redirects = await planRedirectsToItem(transaction, actor, input.redirectFrom ?? [], {
      ...{ itemId: item.id, path: item.path, unusableRedirects, now, requestId },
    });
    if (!isKnown) await putDeleted(transaction, actor, item, { ...options, before });
    await redirects.put();
    const outcome = before === null ? "created" : isKnown ? "unchanged" : "updated";
    const details = { changed: [], missing: [], unusableRedirects: redirects.unusable };
    return { item, outcome, ...details };
  });
}

/** The item at the path, if it is deleted or has not been edited since its import. */
async function replaceableItemAt(
  transaction: ContentTransaction,
  input: ItemInput,
): Promise<Item | null> {
  if (input.path === undefined) throw invalidInputError(quoteItemName(input), [NO_PATH]);
  const path = input.path.normalize("NFC");
  const item = await transaction.itemAt(path);
  if (item?.path !== path) return null;
  const base = await transaction.importBase(item.id);
  const isUntouched = base?.stated === null && base.revision === item.revision;
  return item.status === "deleted" || isUntouched ? item : null;
}

const NO_PATH = {
  where: "path",
  message: {
    en: "a deleted item needs the address that it had",
    de: "Ein gelöschter Inhalt braucht die Adresse, die er hatte",
  },
};

async function deletedItem(
  transaction: ContentTransaction,
  input: ItemInput,
  { now, updatedAt, before }: DeletedOptions & { before: Item | null },
): Promise<Item> {
  const subject = quoteItemName(input);
  const types = await transaction.types();
  const type = requireTypeNamed(types, input.type);
  const { title } = cleanItemTexts(input, subject);
  const lastChange = chooseLastChangeTime(before, updatedAt, now);
  if (before !== null) {
    const status = { status: "deleted", publishAt: null } as const;
    const revision = before.revision + 1;
    return { ...before, ...status, title, updatedAt: lastChange, revision };
  }
  return {
    id: newId(now),
    type: type.name,
    path: await chooseAvailablePath(transaction, null, { input, type, types }),
    title,
    ...{ summary: "", body: "", fields: {}, relations: {} },
    language:
      canonicalizeLanguageTag(input.language, subject) ??
      (await requireSiteLanguage(transaction, subject)),
    ...{ translationOf: null, status: "deleted", publishAt: null, publishedAt: null },
    ...{ expireAt: null, reviewAt: null, createdAt: now.toISOString() },
    updatedAt: lastChange,
    ...{ revision: 2, sourceKey: null },
  };
}

/** Stores a new item as archived before deleting it, because only an address that was public answers 410. */
async function putDeleted(
  transaction: ContentTransaction,
  actor: Actor,
  item: Item,
  { now, requestId, before }: DeletedOptions & { before: Item | null },
): Promise<void> {
  const change = {
    at: now.toISOString(),
    actor: actorName(actor),
    requestId: requestId ?? null,
  };
  const archived: Item = { ...item, status: "archived", revision: 1 };
  if (before === null) {
    await transaction.put(archived, { ...change, before, action: "content.create" });
  }
  await transaction.put(item, {
    ...{ ...change, before: before ?? archived },
    action: "content.delete",
  });
}
