import type {
  DeskFilter,
  DeskIndex,
  DeskListQuery,
  DeskResultPage,
  DeskSearchQuery,
  DeskStatus,
} from "../../content/desk/desk-queries.ts";
import type { FieldFilter, LinkFilter, ListQuery, SearchPage } from "../../content/library.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import type { Log } from "../../log.ts";
import { SearchThreads } from "../../search/search-threads.ts";
import { DamageError } from "../sqlite/damage.ts";
import { deskEntryPath, indexValueOfLink, itemIdInDeskEntryPath } from "./desk-entry.ts";
import {
  DESK_STATUSES,
  deskTypeNames,
  HAS_DRAFT_FIELD,
  LINKED_PATHS_FIELD,
  statusInDeskTypeName,
} from "./desk-types.ts";
import { DeskFollower, type DeskFollowerData, type DeskTimeouts } from "./following.ts";
import { clearUnfinishedIndex } from "./removing.ts";
import type { DeskQuery, DeskQueryResult } from "./thread-queries.ts";

const LINKING_ITEMS_MAX = 1000;
/**
 * A search for links to an item looks for at most this many of the item's paths. Any others are
 * former paths, to which few texts link.
 */
const LINKED_PATHS_MAX = 20;
/**
 * The thread pauses between queries, so that constant searches by editors do not slow down the
 * site.
 */
const THREAD_POOL = {
  threads: 1,
  program: new URL("./search-thread.ts", import.meta.url),
  pauseFactor: 2,
};

export interface DeskIndexOptions extends DeskFollowerData {
  log: Log;
  types(): Promise<ContentTypes>;
  /** The number of the last committed change of an item or draft. */
  lastChange(): Promise<number>;
  timeouts: DeskTimeouts;
  searchMillisecondsMax?: number | undefined;
}

export interface OpenedDeskIndex extends DeskIndex, AsyncDisposable {
  /** Starts updating the index before the first query. */
  start(): void;
}

/** Opens the editors' index. Its threads start on demand. */
export function openDeskIndex({
  log,
  types,
  lastChange,
  timeouts,
  searchMillisecondsMax,
  ...data
}: DeskIndexOptions): OpenedDeskIndex {
  clearUnfinishedIndex(data.file);
  const following = new DeskFollower(data, log, timeouts);
  const pool = { ...THREAD_POOL, file: data.file, log, searchMillisecondsMax };
  // Uses separate threads, because a name query takes a millisecond or two and must not wait for a
  // full-text search.
  const searchThreads = new SearchThreads<DeskQuery, DeskQueryResult>(pool);
  const nameThreads = new SearchThreads<DeskQuery, DeskQueryResult>(pool);
  const ask = async (threads: typeof searchThreads, question: DeskQuery) => {
    try {
      return await threads.search(question);
    } catch (error) {
      if (error instanceof DamageError) following.rebuild();
      throw error;
    }
  };
  const readList = async (query: ListQuery) => {
    const answer = await ask(searchThreads, { kind: "list", query });
    if (answer.kind !== "list") throw new Error(`A list was answered with ${answer.kind}`);
    return answer.page;
  };
  const isIndexCurrent = async () => await following.waitForChange(await lastChange());
  return {
    start: () => following.start(),
    async search(query) {
      const isCurrent = await isIndexCurrent();
      const answer = await ask(searchThreads, {
        kind: "search",
        query: searchQuery(await types(), query),
      });
      if (answer.kind !== "search") throw new Error(`A search was answered with ${answer.kind}`);
      return { ...foundPage(answer.page), isCurrent };
    },
    async list(query) {
      const isCurrent = await isIndexCurrent();
      const { items, total, next } = await readList(listQuery(await types(), query));
      const hits = items.map(({ path, type, summary }) => ({
        id: itemIdInDeskEntryPath(path),
        isNew: statusInDeskTypeName(type) === "new",
        snippet: summary,
      }));
      return {
        hits,
        total,
        totalIsExact: true,
        next,
        counts: {},
        correctedText: null,
        isCurrent,
      };
    },
    async linking(paths) {
      const isCurrent = await following.waitForChange(await lastChange(), { isForChange: true });
      const ids: string[] = [];
      for (const path of paths.slice(0, LINKED_PATHS_MAX)) {
        const { items } = await readList(linkingQuery(await types(), path));
        ids.push(...items.map((item) => itemIdInDeskEntryPath(item.path)));
      }
      return { ids: [...new Set(ids)], isCurrent };
    },
    async names({ text, limit, ...filter }) {
      const isCurrent = await isIndexCurrent();
      const query = { text, limit, types: deskTypeNames(await types(), filter) };
      const answer = await ask(nameThreads, { kind: "names", query });
      if (answer.kind !== "names") throw new Error(`Names were answered with ${answer.kind}`);
      return { ids: answer.ids, isCurrent };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([
        following[Symbol.asyncDispose](),
        searchThreads.close(),
        nameThreads.close(),
      ]);
      // Terminating the thread during a build leaves an unfinished index behind.
      clearUnfinishedIndex(data.file);
    },
  };
}

function searchQuery(types: ContentTypes, { text, limit, offset, ...filter }: DeskSearchQuery) {
  return { ...filterOf(types, filter), text, limit, offset };
}

function listQuery(types: ContentTypes, { after, ...query }: DeskListQuery): ListQuery {
  const { sort, descending, limit, ...filter } = query;
  return { ...filterOf(types, filter), sort, descending, limit, ...(after && { after }) };
}

function linkingQuery(types: ContentTypes, path: string): ListQuery {
  const filter: FieldFilter = {
    field: LINKED_PATHS_FIELD,
    operator: "eq",
    value: indexValueOfLink(path),
  };
  return {
    types: deskTypeNames(types, { types: [], statuses: DESK_STATUSES }),
    filters: [filter],
    links: [],
    sort: "title",
    descending: false,
    limit: LINKING_ITEMS_MAX,
  };
}

function filterOf(types: ContentTypes, filter: DeskFilter) {
  const { filters, hasDraft, linkedTo = [], language, updatedSince } = filter;
  const draftFilters: FieldFilter[] =
    hasDraft === undefined ? [] : [{ field: HAS_DRAFT_FIELD, operator: "eq", value: hasDraft }];
  return {
    types: deskTypeNames(types, filter),
    filters: [...filters, ...draftFilters],
    links: linkedTo.map(
      ({ item, relation }): LinkFilter => ({
        direction: "in",
        relation,
        anchors: [deskEntryPath(item)],
      }),
    ),
    ...(language === undefined ? {} : { language }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
  };
}

function foundPage(page: SearchPage): DeskResultPage {
  const counts: Partial<Record<DeskStatus, number>> = {};
  for (const [type, items] of Object.entries(page.counts)) {
    const status = statusInDeskTypeName(type);
    if (status !== undefined) counts[status] = (counts[status] ?? 0) + items;
  }
  const { total, totalIsExact, hasMore, correctedText } = page;
  const hits = page.hits.map(({ path, type, snippet }) => ({
    id: itemIdInDeskEntryPath(path),
    isNew: statusInDeskTypeName(type) === "new",
    snippet: snippet.replaceAll("\u0002", "").replaceAll("\u0003", ""),
  }));
  return { hits, total, totalIsExact, hasMore, counts, correctedText };
}
