import type { AuditEntry } from "../access/audit.ts";
import type { Item, ItemOutline, Status } from "./items/item.ts";
import type { SiteProfile } from "./site/site.ts";
import type { ContentType, ContentTypes, FieldValue } from "./types/content-type.ts";

/** Enough of an item to point at it. */
export interface ItemReference {
  id: string;
  type: string;
}

/** Which item a path belongs to. */
export interface PathClaim {
  itemId: string;
  /** False: the item stood here once and has moved. */
  isCurrent: boolean;
  /** Did the path ever answer the public? Such a path stays with its item for ever. */
  wasPublic: boolean;
}

/** An address of a former site that administrators lead to a page of this one. */
export interface Redirect {
  id: string;
  from: string;
  /** An item, wherever it stands, or the path of a page that is no item. */
  to: { itemId: string } | { path: string };
  /** The deleted item whose path it was, and is again without the redirect. */
  displacedId: string | null;
  createdAt: string;
  createdBy: string;
}

/** A saved state of an item. */
export interface Revision {
  item: Item;
  /** ISO 8601, UTC. */
  at: string;
  actor: string;
  action: string;
}

/** How many items of a type have a status. */
export interface TypeCount {
  type: string;
  status: Status;
  items: number;
}

/** What the record knows of content, in every status. */
export interface ContentReader {
  item(id: string): Promise<Item | null>;
  /** The item that stands at a path or stood there before it moved. */
  itemAt(path: string): Promise<Item | null>;
  itemFrom(sourceKey: string): Promise<Item | null>;
  /** Latest first. */
  revisions(itemId: string): Promise<Revision[]>;
  revision(itemId: string, revision: number): Promise<Revision | null>;
  /** Scheduled items whose time has come, at most `limit`, earliest first. */
  due(now: Date, limit: number): Promise<Item[]>;
  /** The original and everything that translates it, by language; without one, and what was deleted. */
  translations(originalId: string, except?: string): Promise<ItemOutline[]>;
  /** Items of types that state a field, deleted ones left out, with what they state. */
  itemsWithField(
    types: readonly string[],
    field: string,
  ): Promise<{ item: ItemOutline; value: FieldValue }[]>;
  redirect(id: string): Promise<Redirect | null>;
  redirectAt(path: string): Promise<Redirect | null>;
  /** Items deleted before a time that still have their texts, at most `limit`. */
  purgeable(deletedBefore: Date, limit: number): Promise<Item[]>;
  /** Null: nothing has been said of the site yet, which comes before the first item. */
  site(): Promise<SiteProfile | null>;
  /** The built-in types and those the site declares. */
  types(): Promise<ContentTypes>;
  /** How many items there are, by type and status. */
  typeCounts(): Promise<TypeCount[]>;
}

/**
 * The truth about content. `write` runs a change as one transaction, after those before it, and
 * resolves when it is on disk; if the change throws, nothing of it remains. Inside the change use
 * only the transaction it is given: the record itself would wait for the change to end.
 */
export interface ContentRecord extends ContentReader {
  write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T>;
}

/**
 * A transaction is a record itself: `write` within it is a part of it. A part that throws before it
 * puts anything changes nothing, and the rest may go on; one that throws later undoes everything.
 * At its end, what it put is projected into the reading copy, in the same transaction.
 */
export interface ContentTransaction extends ContentRecord {
  /** A new UUIDv7. */
  newId(now: Date): string;
  /** Items by path (starts with `/`), also one they moved from, by id or by source key, those found. */
  references(names: readonly string[]): Promise<ReadonlyMap<string, ItemReference>>;
  claim(path: string): Promise<PathClaim | null>;
  /**
   * Keeps a new state of an item with its revision and audit entry. The item's path becomes its own;
   * a path it leaves stays claimed, and leads to it, if it was ever public, and is free otherwise.
   */
  put(item: Item, change: ItemChange): Promise<void>;
  /**
   * Runs a part that saves many items, looked up and written in few queries. `named` is what it is
   * likely to ask for.
   */
  together<T>(named: Named, change: (transaction: ContentTransaction) => Promise<T>): Promise<T>;
  /** Call after the item it leads to was put. */
  putRedirect(redirect: Redirect, entry: AuditEntry): Promise<void>;
  removeRedirect(redirect: Redirect, entry: AuditEntry): Promise<void>;
  /** Wipes everything a deleted item said, its revisions too; its public path stays its own. */
  purge(item: Item, entry: AuditEntry): Promise<void>;
  /** Does any item, in whatever status, have this type? */
  hasItems(type: string): Promise<boolean>;
  saveSite(
    profile: SiteProfile,
    declaredTypes: readonly ContentType[],
    entry: AuditEntry,
  ): Promise<void>;
}

/** What items to be saved speak of. */
export interface Named {
  sourceKeys: readonly string[];
  /** Paths they ask for. */
  paths: readonly string[];
  /** Other items, as {@link ContentTransaction.references} takes them. */
  targets: readonly string[];
}

/** What led to a new state of an item; one audit entry. */
export interface ItemChange {
  before: Item | null;
  /** ISO 8601, UTC. */
  at: string;
  actor: string;
  /** A verb of the domain: `content.publish`. */
  action: string;
  requestId: string | null;
}

/** Runs a change on a copy of the content as it is now, which is then thrown away. */
export type TryOut = <T>(change: (content: ContentRecord) => Promise<T>) => Promise<T>;
