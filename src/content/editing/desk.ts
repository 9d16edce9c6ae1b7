import { z } from "zod";
import { type Actor, requireScope } from "../../access/actor.ts";
import { type AppError, englishOnlyWording, fieldError } from "../../errors.ts";
import type { Item, ItemInput, ItemOutline, Link, Status } from "../items/item.ts";
import { decodeCursor, encodeCursor } from "../lists/cursor.ts";
import { findMissingMediaPaths, type MediaReader } from "../media/media.ts";
import type { ContentReader, Redirect } from "../record.ts";
import { requireExistingItem } from "./item-to-change.ts";

export const ITEM_SORTS = ["updated", "created", "title", "path"] as const;

export interface ItemQuery {
  types: readonly string[];
  statuses: readonly Status[];
  language?: string;
  path?: string;
  sourceKey?: string;
  /** Id of an item; only items that link to it by `relation` are listed. */
  relatedTo?: string;
  relation?: string;
  /** ISO 8601, UTC. */
  updatedSince?: string;
  /** ISO 8601, UTC; selects items due for review before this time. */
  reviewBefore?: string;
  /** Id of an original; only its translations are listed. */
  translationOf?: string;
  sort: (typeof ITEM_SORTS)[number];
  descending: boolean;
  limit: number;
  after?: ItemCursor;
}

/** Keyset cursor: the sort value and id of the last item. */
export type ItemCursor = readonly [string, string];

export interface RevisionSummary {
  revision: number;
  at: string;
  actor: string;
  action: string;
}

/** The parts of an item that a list can show in addition to the item's outline. */
export interface ItemColumns {
  fields: Item["fields"];
  /** Titles of the linked items for each relation, in the order of the links. */
  linkedTitles: ReadonlyMap<string, readonly string[]>;
}

/**
 * The editors' view of items in every status. Within a transaction it includes uncommitted changes.
 */
export interface ContentDesk {
  list(query: ItemQuery): Promise<{ items: ItemOutline[]; total: number; next: ItemCursor | null }>;
  /** The items with these ids, keyed by id. Unknown ids are left out. */
  outlines(ids: readonly string[]): Promise<ReadonlyMap<string, ItemOutline>>;
  /** Fields and links of the items with these ids, keyed by id. Unknown ids are left out. */
  columns(ids: readonly string[]): Promise<ReadonlyMap<string, ItemColumns>>;
  /** Number of links to an item for each relation; links from deleted items are not counted. */
  incoming(id: string): Promise<{ relation: string; total: number }[]>;
  /** Other paths that lead to the item: former paths and addresses of a former site. */
  pathsTo(id: string): Promise<{ path: string; isRedirect: boolean }[]>;
  /** Redirects in order of creation, starting after the id `after`; `from` filters by path. */
  redirects(options: { from?: string; after?: string; limit: number }): Promise<Redirect[]>;
  /**
   * The number of the latest change to any item or draft; 0 if there is none. Changes are numbered for the
   * editors' index.
   */
  lastChange(): Promise<number>;
  /** The revisions of an item with numbers below `before`, newest first. */
  revisionHeads(
    id: string,
    options: { before?: number; limit: number },
  ): Promise<RevisionSummary[]>;
}

interface DeskStores {
  content: ContentReader;
  desk: ContentDesk;
  media: Pick<MediaReader, "knownMedia">;
}

export interface ItemPage {
  items: ItemOutline[];
  total: number;
  nextCursor: string | null;
}

const cursorSchema = z.tuple([z.string(), z.string()]);

/**
 * Lists items in every status. The cursor is stable under concurrent changes.
 *
 * @param request `relatedTo` and `translationOf` name an item by path, source key or id.
 * @throws {AppError} `invalid` for an unknown type, relation or item, or a cursor of a different query.
 */
export async function listItems(
  stores: Pick<DeskStores, "content" | "desk">,
  actor: Actor,
  { cursor, ...request }: Omit<ItemQuery, "after"> & { cursor?: string },
): Promise<ItemPage> {
  requireScope(actor, "content:read");
  await requireKnownQueryNames(stores.content, request);
  const { limit: _, ...cursorQuery } = request;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, cursorQuery, cursorSchema);
  const query: ItemQuery = { ...request, ...(after === undefined ? {} : { after }) };
  for (const key of ["relatedTo", "translationOf"] as const) {
    const name = request[key];
    if (name !== undefined) query[key] = (await findItemByPathOrKey(stores.content, name, key)).id;
  }
  const { items, total, next } = await stores.desk.list(query);
  return { items, total, nextCursor: next === null ? null : encodeCursor(cursorQuery, next) };
}

/** Fields and links of items in every status, as a map by id. */
export async function readItemColumns(
  { desk }: Pick<DeskStores, "desk">,
  actor: Actor,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ItemColumns>> {
  requireScope(actor, "content:read");
  return await desk.columns(ids);
}

/** Refuses unknown names, because an empty list would hide a misspelling. */
export async function requireKnownQueryNames(
  content: ContentReader,
  { types, relation, relatedTo }: Pick<ItemQuery, "types" | "relation" | "relatedTo">,
): Promise<void> {
  const known = await content.types();
  const unknown = types.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw queryError("type", `there is no "${unknown}"; use ${[...known.keys()].join(", ")}`);
  }
  if (relation === undefined) return;
  if (relatedTo === undefined) {
    throw queryError("relation", "goes with relatedTo, which names the item it leads to");
  }
  const knownRelations = new Set(
    [...known.values()].flatMap(({ relations }) => Object.keys(relations)),
  );
  if (!knownRelations.has(relation)) {
    throw queryError(
      "relation",
      `there is no "${relation}"; use ${[...knownRelations].join(", ")}`,
    );
  }
}

/**
 * The error for a faulty query. The message is only in English, because people on screens choose among valid
 * values.
 */
export function queryError(where: string, message: string): AppError {
  return fieldError(where, englishOnlyWording(message));
}

export interface LinkDetail {
  id: string;
  note: string | null;
  path: string;
  title: string;
  type: string;
  status: Status;
}

/** An item with its links, translations, other paths and missing files. */
export interface ItemDetail extends Omit<Item, "relations"> {
  relations: Readonly<Record<string, readonly LinkDetail[]>>;
  incoming: readonly { relation: string; total: number }[];
  /** The other items of the item's translation group. */
  translations: readonly ItemOutline[];
  formerPaths: readonly string[];
  redirectFrom: readonly string[];
  /** Paths of the missing files that the item's texts link to. */
  missingMedia: readonly string[];
}

/** @throws {AppError} `not_found`. */
export async function readItem(stores: DeskStores, actor: Actor, id: string): Promise<ItemDetail> {
  requireScope(actor, "content:read");
  return await readItemUnchecked(stores, id);
}

/** As {@link readItem}, without a permission check. @throws {AppError} `not_found`. */
export async function readItemUnchecked(stores: DeskStores, id: string): Promise<ItemDetail> {
  const { content, desk } = stores;
  const item = await requireExistingItem(content, id);
  const [translations, paths, incoming] = await Promise.all([
    content.translations(item.translationOf ?? item.id, item.id),
    desk.pathsTo(id),
    desk.incoming(id),
  ]);
  return await detailOf(stores, item, { translations, paths, incoming });
}

/** Describes an item that was just created. Skips some look-ups, because nothing links to a new item yet. */
export async function describeCreatedItem(
  stores: DeskStores,
  item: Item,
  { redirectFrom }: Pick<ItemInput, "redirectFrom">,
): Promise<ItemDetail> {
  if (redirectFrom !== undefined || item.translationOf !== null) {
    return await readItemUnchecked(stores, item.id);
  }
  return await detailOf(stores, item, { translations: [], paths: [], incoming: [] });
}

interface ItemContext extends Pick<ItemDetail, "incoming" | "translations"> {
  paths: readonly { path: string; isRedirect: boolean }[];
}

async function detailOf(
  { desk, media }: DeskStores,
  item: Item,
  { translations, paths, incoming }: ItemContext,
): Promise<ItemDetail> {
  const links = Object.values(item.relations).flat();
  const targets = await desk.outlines(links.map(({ to }) => to));
  return {
    ...item,
    relations: Object.fromEntries(
      Object.entries(item.relations).map(([name, links]) => [name, shownLinks(links, targets)]),
    ),
    incoming,
    translations,
    formerPaths: paths.filter(({ isRedirect }) => !isRedirect).map(({ path }) => path),
    redirectFrom: paths.filter(({ isRedirect }) => isRedirect).map(({ path }) => path),
    missingMedia: await findMissingMediaPaths(media, item),
  };
}

/**
 * Finds an item by path, source key or id.
 *
 * @throws {AppError} `invalid`, with `where` as the path of the problem.
 */
export async function findItemByPathOrKey(
  content: ContentReader,
  name: string,
  where: string,
): Promise<Item> {
  const normalisedName = name.normalize("NFC");
  const item = normalisedName.startsWith("/")
    ? await content.itemAt(normalisedName)
    : ((await content.item(normalisedName)) ?? (await content.itemBySourceKey(normalisedName)));
  if (item !== null) return item;
  const kind = normalisedName.startsWith("/") ? "path" : "source key or id";
  throw queryError(where, `no item has the ${kind} "${normalisedName}"`);
}

function shownLinks(
  links: readonly Link[],
  targets: ReadonlyMap<string, ItemOutline>,
): LinkDetail[] {
  return links.flatMap(({ to, note }) => {
    const target = targets.get(to);
    if (target === undefined) return [];
    const { path, title, type, status } = target;
    return [{ id: to, note, path, title, type, status }];
  });
}
