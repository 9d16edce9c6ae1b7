import { type Actor, actorName, requireScope } from "../../access/actor.ts";
import type { ChangeContext } from "../../access/audit.ts";
import { fieldError } from "../../errors.ts";
import type { Item, Status } from "../items/item.ts";
import { withNewsDay } from "../items/news-day.ts";
import {
  type PublicationState,
  requireNotExpired,
  requireTransition,
  scopeRequiredForChange,
} from "../items/statuses.ts";
import type { ContentReader, ContentRecord, ContentTransaction } from "../record.ts";
import { readSiteTimeZone } from "../site/time-zone.ts";
import { changeDueItems } from "./due-items.ts";
import { requireExistingItem, requireRevision } from "./item-to-change.ts";

export interface ItemChangeOptions extends ChangeContext {
  /** Optimistic concurrency: the current revision. Any other value fails with `precondition`. */
  revision?: number;
}

/** Publishes an item. @throws {AppError} `not_found`, `conflict`, `precondition`. */
export async function publishItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  options: ItemChangeOptions,
): Promise<Item> {
  return await changeStatus(record, actor, id, {
    ...options,
    action: "content.publish",
    status: "published",
    publication: (before) => {
      requireNotExpired(before, options.now);
      const publishedAt = before.publishedAt ?? options.now.toISOString();
      return { publishAt: null, publishedAt, expireAt: before.expireAt };
    },
  });
}

/**
 * Schedules or reschedules the publication of an item.
 *
 * @throws {AppError} `invalid` if the time is not in the future; `not_found`, `conflict`,
 * `precondition`.
 */
export async function scheduleItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  { publishAt, ...options }: ItemChangeOptions & { publishAt: Date },
): Promise<Item> {
  if (publishAt <= options.now) {
    throw fieldError("publishAt", {
      en: "lies in the past; publish the item instead",
      de: "liegt in der Vergangenheit: Veröffentlichen Sie stattdessen gleich",
    });
  }
  return await changeStatus(record, actor, id, {
    ...options,
    action: "content.schedule",
    status: "scheduled",
    publication: (before) => {
      requireNotExpired(before, publishAt);
      const { publishedAt, expireAt } = before;
      return { publishAt: publishAt.toISOString(), publishedAt, expireAt };
    },
  });
}

/** Reverts an item to a draft. Its path answers 404, as if the path had never been used. */
export async function unpublishItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  options: ItemChangeOptions,
): Promise<Item> {
  return await changeStatus(record, actor, id, {
    ...options,
    action: "content.unpublish",
    status: "draft",
    publication: keepPublishedAt,
  });
}

/** Withdraws an item from the public. Its path answers 410. */
export async function archiveItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  options: ItemChangeOptions,
): Promise<Item> {
  return await changeStatus(record, actor, id, {
    ...options,
    action: "content.archive",
    status: "archived",
    publication: (before) => ({ ...keepPublishedAt(before), expireAt: null }),
  });
}

/** Deletes an item. For 30 days, restoring a revision brings it back as a draft. */
export async function deleteItem(
  record: ContentRecord,
  actor: Actor,
  id: string,
  options: ItemChangeOptions,
): Promise<Item> {
  return await changeStatus(record, actor, id, {
    ...options,
    action: "content.delete",
    status: "deleted",
    publication: keepPublishedAt,
  });
}

/**
 * Publishes the scheduled items that are due. If an item has no publication date, the scheduled time becomes
 * that date.
 *
 * @returns the number of items published.
 */
export async function publishDueItems(record: ContentRecord, now: Date): Promise<number> {
  return await changeDueItems(record, {
    find: (content, limit) => content.due(now, limit),
    change: (transaction, before) =>
      putChange(transaction, before, {
        now,
        actor: "clock",
        action: "content.publish",
        publication: {
          status: "published",
          publishAt: null,
          publishedAt: before.publishedAt ?? before.publishAt,
          expireAt: before.expireAt,
        },
      }),
  });
}

/**
 * Archives the published items whose expiry has come.
 *
 * @returns the number of items archived.
 */
export async function archiveExpiredItems(record: ContentRecord, now: Date): Promise<number> {
  return await changeDueItems(record, {
    find: (content, limit) => content.expired(now, limit),
    change: (transaction, before) =>
      putChange(transaction, before, {
        now,
        actor: "clock",
        action: "content.archive",
        publication: { status: "archived", ...keepPublishedAt(before), expireAt: null },
      }),
  });
}

interface StatusChange extends ItemChangeOptions {
  action: string;
  status: Status;
  publication: (before: Item) => Omit<PublicationState, "status">;
}

async function changeStatus(
  record: ContentRecord,
  actor: Actor,
  id: string,
  { now, revision, requestId, action, status, publication }: StatusChange,
): Promise<Item> {
  return await record.write(async (transaction) => {
    requireScope(actor, status === "deleted" ? "content:write" : "content:publish");
    const before = await requireExistingItem(transaction, id);
    requireScope(actor, scopeRequiredForChange(before.status));
    requireRevision(before, revision);
    const isRescheduling = status === "scheduled" && before.status === "scheduled";
    if (before.status === status && !isRescheduling) return before;
    requireTransition(before, status, `"${before.path}"`);
    return await putChange(transaction, before, {
      now,
      ...(status === "deleted" ? { updatedAt: await deletionTime(transaction, now) } : {}),
      actor: actorName(actor),
      action,
      publication: { status, ...publication(before) },
      ...(requestId === undefined ? {} : { requestId }),
    });
  });
}

/**
 * The time to record for a deletion: the later of now and the last trusted time. A slow system clock would
 * otherwise cause the item to be purged too early.
 */
async function deletionTime(content: ContentReader, now: Date): Promise<string> {
  const at = now.toISOString();
  const trusted = await content.lastTrustedTime();
  return trusted !== null && trusted > at ? trusted : at;
}

async function putChange(
  transaction: ContentTransaction,
  before: Item,
  {
    now,
    actor,
    action,
    publication,
    requestId,
    updatedAt = now.toISOString(),
  }: {
    now: Date;
    updatedAt?: string;
    actor: string;
    action: string;
    publication: PublicationState;
    requestId?: string | undefined;
  },
): Promise<Item> {
  const at = now.toISOString();
  const type = (await transaction.types()).get(before.type);
  const timeZone = await readSiteTimeZone(transaction);
  const item: Item = {
    ...before,
    fields: withNewsDay(before.fields, type, { publication, timeZone }),
    ...publication,
    updatedAt,
    revision: before.revision + 1,
  };
  await transaction.put(item, { before, at, actor, action, requestId: requestId ?? null });
  return item;
}

function keepPublishedAt({ publishedAt, expireAt }: Item): Omit<PublicationState, "status"> {
  return { publishAt: null, publishedAt, expireAt };
}
