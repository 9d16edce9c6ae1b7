import type { Embedding } from "../search/meaning/embedding.ts";
import type { CreatorCount, CreatorQuery } from "./lists/creators.ts";
import type { GroupCounts, GroupingProperty } from "./lists/group-counts.ts";
import type { SiteProfile } from "./site/site.ts";
import type { ContentTypes, FieldValue } from "./types/content-type.ts";

/** The published target of a link. */
export interface LinkedItem {
  path: string;
  type: string;
  title: string;
  /** The editor's note on the link, such as its source or the reason for it; null if there is none. */
  note: string | null;
}

/**
 * Maximum length of an item's text in lists. A text is one character shorter if the cut would split
 * a surrogate pair.
 */
export const SUMMARY_TEXT_CHARACTERS_MAX = 1000;

/** Whether the text may have been truncated. Such a text must not be presented as the whole item. */
export function mayBeTruncated({ text }: Pick<ItemSummary, "text">): boolean {
  return text.length >= SUMMARY_TEXT_CHARACTERS_MAX - 1;
}

/** A published item in lists and search results. */
export interface ItemSummary {
  path: string;
  type: string;
  title: string;
  /** The editor's summary, or else the start of the text; plain text, at most 300 characters. */
  summary: string;
  /**
   * The body as plain text, cut at `SUMMARY_TEXT_CHARACTERS_MAX`; lines of verse end with a line feed,
   * paragraphs with two.
   */
  text: string;
  fields: Readonly<Record<string, FieldValue>>;
  language: string;
  publishedAt: string;
  updatedAt: string;
  /** The published targets of the item's own links, in the item's order, keyed by relation name. */
  links: Readonly<Record<string, readonly LinkedItem[]>>;
  /** Counts of published related items, keyed by relation as seen from this item, such as `quotations`. */
  counts: Readonly<Record<string, number>>;
}

export interface PublishedItem extends ItemSummary {
  id: string;
  /** Whether an editor wrote the summary; otherwise it is the start of the text. */
  hasOwnSummary: boolean;
  /** The body as sanitised HTML. Links within the site are root-relative, and headings start at h2. */
  html: string;
  /**
   * The body as portable Markdown, without raw HTML. Headings start at ##; links are absolute and
   * lead to the `.md` versions of pages.
   */
  markdown: string;
  /** The published translations of this item. */
  translations: readonly { language: string; path: string; title: string }[];
  /** Related items of the same type in default order, keyed by the relation as seen from this item. */
  neighbours: Readonly<Record<string, readonly LinkedItem[]>>;
}

export interface PublicMediaFile {
  id: string;
  /** Media type. */
  type: string;
  name: string;
  /** Width in pixels; null, like `height`, for pictures without intrinsic size and for other files. */
  width: number | null;
  height: number | null;
  /** The default alternative text, for uses of the picture that give none. */
  alt: string;
  /** Name to credit, or empty. */
  credit: string;
  bytes: number;
}

/** The result for a path. The path of a draft gives the same result as an unused path. */
export type PathResolution =
  | { kind: "item"; item: PublishedItem }
  | { kind: "moved"; to: string }
  /** The path redirects to a URL on another site. */
  | { kind: "elsewhere"; url: string }
  /** `title` and `type` of the withdrawn item; null for an address of a former site. */
  | { kind: "gone"; title: string | null; type: string | null }
  | { kind: "absent" };

export interface FieldFilter {
  field: string;
  /**
   * `eq` works for every kind of field; `from` and `to` (both inclusive) only for integers, numbers
   * and dates.
   */
  operator: "eq" | "from" | "to";
  value: string | number | boolean;
}

/** Selects items that are related to at least one of the `anchors`, which are paths of items. */
export interface LinkFilter {
  /** `in`: the listed item links to the anchor; `out`: the anchor links to the listed item. */
  direction: "out" | "in";
  relation: string;
  anchors: readonly string[];
}

/** Keyset cursor of a list page; opaque outside the service. */
export interface ListPosition {
  value: string | number | null;
  row: number;
}

export interface ListQuery {
  /** Types to list; empty: all types. */
  types: readonly string[];
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  notLanguages?: readonly string[];
  /** ISO 8601, UTC; selects items changed at or after this time. */
  updatedSince?: string;
  /** Leaves out the items at these paths. */
  exceptPaths?: readonly string[];
  /**
   * `title`, `updated`, `added`, a sortable field, or `count:<view>`, the number of incoming links.
   * Items with equal values are ordered by `added` in the direction of the sort; for counts, in the
   * opposite direction. Items without a value always come last.
   */
  sort: string;
  descending: boolean;
  limit: number;
  /** A query has either `after`, a cursor, or `offset`, a number of items to skip. */
  after?: ListPosition;
  offset?: number;
}

export interface ListPage<T = ItemSummary> {
  items: T[];
  total: number;
  /** The cursor for the next page; null on the last. */
  next: ListPosition | null;
}

/** The items before and after an item in a list; null at the ends of the list. */
export interface AdjacentItems {
  before: ItemSummary | null;
  after: ItemSummary | null;
}

export interface SearchQuery {
  text: string;
  types: readonly string[];
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  notLanguages?: readonly string[];
  limit: number;
  offset: number;
  /** An embedding of the text, if the operator configured a model; never supplied by a caller. */
  meaning?: Embedding;
  /** ISO 8601, UTC; selects items changed at or after this time. */
  updatedSince?: string;
  /**
   * Set if the text is derived from a URL rather than typed by a visitor. The search is then
   * neither recorded in the statistics nor sent to a model.
   */
  isDerivedFromUrl?: true;
  /** Searches the text as typed, without correcting its spelling. */
  isVerbatim?: true;
  /**
   * If set, the result has the number of matches in each group instead of the matches. `limit` and
   * `offset` apply to groups. With an empty text, the groups contain every item that passes the
   * filters.
   */
  countBy?: GroupingProperty;
}

export interface SearchHit extends ItemSummary {
  /**
   * Plain text around the match, at most 300 characters, with its line breaks. Matches are enclosed in U+0002
   * and U+0003.
   */
  snippet: string;
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  /** False if `total` is a lower bound. */
  totalIsExact: boolean;
  hasMore: boolean;
  /** Numbers of matches, keyed by type; exact even if `total` is not. Types without matches are omitted. */
  counts: Readonly<Record<string, number>>;
  /**
   * The spelling-corrected text, if it was searched instead of the original; set `isVerbatim` to
   * search the original.
   */
  correctedText: string | null;
  closeness: MatchCloseness;
  /** Whether the search ignored some words because the text has too many. */
  isShortened: boolean;
  /** Items whose name, or a part of it, occurs in the query; best first. */
  named: readonly NamedItem[];
  /** The groups of the best 5,000 matches; null unless the query has `countBy`. */
  groups: GroupCounts | null;
}

/**
 * How close the best match is. `named`: its title or alias equals the query; `close`: it contains
 * most of the query; `distant`: it shares only some words with the query.
 */
export type MatchCloseness = "named" | "close" | "distant";

export interface NamedItem {
  path: string;
  type: string;
  title: string;
}

/** An entry of the index of all published items, as in the sitemap and llms.txt. */
export interface PublishedIndexEntry {
  /** The value of `after` that continues the index after this entry. */
  cursor: string;
  path: string;
  type: string;
  title: string;
  summary: string;
  language: string;
  updatedAt: string;
}

export interface PublishedIndexOptions {
  type?: string;
  after?: string;
  offset?: number;
  limit?: number;
}

/** The range of a field's values among published items. */
export interface FieldRange {
  field: string;
  min: string | number | null;
  max: string | number | null;
}

/**
 * The reading copy: only published items, and the only source of public pages, documents and tool
 * answers. Reads of the local file take microseconds and are synchronous; search may take longer and
 * is asynchronous.
 */
export interface ReadingCopy {
  site(): SiteProfile;
  types(): ContentTypes;
  /**
   * Resolves a path. Also follows former addresses with a query (`/?p=12`) and redirect patterns
   * (`/blog/*`).
   */
  resolve(path: string): PathResolution;
  /** The public file with this id; null if there is none. */
  medium(id: string): PublicMediaFile | null;
  list(query: ListQuery): ListPage;
  /** Like `list`, but returns only the items of the page, without the total. */
  items(query: ListQuery): ItemSummary[];
  /** The items before and after a published item in a list. The list must contain the item and be sorted by a field. */
  adjacentItems(path: string, query: Omit<ListQuery, "limit">): AdjacentItems;
  /** The creators of the items that a query selects. Sorted by number of items, then by best item. */
  creators(query: CreatorQuery): CreatorCount[];
  /**
   * Streams all published items: by type in the order of `types()`, and within a type by `added`.
   * `after` is the cursor of an entry, even if that entry no longer exists; `offset` is a number of
   * entries to skip.
   */
  index(options?: PublishedIndexOptions): Iterable<PublishedIndexEntry>;
  /** The item of an index entry; null if it has been withdrawn in the meantime. */
  itemOf(entry: PublishedIndexEntry): PublishedItem | null;
  /** Numbers of published items, keyed by type name; 0 for types without items. */
  counts(): Readonly<Record<string, number>>;
  ranges(type: string): FieldRange[];
  /** The time of the latest change to anything published, in ISO 8601. */
  updatedAt(): string;
  /** A number that changes whenever anything published changes, in any process. */
  version(): number;
  /** @throws {AppError} `invalid` for a malformed query, `unavailable` on timeout. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Published items with a similar title or path, best first: suggestions for a missing page or name. */
  similar(text: string, options: { type?: string; limit: number }): ItemSummary[];
  /** Items whose title or alias starts with the text, or equals it if `isExact`, ignoring case. */
  itemsByName(
    text: string,
    options: { type: string; isExact: boolean; limit: number },
  ): ItemSummary[];
  /**
   * Whether exactly one item has this title or alias, ignoring case. Considers only types that are
   * targets of relations.
   */
  hasUniqueName(name: string): boolean;
}
