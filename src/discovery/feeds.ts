import type { ItemSummary, ListQuery, ReadingCopy } from "../content/library.ts";
import { buildLatestFirstQuery, isDated } from "../content/lists/dated-lists.ts";
import { findTypeAndEditionByListPath } from "../content/lists/sections.ts";
import { type Edition, editionPath, editionsOf } from "../content/site/editions.ts";
import type { ContentType } from "../content/types/content-type.ts";
import { relationViews } from "../content/types/relation-views.ts";

/** The content of a feed, independent of its format. */
export interface Feed {
  title: string;
  description: string;
  /** Path of the page the feed belongs to. */
  path: string;
  language: string;
  /** ISO 8601, UTC: the latest change to the content of the feed. */
  updatedAt: string;
  entries: readonly ItemSummary[];
}

const ENTRIES_MAX = 30;

/** The paths of a page's feeds, which are below the page's own path. */
export function feedPaths(path: string): { atom: string; json: string } {
  const base = path === "/" ? "" : path;
  return { atom: `${base}/feed.atom`, json: `${base}/feed.json` };
}

/** The path of the page whose feed or calendar is requested, such as `/topics/time` or `/de/topics/zeit`. */
export function pagePathFromMatch({ path }: Readonly<Record<string, string>>): string {
  return `/${path}`;
}

/**
 * Whether items of this type have feeds. The feed of an item shows the items of other types that link to it,
 * so other types must be able to link to this type.
 */
export function hasItemFeeds(reading: ReadingCopy, type: ContentType): boolean {
  return type.listPath !== null && followedViews(reading, type.name).length > 0;
}

/**
 * The feed of a dated type's list, latest items first; null if the path is not that of such a list.
 */
function listFeed(reading: ReadingCopy, path: string): Feed | null {
  const list = findTypeAndEditionByListPath(reading, path);
  if (list === null || !isDated(list.type)) return null;
  const { type, edition } = list;
  const items = reading.items({
    ...buildLatestFirstQuery(type, edition.languageFilter),
    limit: ENTRIES_MAX,
  });
  const updatedAt =
    items
      .map((item) => item.updatedAt)
      .sort()
      .at(-1) ?? reading.updatedAt();
  return {
    title: `${type.plural} – ${edition.site.name}`,
    description: type.description,
    path,
    language: edition.language,
    updatedAt,
    entries: items,
  };
}

/** The feed of the latest changes of an edition. */
export function buildEditionFeed(reading: ReadingCopy, edition: Edition): Feed {
  const { site, language, languageFilter } = edition;
  const entries = latest(reading, { types: [], links: [], ...languageFilter });
  const updatedAt = entries[0]?.updatedAt ?? reading.updatedAt();
  const path = editionPath(edition, "/");
  return { title: site.name, description: site.description, path, language, updatedAt, entries };
}

/** The feed of a list, an item or the home page of an edition; null if the page has no feed. */
export function buildPageFeed(reading: ReadingCopy, path: string): Feed | null {
  const home = editionsOf(reading).find((edition) => editionPath(edition, "/") === path);
  if (home !== undefined) return buildEditionFeed(reading, home);
  return itemFeed(reading, path) ?? listFeed(reading, path);
}

/** The feed of an item, such as a topic or an author: the latest items that link to it. */
function itemFeed(reading: ReadingCopy, path: string): Feed | null {
  const resolution = reading.resolve(path);
  if (resolution.kind !== "item") return null;
  const { item } = resolution;
  const type = reading.types().get(item.type);
  if (type === undefined || !hasItemFeeds(reading, type)) return null;
  const found = followedViews(reading, item.type).flatMap(({ otherType, relation }) =>
    latest(reading, {
      types: [otherType],
      links: [{ direction: "in", relation, anchors: [path] }],
    }),
  );
  // An item can link to the page by several relations, as the author and the editor of a book.
  const entries = [...new Map(found.map((entry) => [entry.path, entry])).values()]
    .sort((a, b) => compare(b.updatedAt, a.updatedAt) || compare(a.path, b.path))
    .slice(0, ENTRIES_MAX);
  return {
    title: `${item.title} – ${reading.site().name}`,
    description: item.summary,
    path,
    language: item.language,
    updatedAt: entries[0]?.updatedAt ?? item.updatedAt,
    entries,
  };
}

function followedViews(reading: ReadingCopy, typeName: string) {
  return relationViews(reading.types(), typeName).filter(
    ({ direction, otherType }) => direction === "in" && otherType !== typeName,
  );
}

function latest(
  reading: ReadingCopy,
  selection: Pick<ListQuery, "types" | "links" | "language" | "notLanguages">,
): ItemSummary[] {
  const query = { ...selection, filters: [], sort: "updated", descending: true };
  return reading.items({ ...query, limit: ENTRIES_MAX });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
