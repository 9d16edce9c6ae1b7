import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import { DAY_MILLISECONDS } from "../../access/days.ts";
import { AppError, type Wording } from "../../errors.ts";
import { requireFreePath } from "../addresses/path-claims.ts";
import type { Item } from "../items/item.ts";
import { withNewsDay } from "../items/news-day.ts";
import { scopeRequiredForChange } from "../items/statuses.ts";
import { findOriginalId, requireValidTranslationGroup } from "../items/translations.ts";
import { validateFields } from "../items/validation.ts";
import { decodeCursor, toCursorPage } from "../lists/cursor.ts";
import type { ContentReader, ContentRecord, ContentTransaction, Revision } from "../record.ts";
import { readSiteTimeZone } from "../site/time-zone.ts";
import type { ContentDesk, RevisionSummary } from "./desk.ts";
import { itemNotFoundError, requireExistingItem, requireRevision } from "./item-to-change.ts";
import type { ItemChangeOptions } from "./publishing.ts";

export const DELETED_RESTORABLE_DAYS = 30;

const cursorSchema = z.int().positive();

/**
 * Lists the revisions of an item, newest first, without content.
 *
 * @throws {AppError} `not_found`; `gone` if the revisions were purged; `invalid` for a malformed cursor.
 */
export async function listRevisions(
  { content, desk }: { content: ContentReader; desk: ContentDesk },
  actor: Actor,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ revisions: RevisionSummary[]; nextCursor: string | null }> {
  requireScope(actor, "content:read");
  const before = cursor === undefined ? undefined : decodeCursor(cursor, id, cursorSchema);
  const found = await desk.revisionHeads(id, {
    limit: limit + 1,
    ...(before === undefined ? {} : { before }),
  });
  if (found.length === 0 && before === undefined)
    throw purgedRevisionsError(await content.item(id), id);
  const positionOf = ({ revision }: RevisionSummary) => revision;
  const { items: revisions, nextCursor } = toCursorPage(found, { limit, query: id, positionOf });
  return { revisions, nextCursor };
}

/** @throws {AppError} `not_found`; `gone` if the revision was purged. */
export async function readRevision(
  content: ContentReader,
  actor: Actor,
  id: string,
  revision: number,
): Promise<Revision> {
  requireScope(actor, "content:read");
  const found = await content.revision(id, revision);
  if (found !== null) return found;
  const item = await content.item(id);
  if (item === null || item.revision === 0) throw purgedRevisionsError(item, id);
  throw noSuchRevision(item, revision);
}

function purgedRevisionsError(item: Item | null, id: string): AppError {
  if (item === null) return itemNotFoundError(id);
  return new AppError("gone", {
    en: `The revisions of "${item.path}" were wiped: ${endOfRestorePeriod(item).en}`,
    de: `Die Fassungen von „${item.path}“ sind endgültig gelöscht: ${endOfRestorePeriod(item).de}`,
  });
}

function noSuchRevision({ path, revision }: Item, requested: number): AppError {
  return new AppError("not_found", {
    en: `"${path}" has no revision ${requested}; its latest is ${revision}`,
    de: `„${path}“ hat keine Fassung ${requested}; die neueste ist ${revision}`,
  });
}

function endOfRestorePeriod({ updatedAt }: Item): Wording {
  return {
    en: `it was deleted at ${updatedAt}, and deleted items can be restored for ${DELETED_RESTORABLE_DAYS} days`,
    de: `Gelöschtes lässt sich nur ${DELETED_RESTORABLE_DAYS} Tage lang zurückholen`,
  };
}

/**
 * Restores the content of an earlier revision as a new revision. Path and status are unchanged,
 * except that a deleted item becomes a draft.
 *
 * @throws {AppError} `not_found` for an unknown item or revision; `gone` if the item was deleted
 * more than 30 days ago; `invalid` if its type no longer allows the content; `conflict` if its path
 * now belongs to another item.
 */
export async function restoreRevision(
  record: ContentRecord,
  actor: Actor,
  id: string,
  { restore, now, revision, requestId }: ItemChangeOptions & { restore: number },
): Promise<Item> {
  requireScope(actor, "content:write");
  return await record.write(async (transaction) => {
    const before = await requireExistingItem(transaction, id);
    requireScope(
      actor,
      before.status === "deleted" ? "content:write" : scopeRequiredForChange(before.status),
    );
    requireRevision(before, revision);
    if (before.status === "deleted") requireRestorable(before, now);
    const saved = await savedState(transaction, before, restore);
    const at = now.toISOString();
    const item: Item = {
      ...before,
      ...saved,
      ...(before.status === "deleted" ? await restoredAsDraft(transaction, before) : {}),
      updatedAt: before.updatedAt,
    };
    if (isDeepStrictEqual(item, before)) return before;
    await requireValidTranslationGroup(transaction, item, before);
    const restoredItem = { ...item, updatedAt: at, revision: before.revision + 1 };
    await transaction.put(restoredItem, {
      before,
      at,
      actor: actorName(actor),
      action: "content.restore",
      requestId: requestId ?? null,
    });
    return restoredItem;
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
  if (found === null) throw noSuchRevision(before, restore);
  const type = (await transaction.types()).get(before.type);
  if (type === undefined) {
    throw new AppError("conflict", {
      en: `The site no longer declares the content type ${before.type}`,
      de: `Den Inhaltstyp ${before.type} gibt es auf dieser Website nicht mehr, die Fassung lässt sich also nicht zurückholen`,
    });
  }
  const { title, summary, body, fields, relations, language, translationOf } = found.item;
  const declaredRelations = Object.entries(relations).filter(([name]) => name in type.relations);
  const timeZone = await readSiteTimeZone(transaction);
  const datedFields = withNewsDay(fields, type, { publication: before, timeZone });
  const original = translationOf === null ? null : await findOriginalId(transaction, translationOf);
  return {
    title,
    summary,
    body,
    fields: validateFields(type, datedFields, `"${before.path}"`),
    relations: Object.fromEntries(declaredRelations),
    language,
    // If the original that the old revision names is now a translation of this item, this item is the
    // original.
    translationOf: original === before.id ? null : original,
  };
}

/** @throws {AppError} `gone`. */
function requireRestorable(item: Item, now: Date): void {
  const age = now.getTime() - new Date(item.updatedAt).getTime();
  if (age > DELETED_RESTORABLE_DAYS * DAY_MILLISECONDS) {
    throw new AppError("gone", {
      en: `Cannot restore "${item.path}": ${endOfRestorePeriod(item).en}`,
      de: `„${item.path}“ lässt sich nicht zurückholen: ${endOfRestorePeriod(item).de}`,
    });
  }
}

async function restoredAsDraft(
  transaction: ContentTransaction,
  before: Item,
): Promise<Pick<Item, "status" | "publishAt">> {
  await requireFreePath(transaction, before.path, before.id);
  return { status: "draft", publishAt: null };
}
