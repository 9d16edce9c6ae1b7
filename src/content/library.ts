import type { Meaning } from "../search/meaning/meaning.ts";
import type { SiteProfile } from "./site/site.ts";
import type { ContentTypes, FieldKind, FieldValue } from "./types/content-type.ts";

/** The published target of a link. */
export interface LinkedItem {
  path: string;
  type: string;
  title: string;
  /** The link's source or reason, if stated. */
  note: string | null;
}

/** Length of an item's text in lists; one less if a surrogate pair would be cut. */
export const SUMMARY_TEXT_CHARACTERS_MAX = 1000;

/** Whether the text may be truncated. Quoting it would then be wrong. */
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
  /** The item's own links by relation name, in order; only to published targets. */
  publishedAt: string;
  updatedAt: string;
  /** The item's own links by relation name, in order; published targets only. */
  links: Readonly<Record<string, readonly LinkedItem[]>>;
  /** Numbers of related published items by relation view (`quotations`, `narrower`). */
  counts: Readonly<Record<string, number>>;
}

export interface PublishedItem extends ItemSummary {
  id: string;
  /** Whether an editor wrote the summary; otherwise it is the start of the text. */
  hasOwnSummary: boolean;
  /** The body rendered and sanitised; links within the site are root-relative; headings from h2. */
  html: string;
  /**
   * The body as portable Markdown: no raw HTML, headings from ##, absolute links to `.md` twins.
   */
  markdown: string;
  /** The other languages it is published in. */
  translations: readonly { language: string; path: string; title: string }[];
  /** Related items of the item's own type, by relation view, in the type's default order. */
  neighbours: Readonly<Record<string, readonly LinkedItem[]>>;
}

/** A file that something public shows. */
export interface PublicMedium {
  id: string;
  /** Media type. */
  type: string;
  name: string;
}

/** The answer for a path. Drafts are indistinguishable from unused paths. */
export type Resolution =
  | { kind: "item"; item: PublishedItem }
  | { kind: "moved"; to: string }
  /** On another site. */
  | { kind: "elsewhere"; url: string }
  | { kind: "gone"; title: string; type: string }
  | { kind: "absent" };

export interface FieldFilter {
  field: string;
  /** `eq` on any kind; `from` and `to` (both inclusive) on integers, numbers and dates. */
  operator: "eq" | "from" | "to";
  value: string | number | boolean;
}

/** Keeps items related to any of the anchors. */
export interface LinkFilter {
  /** `in`: the listed item links to the anchor; `out`: the anchor links to it. */
  direction: "out" | "in";
  relation: string;
  anchors: readonly string[];
}

/** Keyset cursor of a list page; opaque outside the service. */
export interface Position {
  value: string | number | null;
  row: number;
}

export interface ListQuery {
  /** Empty: any type. */
  types: readonly string[];
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  /** Leaves out items in these languages. */
  notLanguages?: readonly string[];
  /** ISO 8601, UTC; keeps items changed at or after. */
  updatedSince?: string;
  /**
   * `title`, `updated`, `added`, `count:<view>` (of incoming links) or a sortable field. Ties are
   * ordered by `added`, reversed when descending (counts: when ascending). Items without a value
   * come last in both directions.
   */
  sort: string;
  descending: boolean;
  limit: number;
  /** Either a cursor or a number of items to skip, not both. */
  after?: Position;
  offset?: number;
}

export interface ListPage<T = ItemSummary> {
  items: T[];
  total: number;
  /** Null on the last page. */
  next: Position | null;
}

/** Null at the ends of the list. */
export interface Neighbours {
  before: ItemSummary | null;
  after: ItemSummary | null;
}

export interface SearchQuery {
  text: string;
  types: readonly string[];
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  /** Leaves out items in these languages. */
  notLanguages?: readonly string[];
  limit: number;
  offset: number;
  /** An embedding of the text, if the operator configured a model; never supplied by a caller. */
  meaning?: Meaning;
  /** ISO 8601, UTC; keeps items changed at or after. */
  updatedSince?: string;
  /** Derived from an address, not a visitor's words: neither counted nor sent to a model. */
  isGuess?: true;
  /** Searches the text as typed: corrects no spelling. */
  isVerbatim?: true;
  /**
   * Counts the matches instead of listing them: `limit` and `offset` are of groups. With an empty text,
   * every item that passes the filters is counted.
   */
  countBy?: Grouping;
}

/** The property that items are counted by. */
export type Grouping =
  | { kind: "relation"; direction: "out" | "in"; relation: string; otherType: string }
  | { kind: "field"; field: string; valueKind: FieldKind }
  | { kind: "own"; column: "type" | "language" };

export interface GroupCount {
  /** Title of an item, or value of a field. */
  name: string;
  /** Null for values. */
  path: string | null;
  count: number;
}

export interface GroupCounts {
  /** Number of items counted. */
  items: number;
  /** Number of all groups. */
  groups: number;
  /** Number of items that belong to no group. */
  without: number;
  /** Largest group first. */
  counts: GroupCount[];
}

export interface SearchHit extends ItemSummary {
  /**
   * Plain text around the match, at most 300 characters; matches are enclosed in U+0002 and U+0003.
   */
  snippet: string;
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  /** False if `total` is a lower bound. */
  totalIsExact: boolean;
  hasMore: boolean;
  /** Matching items of each type; types without any are left out. Exact even where `total` is not. */
  counts: Readonly<Record<string, number>>;
  /**
   * The corrected query, if it was searched instead; repeat the query with `isVerbatim` for what was
   * typed.
   */
  correctedText: string | null;
  closeness: Closeness;
  /** Whether words were left out of the search because the text has too many. */
  isShortened: boolean;
  /** Items that the query names, in whole or in part; best first. */
  named: readonly NamedItem[];
  /** Null unless the query has `countBy`; counts the best 5,000 matches. */
  groups: GroupCounts | null;
}

/**
 * How close the best match is: `named`, its title or alias equals the query; `close`, it contains
 * most of the query; `distant`, it shares only some words.
 */
export type Closeness = "named" | "close" | "distant";

export interface NamedItem {
  path: string;
  type: string;
  title: string;
}

/** An entry of the full index: sitemap, llms.txt, resources. */
export interface IndexEntry {
  /** Pass it as `after` to continue after this entry. */
  position: string;
  path: string;
  type: string;
  title: string;
  summary: string;
  language: string;
  updatedAt: string;
}

export interface IndexOptions {
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
 * answers. Reads take microseconds on a local file, hence no promises; search may take longer and
 * is asynchronous.
 */
export interface ReadingCopy {
  site(): SiteProfile;
  types(): ContentTypes;
  /** Also former addresses with a query (`/?p=12`), and patterns themselves (`/blog/*`). */
  resolve(path: string): Resolution;
  /** Null if no public page shows the file. */
  medium(id: string): PublicMedium | null;
  list(query: ListQuery): ListPage;
  /** The items of `list`, without counting the others. */
  items(query: ListQuery): ItemSummary[];
  /** The neighbours of a published item in a list that it belongs to, sorted by a field. */
  around(path: string, query: Omit<ListQuery, "limit">): Neighbours;
  /**
   * Streams everything published, by type in the order of `types()`, then by `added`. `after` is
   * the position of an entry, which may no longer exist; `offset` skips entries.
   */
  index(options?: IndexOptions): Iterable<IndexEntry>;
  /** The item of an index entry; null if it has been withdrawn since. */
  itemOf(entry: IndexEntry): PublishedItem | null;
  /** Published items by type name; types without items are 0. */
  counts(): Readonly<Record<string, number>>;
  ranges(type: string): FieldRange[];
  /** ISO 8601 of the latest change to anything published. */
  updatedAt(): string;
  /** Changes whenever anything published changes, in any process. */
  version(): number;
  /** @throws {AppError} `invalid` for a malformed query, `unavailable` on timeout. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Published items with a similar title or path, best first; for 404s and names. */
  similar(text: string, options: { type?: string; limit: number }): ItemSummary[];
  /** Published items whose title or alias starts with or equals the text, ignoring case. */
  named(text: string, options: { type: string; exact: boolean; limit: number }): ItemSummary[];
  /**
   * Whether exactly one published item has this title or alias, ignoring case, among the types that
   * relations lead to.
   */
  hasUniqueName(name: string): boolean;
}
