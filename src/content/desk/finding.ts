import { z } from "zod";
import { type Actor, requireScope } from "../../access/actor.ts";
import { auditTargetOfDraft, type DraftOutline } from "../drafts/draft.ts";
import { ITEM_SORTS, listItems, queryError, requireKnownQueryNames } from "../editing/desk.ts";
import { type ItemOutline, STATUSES, type Status } from "../items/item.ts";
import { decodeCursor, encodeCursor } from "../lists/cursor.ts";
import { listPositionSchema, serializeListPosition } from "../lists/listing.ts";
import type { ContentReader } from "../record.ts";
import {
  type ContentQuery,
  type ContentQueryStores,
  deskFilterFromContentQuery,
} from "./content-query.ts";
import type { DeskFilter, DeskHit, DeskResultPage, IndexFreshness } from "./desk-queries.ts";

/** Matches of a text after this offset are not listed. A narrower query finds them. */
const OFFSET_MAX = 1000;

export interface OutlineWithSnippet extends ItemOutline {
  snippet?: string;
}

export interface FoundContent extends Partial<IndexFreshness> {
  items: OutlineWithSnippet[];
  total: number;
  totalIsExact: boolean;
  nextCursor: string | null;
  /** Number of matches by status; null: not counted. */
  counts: DeskResultPage["counts"] | null;
  correctedText: string | null;
}

/**
 * Lists items of every status. If a text is given, drafts are searched too, and best matches come first,
 * ranked as in the public search.
 *
 * @throws {AppError} `invalid`, naming the parameter; `unavailable` while the index is built.
 */
export async function findContent(
  stores: ContentQueryStores,
  actor: Actor,
  contentQuery: ContentQuery,
): Promise<FoundContent> {
  requireScope(actor, "content:read");
  const { text, filters, sort: requestedSort, descending, ...plain } = contentQuery;
  const sort = requestedSort ?? (text === undefined ? "updated" : "fit");
  const recordSort = ITEM_SORTS.find((name) => name === sort);
  if (text === undefined && recordSort !== undefined && Object.keys(filters).length === 0) {
    const isDescending = descending ?? sort === "updated";
    const query = { ...plain, sort: recordSort, descending: isDescending };
    const page = await listItems(stores, actor, query);
    return { ...page, totalIsExact: true, counts: null, correctedText: null };
  }
  await requireKnownQueryNames(stores.content, plain);
  const filter = await deskFilterFromContentQuery(stores, contentQuery);
  const page = await pageOfIndex(stores, { ...contentQuery, sort }, filter);
  const outlines = await stores.desk.outlines(page.hits.map(({ id }) => id));
  const { hits, counts, ...rest } = page;
  const found = hits.flatMap(({ id, snippet }) => {
    const item = outlines.get(id);
    return item === undefined ? [] : [{ ...item, ...(text === undefined ? {} : { snippet }) }];
  });
  return { items: found, counts: text === undefined ? null : counts, ...rest };
}

/**
 * Searches drafts of existing and new items: the text of the draft and the text of its item. Best
 * matches come first.
 */
export async function findDrafts(
  stores: ContentQueryStores,
  actor: Actor,
  query: { text: string; type?: string; limit: number; cursor?: string },
): Promise<{ items: DraftOutline[]; nextCursor: string | null }> {
  requireScope(actor, "content:read");
  const types = query.type === undefined ? [] : [query.type];
  await requireKnownQueryNames(stores.content, { types });
  const filter: DeskFilter = { types, statuses: [...STATUSES, "new"], filters: [], hasDraft: true };
  const { hits, nextCursor } = await pageOfIndex(stores, { ...query, sort: "fit" }, filter);
  const drafts = await stores.drafts.outlines(hits.map(({ id }) => id));
  const byId = new Map(drafts.map((draft) => [auditTargetOfDraft(draft), draft]));
  return { items: hits.flatMap(({ id }) => byId.get(id) ?? []), nextCursor };
}

/**
 * Autocompletes names: items in every status but `deleted` whose name starts with the text, is
 * similar to it or contains it. Best first, at most `limit`.
 *
 * @throws {AppError} `invalid` for an unknown type; `unavailable` while the index is built.
 */
export async function autocompleteItems(
  stores: ContentQueryStores,
  actor: Actor,
  query: { text: string; types: readonly string[]; statuses?: readonly Status[]; limit: number },
): Promise<{ items: ItemOutline[] } & IndexFreshness> {
  requireScope(actor, "content:read");
  await requireKnownQueryNames(stores.content, query);
  const statuses = query.statuses ?? STATUSES.filter((status) => status !== "deleted");
  const { ids, isCurrent } = await stores.deskIndex.names({ ...query, statuses });
  const outlines = await stores.desk.outlines(ids);
  return { items: ids.flatMap((id) => outlines.get(id) ?? []), isCurrent };
}

type PageOfIndex = Omit<DeskResultPage, "hasMore"> & IndexFreshness & { nextCursor: string | null };

/**
 * A page of entries of the index: of a sorted list, or the best matches of a text. The cursor holds the
 * position of the list's last entry, or the offset of the next match.
 */
async function pageOfIndex(
  { content, deskIndex }: ContentQueryStores,
  {
    text,
    sort,
    descending = false,
    limit,
    cursor,
    ...rest
  }: Pick<ContentQuery, "text" | "descending" | "limit" | "cursor"> & { sort: string },
  filter: DeskFilter,
): Promise<PageOfIndex> {
  const query = { text, sort, descending, rest };
  if (text === undefined) {
    const after =
      cursor === undefined ? undefined : decodeCursor(cursor, query, listPositionSchema);
    const { next, ...page } = await deskIndex.list({ ...filter, sort, descending, limit, after });
    const nextCursor = next === null ? null : encodeCursor(query, serializeListPosition(next));
    return { ...page, nextCursor };
  }
  const offsetSchema = z.int().min(0).max(OFFSET_MAX);
  const offset = cursor === undefined ? 0 : decodeCursor(cursor, query, offsetSchema);
  if (sort !== "fit") {
    throw queryError("sort", "what a text finds is ordered by how well it fits; leave sort out");
  }
  const pathHits = await hitsAtPath(content, text, filter);
  const { hasMore, ...page } = await deskIndex.search({ ...filter, text, limit, offset });
  const next = offset + limit;
  const nextCursor = hasMore && next <= OFFSET_MAX ? encodeCursor(query, next) : null;
  if (pathHits.length === 0) return { ...page, nextCursor };
  return { ...page, hits: pathHits, total: 1, counts: {}, correctedText: null, nextCursor: null };
}

/** Finds the item whose path was entered as the search text. The index does not contain paths. */
async function hitsAtPath(
  content: ContentReader,
  text: string,
  { types, statuses }: DeskFilter,
): Promise<DeskHit[]> {
  if (!text.startsWith("/")) return [];
  const item = await content.itemAt(text.trim().normalize("NFC"));
  if (item === null || !statuses.includes(item.status)) return [];
  const isWanted = types.length === 0 || types.includes(item.type);
  return isWanted ? [{ id: item.id, isNew: false, snippet: item.summary }] : [];
}
