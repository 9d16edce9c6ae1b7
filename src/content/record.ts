import type { AuditEntry } from "../access/audit.ts";
import type { DraftedItemParts } from "./drafts/draft.ts";
import type { Item, ItemOutline, Status } from "./items/item.ts";
import type { SiteProfile } from "./site/site.ts";
import type { ContentType, ContentTypes, FieldValue } from "./types/content-type.ts";

export interface ItemReference {
  id: string;
  type: string;
}

/** The item that owns a path. */
export interface PathOwner {
  itemId: string;
  /** False if the path is a former path of the item. */
  isCurrent: boolean;
  /** Whether the path was ever public. Such a path belongs to its item permanently. */
  wasPublic: boolean;
}

/** An address of a former site that redirects to a page of this site or to another site, or answers 410. */
export interface Redirect {
  id: string;
  /** A path, a path with a query (`/?p=12`), or a pattern for everything below a folder (`/blog/*`). */
  from: string;
  /**
   * An item, which stays the target even if its path changes; the path of a page that is not an item; or a
   * URL on another site. If `from` is a pattern, `path` or `url` can contain `:splat`. Null: the address
   * answers 410.
   */
  to: { itemId: string } | { path: string } | { url: string } | null;
  /** The deleted item that owned the path; it regains the path when the redirect is removed. */
  displacedId: string | null;
  createdAt: string;
  createdBy: string;
}

/** The state that the last import gave for an item: the base of the three-way merge in the next import. */
export interface ImportBase {
  itemId: string;
  revision: number;
  /** The parts of the item as the import gave them; null if they equal the parts of `revision`. */
  stated: DraftedItemParts | null;
}

/** The settings and types that the last import of a site folder stated. */
export interface SiteImportBase {
  /** The settings and types by name, such as `contact.email` and `types.event`. */
  parts: DraftedItemParts;
  typeOrder: readonly string[];
}

/** A saved state of an item. */
export interface Revision {
  item: Item;
  /** ISO 8601, UTC. */
  at: string;
  actor: string;
  action: string;
}

export interface TypeCount {
  type: string;
  status: Status;
  items: number;
}

/** Reads content in every status. */
export interface ContentReader {
  item(id: string): Promise<Item | null>;
  /** The item with this current or former path. */
  itemAt(path: string): Promise<Item | null>;
  itemBySourceKey(sourceKey: string): Promise<Item | null>;
  /** Newest first. */
  revisions(itemId: string): Promise<Revision[]>;
  revision(itemId: string, revision: number): Promise<Revision | null>;
  /** Scheduled items that are due, earliest first. */
  due(now: Date, limit: number): Promise<Item[]>;
  /** Published items that have expired, earliest first. */
  expired(now: Date, limit: number): Promise<Item[]>;
  /**
   * The original and its translations, sorted by language. Excludes deleted items and the item
   * `except`.
   */
  translations(originalId: string, except?: string): Promise<ItemOutline[]>;
  /** Items of these types with a value for a field, except deleted ones. */
  itemsWithField(
    types: readonly string[],
    field: string,
  ): Promise<{ item: ItemOutline; value: FieldValue }[]>;
  redirect(id: string): Promise<Redirect | null>;
  redirectAt(path: string): Promise<Redirect | null>;
  /** Whether a file of the site has this path. */
  hasFile(path: string): Promise<boolean>;
  /** Whether a published item shows the file with this path. In a dry run, the file itself need not exist. */
  showsFile(path: string): Promise<boolean>;
  /** Items deleted before a time and not purged yet, at most `limit`. */
  purgeable(deletedBefore: Date, limit: number): Promise<Item[]>;
  /** The last time at which the clock could be trusted, ISO 8601 in UTC; null for a new record. */
  lastTrustedTime(): Promise<string | null>;
  /** Null until the site profile is saved. It must be saved before the first item. */
  site(): Promise<SiteProfile | null>;
  /** The built-in types, and the types that the site declares. */
  types(): Promise<ContentTypes>;
  /** The number of items by type and status. */
  typeCounts(): Promise<TypeCount[]>;
}

/**
 * The source of truth for content. `write` runs a change as one transaction, serialised with others, and
 * resolves once the change is on disk. A change that throws is rolled back. Inside the change, use only its
 * transaction, because a call on the record would deadlock.
 */
export interface ContentRecord extends ContentReader {
  write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T>;
}

/**
 * A transaction is itself a record. Its `write` runs a nested change within the same transaction.
 * If a nested change throws before its first `put`, it has no effect, and the transaction may
 * continue. If it throws after a `put`, the whole transaction is rolled back. On commit the changes
 * are projected into the reading copy.
 */
export interface ContentTransaction extends ContentRecord {
  /** The public origin of the site. */
  readonly origin: string;
  /**
   * Looks up items by current or former path (starting with `/`), id or source key; omits unknown
   * names.
   */
  references(names: readonly string[]): Promise<ReadonlyMap<string, ItemReference>>;
  claim(path: string): Promise<PathOwner | null>;
  /** Null if the item was never imported. */
  importBase(itemId: string): Promise<ImportBase | null>;
  putImportBase(base: ImportBase): Promise<void>;
  /** `read` returns null if no import has stated settings. */
  siteBase: { read(): Promise<SiteImportBase | null>; put(base: SiteImportBase): Promise<void> };
  /**
   * Stores a new state of an item with its revision and audit entry, and claims its path. A former path
   * that was public remains an address of the item; any other former path is released.
   */
  put(item: Item, change: ItemChange): Promise<void>;
  /**
   * Runs a change that saves many items, and groups its queries. `lookups` lists what to look up in
   * advance.
   */
  batch<T>(
    lookups: BatchLookups,
    change: (transaction: ContentTransaction) => Promise<T>,
  ): Promise<T>;
  /** The target item must be saved before the redirect. */
  putRedirect(redirect: Redirect, entry: AuditEntry): Promise<void>;
  removeRedirect(redirect: Redirect, entry: AuditEntry): Promise<void>;
  /** Erases a deleted item and its revisions; its public path stays claimed. */
  purge(item: Item, entry: AuditEntry): Promise<void>;
  /** The current paths of all items of a type, in every status. */
  pathsOfType(type: string): Promise<{ id: string; path: string }[]>;
  saveSite(
    profile: SiteProfile,
    declaredTypes: readonly ContentType[],
    entry: AuditEntry,
  ): Promise<void>;
}

/**
 * Everything that the items of a batch refer to. `batch` looks it up in advance, with few queries.
 */
export interface BatchLookups {
  sourceKeys: readonly string[];
  /** Paths the items will probably get. */
  paths: readonly string[];
  /** Link targets, as for {@link ContentTransaction.references}. */
  targets: readonly string[];
  /** Texts of the items. */
  bodies: readonly string[];
}

/**
 * The cause of a new state of an item: who changed it, when and how. The audit log has one entry for each
 * change.
 */
export interface ItemChange {
  before: Item | null;
  /** ISO 8601, UTC. */
  at: string;
  actor: string;
  /** Name of the action, such as `content.publish`. */
  action: string;
  requestId: string | null;
}

/** Runs a change as a dry run on the current content. */
export type DryRunner = <T>(change: (content: ContentRecord) => Promise<T>) => Promise<T>;
