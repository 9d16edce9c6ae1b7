import { type Actor, requireScope } from "../../access/actor.ts";
import type { DeskIndex } from "../desk/desk-queries.ts";
import { type ItemOutline, STATUSES } from "../items/item.ts";
import type { ContentReader } from "../record.ts";
import { NAVIGATION_FIELD } from "../site/navigation-order.ts";
import type { ContentDesk } from "./desk.ts";
import { requireExistingItem } from "./item-to-change.ts";

/** Maximum number of referrers that a message names. */
export const NAMED_REFERRERS_MAX = 5;

export interface ReferenceStores {
  content: ContentReader;
  desk: ContentDesk;
  deskIndex: DeskIndex;
}

/** Items that refer to a given item. Deleted items are left out. */
export interface Referrers {
  total: number;
  /** The first referrers, up to the limit of the query. */
  items: readonly ItemOutline[];
}

/** The references to an item. */
export interface References {
  /** Items with a relation to the item, grouped by relation. */
  relations: readonly ({ relation: string } & Referrers)[];
  /** Items that link to one of the item's addresses in their texts or drafts. */
  texts: Referrers;
  /** Former paths and addresses of a former site that redirect to the item. */
  addresses: readonly string[];
  /** Whether the navigation of the site contains the item. */
  isInNavigation: boolean;
  /** The total of `relations` and `texts`; addresses are not counted. */
  total: number;
  /** False if links in recently saved texts may be missing. */
  isCurrent: boolean;
}

/**
 * Finds the references to an item: relations, links in texts and drafts, the navigation, and addresses that
 * redirect to the item.
 *
 * @param limit the maximum number of items of each kind.
 * @throws {AppError} `not_found`; `unavailable` while the editors' index is still being built.
 */
export async function findReferencesTo(
  stores: ReferenceStores,
  actor: Actor,
  id: string,
  { limit }: { limit: number },
): Promise<References> {
  requireScope(actor, "content:read");
  return await findReferencesToUnchecked(stores, id, limit);
}

/**
 * The references to each of these items; unknown ids are left out.
 *
 * @throws {AppError} `unavailable`.
 */
export async function findReferencesToEach(
  stores: ReferenceStores,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, References>> {
  requireScope(actor, "content:write");
  const found = new Map<string, References>();
  for (const id of (await stores.desk.outlines(ids)).keys()) {
    found.set(id, await findReferencesToUnchecked(stores, id, NAMED_REFERRERS_MAX));
  }
  return found;
}

/**
 * As {@link findReferencesTo}, without a permission check: anyone who withdraws an item may see the
 * references to it.
 */
export async function findReferencesToUnchecked(
  { content, desk, deskIndex }: ReferenceStores,
  id: string,
  limit: number,
): Promise<References> {
  const item = await requireExistingItem(content, id);
  const addresses = (await desk.pathsTo(id)).map(({ path }) => path);
  const relations = await Promise.all(
    (await desk.incoming(id)).map(async ({ relation }) => ({
      relation,
      ...(await relationReferrers(desk, { id, relation, limit })),
    })),
  );
  const { ids, isCurrent } = await deskIndex.linking([item.path, ...addresses]);
  const texts = await textReferrers(
    desk,
    ids.filter((other) => other !== id),
    limit,
  );
  const isInNavigation = item.fields[NAVIGATION_FIELD] !== undefined && item.path !== "/";
  const total = relations.reduce((sum, each) => sum + each.total, texts.total);
  return { relations, texts, addresses, isInNavigation, total, isCurrent };
}

async function relationReferrers(
  desk: ContentDesk,
  { id, relation, limit }: { id: string; relation: string; limit: number },
): Promise<Referrers> {
  const { items, total } = await desk.list({
    types: [],
    statuses: STATUSES.filter((status) => status !== "deleted"),
    relatedTo: id,
    relation,
    sort: "updated",
    descending: true,
    limit,
  });
  return { items, total };
}

async function textReferrers(
  desk: ContentDesk,
  ids: readonly string[],
  limit: number,
): Promise<Referrers> {
  const outlines = await desk.outlines(ids);
  const items = ids.flatMap((id) => outlines.get(id) ?? []);
  const existing = items.filter(({ status }) => status !== "deleted");
  return { total: existing.length, items: existing.slice(0, limit) };
}
