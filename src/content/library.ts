import type { Meaning } from "../search/meaning/meaning.ts";
import type { SiteProfile } from "./site/site.ts";
import type { ContentTypes, FieldValue } from "./types/content-type.ts";

/** A published item another one points at. */
export interface LinkedItem {
  path: string;
  type: string;
  title: string;
  /** On what basis the link stands, where its editor said so. */
  note: string | null;
}

/** How much of an item's text lists show; a whole last character may make it one less. */
export const SUMMARY_TEXT_CHARACTERS_MAX = 1000;

/** May the text go on in the item itself? Half a quotation is a wrong one. */
export function isPerhapsCut({ text }: Pick<ItemSummary, "text">): boolean {
  return text.length >= SUMMARY_TEXT_CHARACTERS_MAX - 1;
}

/** A published item as lists and search results show it. */
export interface ItemSummary {
  path: string;
  type: string;
  title: string;
  /** The editor's summary, or else the start of the text; plain text, at most 300 characters. */
  summary: string;
  /** The body as plain text, cut at `SUMMARY_TEXT_CHARACTERS_MAX`. */
  text: string;
  fields: Readonly<Record<string, FieldValue>>;
  language: string;
  /** ISO 8601, UTC. */
  publishedAt: string;
  updatedAt: string;
  /** What the item itself states, by relation name, in order; published items only. */
  links: Readonly<Record<string, readonly LinkedItem[]>>;
  /** How many published items are related to it, by relation view name (`quotations`, `narrower`). */
  counts: Readonly<Record<string, number>>;
}

export interface PublishedItem extends ItemSummary {
  id: string;
  /** Did an editor write the summary, or is it the start of the text? */
  hasOwnSummary: boolean;
  /** The body rendered and sanitised; links within the site are root-relative; headings from h2. */
  html: string;
  /** The body as portable Markdown: no raw HTML, headings from ##, absolute links to `.md` twins. */
  markdown: string;
  /** The other languages it is published in. */
  translations: readonly { language: string; path: string; title: string }[];
  /** Items of its own kind that are related to it from either end, by relation view, in their order. */
  neighbours: Readonly<Record<string, readonly LinkedItem[]>>;
}

/** What a path answers. Drafts and paths never used look alike. */
export type Resolution =
  | { kind: "item"; item: PublishedItem }
  | { kind: "moved"; to: string }
  | { kind: "gone"; title: string; type: string }
  | { kind: "absent" };

export interface FieldFilter {
  field: string;
  /** `eq` on any kind; `from` and `to` (both inclusive) on integers, numbers and dates. */
  operator: "eq" | "from" | "to";
  value: string | number | boolean;
}

/** Keeps items that stand in a relation with any of the anchors. */
export interface LinkFilter {
  /** `in`: the listed item states the relation of the anchor; `out`: the anchor states it. */
  direction: "out" | "in";
  relation: string;
  anchors: readonly string[];
}

/** Where a page of a list ended; opaque to callers of the doors. */
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
  /** ISO 8601, UTC; keeps items changed at or after. */
  updatedSince?: string;
  /**
   * `title`, `updated`, `added`, `count:<view>` (of a view others state) or a sortable field. Ties
   * stand in the order of `added`, reversed when descending (counts: when ascending); items without
   * a value come last either way.
   */
  sort: string;
  descending: boolean;
  limit: number;
  /** Continue after this position, or skip this many items: not both. */
  after?: Position;
  offset?: number;
}

export interface ListPage<T = ItemSummary> {
  items: T[];
  total: number;
  /** Null on the last page. */
  next: Position | null;
}

export interface SearchQuery {
  text: string;
  types: readonly string[];
  filters: readonly FieldFilter[];
  links: readonly LinkFilter[];
  language?: string;
  limit: number;
  offset: number;
  /** What the text means, by a model the operator named; never from a caller. */
  meaning?: Meaning;
  /** Made from an address: nobody asked in these words, so they are neither noted nor sent on. */
  isGuess?: true;
}

export interface SearchHit extends ItemSummary {
  /** Plain text around the match, at most 300 characters; matches stand between U+0002 and U+0003. */
  snippet: string;
}

export interface SearchPage {
  hits: SearchHit[];
  total: number;
  /** False: there are more than `total`. */
  totalIsExact: boolean;
  hasMore: boolean;
  /** The query with misspelled words replaced, when that was searched instead. */
  correctedText: string | null;
}

/** A line of an index of everything: sitemap, llms.txt, resources. */
export interface IndexEntry {
  /** Where the entry stands; given as `after`, the index continues behind it. */
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

/** Values a field takes among published items. */
export interface FieldRange {
  field: string;
  min: string | number | null;
  max: string | number | null;
}

/**
 * The reading copy: published items and nothing else. The only source of every public page, document
 * and tool answer. Reads are answered from this machine, within microseconds, hence no promises;
 * search may take longer and runs apart.
 */
export interface ReadingCopy {
  site(): SiteProfile;
  types(): ContentTypes;
  resolve(path: string): Resolution;
  list(query: ListQuery): ListPage;
  /**
   * Everything published, by type in the order of `types()`, then as `added`; streamed, so a million
   * entries are fine. `after` is the position of an entry, also of one gone since; `offset` skips.
   */
  index(options?: IndexOptions): Iterable<IndexEntry>;
  /** Published items by type name; types without items are 0. */
  counts(): Readonly<Record<string, number>>;
  ranges(type: string): FieldRange[];
  /** ISO 8601 of the latest change to anything published. */
  updatedAt(): string;
  /** Changes whenever anything published changes, also by another process. */
  version(): number;
  /** @throws {AppError} `invalid` for a faulty query, `unavailable` for one that takes too long. */
  search(query: SearchQuery): Promise<SearchPage>;
  /** Published items whose title or path resembles the text, best first; for 404s and names. */
  similar(text: string, options: { type?: string; limit: number }): ItemSummary[];
  /** Published items whose title or alias starts with or equals the text, without regard to case. */
  named(text: string, options: { type: string; exact: boolean; limit: number }): ItemSummary[];
}
