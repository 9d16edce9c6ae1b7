import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type { Item } from "../../../content/items/item.ts";
import type {
  BatchLookups,
  ContentTransaction,
  ImportBase,
  ItemChange,
  ItemReference,
  PathOwner,
  Redirect,
} from "../../../content/record.ts";
import type { SiteProfile } from "../../../content/site/site.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import type { ItemTransition, Projection } from "../../projection.ts";
import { writeAuditEntry } from "../access/audit.ts";
import { queryInSlices } from "../batches.ts";
import { assignSiteId } from "../site-id.ts";
import type { RecordTables } from "../tables.ts";
import { type BatchTransaction, ContentBatch } from "./content-batch.ts";
import { ContentQueries, type SettingsCache, type SiteProfileAndTypes } from "./content-queries.ts";
import { findReferencedItems } from "./finding-references.ts";
import { itemFromRow, readImportBases, saveImportBases } from "./item-rows.ts";
import { type ItemWrite, writeItems } from "./item-writes.ts";
import {
  mediaIdsLinkedInText,
  mediaIdsOfChanges,
  mediaIdsOfRedirect,
  projectMedia,
} from "./media-projection.ts";
import { claimPaths, type PathClaims, pathsToClaim } from "./path-moves.ts";
import { wipeItem } from "./purging.ts";
import { deleteRedirect, insertRedirect } from "./redirect-rows.ts";
import { createSiteImportBaseStore, saveSetting } from "./setting-rows.ts";

/**
 * Limit on the changes that the projection buffers before it is flushed. Bounds the memory of the buffer.
 */
const UNPROJECTED_MAX = 500;

export class KyselyContentTransaction extends ContentQueries implements BatchTransaction {
  readonly projection: Projection;
  readonly origin: string;
  readonly siteBase = createSiteImportBaseStore(this.db);
  readonly #declared: SettingsCache;
  #changes = 0;
  #unprojected = 0;
  #hasRedirects: boolean | null = null;
  #settings: SiteProfileAndTypes | null = null;
  #failure: unknown = null;
  /** The item last read or written; a request usually reads its item several times. */
  #lastRead: Item | null = null;
  /**
   * Claims (the owners of paths), keyed by path. Cached until the next change, because a path is looked up
   * just before it is claimed.
   */
  readonly #claims: PathClaims = new Map();

  constructor(
    db: Kysely<RecordTables>,
    { declared, projection }: { declared: SettingsCache; projection: Projection },
  ) {
    super(db, declared);
    this.projection = projection;
    this.origin = projection.origin;
    this.#declared = declared;
  }

  async write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T> {
    const changes = this.#changes;
    try {
      return await change(this);
    } catch (error) {
      if (this.#changes !== changes) this.fail(error);
      throw error;
    }
  }

  /**
   * Call before the transaction ends.
   *
   * @throws when a nested write failed after changing something, even if its error was caught.
   */
  finish(): void {
    if (this.#failure === null) return;
    throw new Error("A part of this transaction failed halfway", { cause: this.#failure });
  }

  override async item(id: string): Promise<Item | null> {
    if (this.#lastRead?.id !== id) this.#lastRead = await super.item(id);
    return this.#lastRead;
  }

  protected override async settings(): Promise<SiteProfileAndTypes> {
    this.#settings ??= this.#declared.current() ?? (await this.#readSettings());
    return this.#settings;
  }

  async references(names: readonly string[]): Promise<ReadonlyMap<string, ItemReference>> {
    return await findReferencedItems(this.db, names);
  }

  async claim(path: string): Promise<PathOwner | null> {
    await this.#lookUpClaims([path]);
    return this.#claims.get(path) ?? null;
  }

  async claims(paths: readonly string[]): Promise<PathClaims> {
    await this.#lookUpClaims(paths);
    return new Map(paths.map((path) => [path, this.#claims.get(path) ?? null]));
  }

  async importBase(itemId: string): Promise<ImportBase | null> {
    return (await this.importBases([itemId])).get(itemId) ?? null;
  }

  async importBases(itemIds: readonly string[]): Promise<Map<string, ImportBase>> {
    return await readImportBases(this.db, itemIds);
  }

  async putImportBase(base: ImportBase): Promise<void> {
    await this.putImportBases([base]);
  }

  async putImportBases(bases: readonly ImportBase[]): Promise<void> {
    this.#changes += 1;
    await saveImportBases(this.db, bases);
  }

  async itemsFrom(sourceKeys: readonly string[]): Promise<Item[]> {
    if (sourceKeys.length === 0) return [];
    const rows = await queryInSlices(
      sourceKeys,
      async (keys) =>
        await this.db.selectFrom("items").selectAll().where("source_key", "in", keys).execute(),
    );
    const links = await queryInSlices(
      rows.map(({ id }) => id),
      async (ids) => await this.relations(ids),
    );
    const byItem = Map.groupBy(links, ({ from_id }) => from_id);
    return rows.map((row) => itemFromRow(row, byItem.get(row.id) ?? []));
  }

  async put(item: Item, change: ItemChange): Promise<void> {
    await this.projection.check(item, change.before);
    const before = await this.claims(pathsToClaim(item, change.before));
    const after = new Map(before);
    const move = claimPaths(after, item, change.before);
    await this.save([{ item, change, move }], { before, after });
  }

  async batch<T>(
    lookups: BatchLookups,
    change: (transaction: ContentTransaction) => Promise<T>,
  ): Promise<T> {
    const batch = new ContentBatch(this);
    await batch.expect(lookups);
    const result = await batch.write(change);
    await batch.flush();
    return result;
  }

  async save(
    writes: readonly (ItemWrite & { move: ItemTransition })[],
    claims: { before: PathClaims; after: PathClaims },
  ): Promise<void> {
    this.#noteChange();
    // Caches the item, so that later steps of the request need not read it again.
    this.#lastRead = writes.at(-1)?.item ?? null;
    try {
      await this.store(writes, claims);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    for (const { item, move } of writes) this.projection.put(item, move);
    this.#unprojected += writes.length;
    if (this.#unprojected < UNPROJECTED_MAX) return;
    this.#unprojected = 0;
    await this.projection.flush();
  }

  /**
   * Writes the rows of items. Also updates the projection of files, because these items may change which
   * files are public.
   */
  protected async store(
    writes: readonly ItemWrite[],
    claims: { before: PathClaims; after: PathClaims },
  ): Promise<void> {
    await writeItems(this.db, writes, claims);
    const changes = writes.map(({ item, change: { before } }) => ({ item, before }));
    await projectMedia(this.db, this.projection, mediaIdsOfChanges(changes));
  }

  /**
   * Skips the query if there are no redirects, because an import looks up a path for every item.
   */
  override async redirectAt(path: string): Promise<Redirect | null> {
    this.#hasRedirects ??= await super.hasRedirects();
    return this.#hasRedirects ? await super.redirectAt(path) : null;
  }

  async putRedirect(redirect: Redirect, entry: AuditEntry): Promise<void> {
    this.#noteChange();
    this.#hasRedirects = true;
    await insertRedirect(this.db, redirect);
    await writeAuditEntry(this.db, entry);
    await projectMedia(this.db, this.projection, mediaIdsOfRedirect(redirect));
    this.projection.putRedirect(redirect);
  }

  async removeRedirect(redirect: Redirect, entry: AuditEntry): Promise<void> {
    this.#noteChange();
    const { displacedId } = redirect;
    const displaced = displacedId === null ? null : await this.item(displacedId);
    await deleteRedirect(this.db, redirect);
    await writeAuditEntry(this.db, entry);
    await projectMedia(this.db, this.projection, mediaIdsOfRedirect(redirect));
    this.projection.removeRedirect(redirect, displaced);
  }

  async purge(item: Item, entry: AuditEntry): Promise<void> {
    this.#noteChange();
    this.#lastRead = null;
    await wipeItem(this.db, item);
    await writeAuditEntry(this.db, entry);
  }

  fail(cause: unknown): void {
    this.#failure = cause;
  }

  async pathsOfType(type: string): Promise<{ id: string; path: string }[]> {
    const places = this.db.selectFrom("items").select(["id", "path"]).where("type", "=", type);
    return await places.orderBy("id").execute();
  }

  async saveSite(
    profile: SiteProfile,
    declaredTypes: readonly ContentType[],
    entry: AuditEntry,
  ): Promise<void> {
    const before = JSON.stringify(await this.site());
    const after = JSON.stringify(profile);
    await saveSetting(this.db, "site", after);
    await saveSetting(this.db, "types", JSON.stringify(declaredTypes));
    await assignSiteId(this.db);
    await writeAuditEntry(this.db, entry);
    this.#settings = null;
    this.#declared.forget();
    await this.projection.saveSite(profile, await this.types(), this.db);
    await projectMedia(this.db, this.projection, mediaIdsLinkedInText(`${before} ${after}`));
  }

  #noteChange(): void {
    this.#changes += 1;
    this.#claims.clear();
  }

  async #readSettings(): Promise<SiteProfileAndTypes> {
    const read = await super.settings();
    this.#declared.store(read);
    return read;
  }

  async #lookUpClaims(paths: readonly string[]): Promise<void> {
    const unknown = paths.filter((path) => !this.#claims.has(path));
    if (unknown.length === 0) return;
    const rows = await queryInSlices(
      unknown,
      async (some) =>
        await this.db.selectFrom("path_claims").selectAll().where("path", "in", some).execute(),
    );
    for (const path of unknown) this.#claims.set(path, null);
    for (const { path, item_id, is_current, was_public } of rows) {
      const claim = { itemId: item_id, isCurrent: is_current === 1, wasPublic: was_public === 1 };
      this.#claims.set(path, claim);
    }
  }
}
