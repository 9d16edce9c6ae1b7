import type { AuditEntry } from "../../../access/audit.ts";
import type { Item, ItemOutline } from "../../../content/items/item.ts";
import type {
  BatchLookups,
  ContentTransaction,
  ImportBase,
  ItemChange,
  ItemReference,
  PathOwner,
  Redirect,
  Revision,
  TypeCount,
} from "../../../content/record.ts";
import type { SiteProfile } from "../../../content/site/site.ts";
import type { ContentTypes } from "../../../content/types/content-type.ts";
import type { ItemTransition, Projection } from "../../projection.ts";
import type { ItemWrite } from "./item-writes.ts";
import { claimPaths, type PathClaims, pathsToClaim } from "./path-moves.ts";

/** The transaction in which a {@link ContentBatch} reads and writes. */
export interface BatchTransaction extends ContentTransaction {
  itemsFrom(sourceKeys: readonly string[]): Promise<Item[]>;
  claims(paths: readonly string[]): Promise<PathClaims>;
  importBases(itemIds: readonly string[]): Promise<Map<string, ImportBase>>;
  putImportBases(bases: readonly ImportBase[]): Promise<void>;
  readonly projection: Pick<Projection, "check" | "requireRendered">;
  save(
    writes: readonly (ItemWrite & { move: ItemTransition })[],
    claims: { before: PathClaims; after: PathClaims },
  ): Promise<void>;
  /** Makes the commit fail. Call when a nested write failed after changing something. */
  fail(cause: unknown): void;
}

/** Reads and writes many items with few queries. Its reads include writes not yet flushed. */
export class ContentBatch implements ContentTransaction {
  readonly origin: string;
  readonly siteBase: ContentTransaction["siteBase"];
  readonly #parent: BatchTransaction;
  #writes: (ItemWrite & { move: ItemTransition })[] = [];
  #changes = 0;
  /** Items loaded by `expect` or written so far. */
  readonly #items = new Map<string, Item>();
  readonly #sources = new Map<string, string | null>();
  readonly #references = new Map<string, ItemReference | null>();
  readonly #claims: PathClaims = new Map();
  #claimsBefore: PathClaims = new Map();
  readonly #importBases = new Map<string, ImportBase | null>();
  /** Import bases that are not written yet, keyed by item id. */
  readonly #newImportBases = new Map<string, ImportBase>();

  constructor(parent: BatchTransaction) {
    this.#parent = parent;
    this.origin = parent.origin;
    this.siteBase = parent.siteBase;
  }

  async expect({ sourceKeys, paths, targets, bodies }: BatchLookups): Promise<void> {
    this.#parent.projection.requireRendered(bodies);
    for (const key of sourceKeys) this.#sources.set(key, null);
    for (const item of await this.#parent.itemsFrom([...new Set(sourceKeys)])) this.#cache(item);
    await this.#loadClaims([...new Set(paths)]);
    await this.references(targets);
  }

  async flush(): Promise<void> {
    const writes = this.#writes;
    if (writes.length > 0) {
      this.#writes = [];
      await this.#parent.save(writes, { before: this.#claimsBefore, after: this.#claims });
      this.#claimsBefore = new Map(this.#claims);
    }
    const bases = [...this.#newImportBases.values()];
    if (bases.length === 0) return;
    this.#newImportBases.clear();
    await this.#parent.putImportBases(bases);
  }

  async write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T> {
    const changes = this.#changes;
    try {
      return await change(this);
    } catch (error) {
      if (this.#changes !== changes) this.#parent.fail(error);
      throw error;
    }
  }

  async batch<T>(
    lookups: BatchLookups,
    change: (transaction: ContentTransaction) => Promise<T>,
  ): Promise<T> {
    await this.expect(lookups);
    return await this.write(change);
  }

  async put(item: Item, change: ItemChange): Promise<void> {
    await this.#parent.projection.check(item, change.before);
    this.#changes += 1;
    const { before } = change;
    await this.#loadClaims(pathsToClaim(item, before));
    const move = claimPaths(this.#claims, item, before);
    this.#writes.push({ item, change, move });
    if (before !== null) this.#invalidate(before);
    this.#cache(item);
    const reference = { id: item.id, type: item.type };
    for (const name of [item.id, item.path, item.sourceKey]) {
      if (name !== null) this.#references.set(name, reference);
    }
    if (this.#claims.get(item.path) === null) this.#references.set(item.path, null);
  }

  /** On a cache miss, one query reads the import bases of all items that the batch has loaded. */
  async importBase(itemId: string): Promise<ImportBase | null> {
    if (!this.#importBases.has(itemId)) {
      const claimed = [...this.#claims.values()].flatMap((claim) => claim?.itemId ?? []);
      const ids = new Set([itemId, ...this.#items.keys(), ...claimed]);
      const unknown = [...ids].filter((id) => !this.#importBases.has(id));
      const found = await this.#parent.importBases(unknown);
      for (const id of unknown) this.#importBases.set(id, found.get(id) ?? null);
    }
    return this.#importBases.get(itemId) ?? null;
  }

  async putImportBase(base: ImportBase): Promise<void> {
    this.#changes += 1;
    this.#importBases.set(base.itemId, base);
    this.#newImportBases.set(base.itemId, base);
  }

  async item(id: string): Promise<Item | null> {
    return this.#items.get(id) ?? (await this.#parent.item(id));
  }

  async itemBySourceKey(sourceKey: string): Promise<Item | null> {
    const id = this.#sources.get(sourceKey);
    if (id === null) return null;
    if (id !== undefined) return await this.item(id);
    const found = await this.#parent.itemBySourceKey(sourceKey);
    return found === null ? null : await this.item(found.id);
  }

  async itemAt(path: string): Promise<Item | null> {
    const claim = await this.claim(path);
    return claim === null ? null : await this.item(claim.itemId);
  }

  async claim(path: string): Promise<PathOwner | null> {
    await this.#loadClaims([path]);
    return this.#claims.get(path) ?? null;
  }

  async references(names: readonly string[]): Promise<ReadonlyMap<string, ItemReference>> {
    const unknown = [...new Set(names)].filter((name) => !this.#references.has(name));
    if (unknown.length > 0) {
      const found = await this.#parent.references(unknown);
      for (const name of unknown) this.#references.set(name, found.get(name) ?? null);
    }
    const known = new Map<string, ItemReference>();
    for (const name of names) {
      const reference = this.#references.get(name) ?? null;
      if (reference !== null) known.set(name, reference);
    }
    return known;
  }

  async site(): Promise<SiteProfile | null> {
    return await this.#parent.site();
  }

  async types(): Promise<ContentTypes> {
    return await this.#parent.types();
  }

  async revisions(itemId: string): Promise<Revision[]> {
    await this.flush();
    return await this.#parent.revisions(itemId);
  }

  async revision(itemId: string, revision: number): Promise<Revision | null> {
    if (this.#writes.some(({ item }) => item.id === itemId)) await this.flush();
    return await this.#parent.revision(itemId, revision);
  }

  async due(now: Date, limit: number): Promise<Item[]> {
    await this.flush();
    return await this.#parent.due(now, limit);
  }

  async expired(now: Date, limit: number): Promise<Item[]> {
    await this.flush();
    return await this.#parent.expired(now, limit);
  }

  async typeCounts(): Promise<TypeCount[]> {
    await this.flush();
    return await this.#parent.typeCounts();
  }

  async translations(originalId: string, except?: string): Promise<ItemOutline[]> {
    await this.flush();
    return await this.#parent.translations(originalId, except);
  }

  async itemsWithField(...query: Parameters<ContentTransaction["itemsWithField"]>) {
    await this.flush();
    return await this.#parent.itemsWithField(...query);
  }

  async redirect(id: string): Promise<Redirect | null> {
    return await this.#parent.redirect(id);
  }

  async redirectAt(path: string): Promise<Redirect | null> {
    return await this.#parent.redirectAt(path);
  }

  async hasFile(path: string): Promise<boolean> {
    return await this.#parent.hasFile(path);
  }

  async showsFile(path: string): Promise<boolean> {
    await this.flush();
    return await this.#parent.showsFile(path);
  }

  async purgeable(deletedBefore: Date, limit: number): Promise<Item[]> {
    await this.flush();
    return await this.#parent.purgeable(deletedBefore, limit);
  }

  async lastTrustedTime(): Promise<string | null> {
    return await this.#parent.lastTrustedTime();
  }

  async putRedirect(redirect: Redirect, entry: AuditEntry): Promise<void> {
    await this.#invalidatePath(redirect.from);
    await this.#parent.putRedirect(redirect, entry);
  }

  async removeRedirect(redirect: Redirect, entry: AuditEntry): Promise<void> {
    await this.#invalidatePath(redirect.from);
    await this.#parent.removeRedirect(redirect, entry);
  }

  async purge(item: Item, entry: AuditEntry): Promise<void> {
    this.#changes += 1;
    await this.flush();
    this.#items.delete(item.id);
    this.#invalidate(item);
    await this.#parent.purge(item, entry);
  }

  async pathsOfType(type: string): Promise<{ id: string; path: string }[]> {
    await this.flush();
    return await this.#parent.pathsOfType(type);
  }

  async saveSite(...site: Parameters<ContentTransaction["saveSite"]>): Promise<void> {
    await this.flush();
    await this.#parent.saveSite(...site);
  }

  async #loadClaims(paths: readonly string[]): Promise<void> {
    const unknown = paths.filter((path) => !this.#claims.has(path));
    if (unknown.length === 0) return;
    const found = await this.#parent.claims(unknown);
    for (const path of unknown) {
      const claim = found.get(path) ?? null;
      this.#claims.set(path, claim);
      this.#claimsBefore.set(path, claim);
    }
  }

  /** Flushes the batch, and drops cached values of a path that is about to be reassigned. */
  async #invalidatePath(path: string): Promise<void> {
    this.#changes += 1;
    await this.flush();
    this.#claims.delete(path);
    this.#claimsBefore.delete(path);
    this.#references.delete(path);
  }

  #cache(item: Item): void {
    this.#items.set(item.id, item);
    if (item.sourceKey !== null) this.#sources.set(item.sourceKey, item.id);
  }

  /** Notes in the caches that the path and source key of an earlier state no longer lead to the item. */
  #invalidate({ path, sourceKey }: Item): void {
    if (this.#claims.get(path) === null) this.#references.set(path, null);
    if (sourceKey === null) return;
    this.#sources.set(sourceKey, null);
    this.#references.set(sourceKey, null);
  }
}
