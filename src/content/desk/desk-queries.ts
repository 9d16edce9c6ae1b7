import type { Item, Status } from "../items/item.ts";
import type { FieldFilter, ListPosition } from "../library.ts";

/** `new`: a draft of an item that does not exist yet. */
export type DeskStatus = Status | "new";

/**
 * Selects entries of the editors' index, which has one entry for each item and for each draft of a new
 * item.
 */
export interface DeskFilter {
  /** Types to list; empty: all types. */
  types: readonly string[];
  statuses: readonly DeskStatus[];
  /** BCP 47; `en` also matches `en-GB`. */
  language?: string;
  filters: readonly FieldFilter[];
  /** True selects entries with a draft; false selects entries without one. */
  hasDraft?: boolean;
  /** Selects entries that have, for each of these pairs, a link to `item` by `relation`. */
  linkedTo?: readonly { item: Pick<Item, "id" | "path">; relation: string }[];
  /** ISO 8601, UTC. */
  updatedSince?: string;
}

export interface DeskSearchQuery extends DeskFilter {
  text: string;
  limit: number;
  offset: number;
}

/** Entries sorted by a property or field; see `ListQuery.sort`. */
export interface DeskListQuery extends DeskFilter {
  sort: string;
  descending: boolean;
  limit: number;
  /** The position of the entry after which the page starts; absent: the first page. */
  after?: ListPosition | undefined;
}

export interface ItemNameQuery {
  text: string;
  types: readonly string[];
  statuses: readonly Status[];
  limit: number;
}

/** A matching item, or the draft of an item that does not exist yet. */
export interface DeskHit {
  /** Id of the item, or of the draft if `isNew`. */
  id: string;
  isNew: boolean;
  /** Plain text around the match, at most 300 characters. */
  snippet: string;
}

export interface DeskResultPage {
  hits: DeskHit[];
  total: number;
  /** False if `total` is a lower bound. */
  totalIsExact: boolean;
  hasMore: boolean;
  /** Number of matches, keyed by status. Counts only matches with the types and statuses of the query. */
  counts: Readonly<Partial<Record<DeskStatus, number>>>;
  /** The spelling-corrected text, if it was searched instead of the original. */
  correctedText: string | null;
}

/** A page of a sorted list. */
export interface DeskListPage extends Omit<DeskResultPage, "hasMore"> {
  /** The position of the last entry; null on the last page. */
  next: ListPosition | null;
}

/** Whether the result includes everything that was committed before the query. */
export interface IndexFreshness {
  isCurrent: boolean;
}

/**
 * The editors' index: all items in every status with their drafts, in a file that is kept up to date with
 * the record. Separate threads query the file, so that no query delays a page.
 */
export interface DeskIndex {
  /** @throws {AppError} `invalid` for a malformed query; `unavailable` when the index is busy or being built. */
  search(query: DeskSearchQuery): Promise<DeskResultPage & IndexFreshness>;
  /** @throws {AppError} as {@link DeskIndex.search}. */
  list(query: DeskListQuery): Promise<DeskListPage & IndexFreshness>;
  /**
   * At most 1,000 items whose texts or drafts link to one of these paths of the site.
   * @throws {AppError} as {@link DeskIndex.search}.
   */
  linking(paths: readonly string[]): Promise<{ ids: string[] } & IndexFreshness>;
  /**
   * Items found by name, best first. Items whose title or alias starts with the text, or has a word that
   * starts with the text, come before items with a similar name.
   * @throws {AppError} as {@link DeskIndex.search}.
   */
  names(query: ItemNameQuery): Promise<{ ids: string[] } & IndexFreshness>;
}
