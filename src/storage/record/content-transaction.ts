import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { AuditEntry } from "../../access/audit.ts";
import type { ContentType, ContentTypes } from "../../content/content-type.ts";
import type { Item } from "../../content/item.ts";
import type {
  ContentTransaction,
  ItemChange,
  ItemReference,
  PathClaim,
} from "../../content/record.ts";
import type { SiteProfile } from "../../content/site.ts";
import type { ItemMove, Projection } from "../projection.ts";
import { writeAudit } from "./audit.ts";
import { ContentQueries, type DeclaredTypes } from "./content-queries.ts";
import { itemRow, relationRows } from "./item-rows.ts";
import { keepMediaUses } from "./media-rows.ts";
import type { RecordTables } from "./tables.ts";
import { uuidv7 } from "./uuid.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class KyselyContentTransaction extends ContentQueries implements ContentTransaction {
  readonly #projection: Projection;
  /** Imports name the same few targets again and again. */
  readonly #references = new Map<string, ItemReference>();
  readonly #puts: { item: Item; move: ItemMove }[] = [];
  #types: ContentTypes | null = null;
  #site: SiteProfile | null = null;
  #broken: unknown = null;

  constructor(
    db: Kysely<RecordTables>,
    { declared, projection }: { declared: DeclaredTypes; projection: Projection },
  ) {
    super(db, declared);
    this.#projection = projection;
    projection.begin();
  }

  async write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T> {
    const puts = this.#puts.length;
    try {
      return await change(this);
    } catch (error) {
      if (this.#puts.length !== puts) this.#broken = error;
      throw error;
    }
  }

  /**
   * Projects what was put, in one go: writes of other tables in between would make SQLite's full text
   * index write out its buffer each time.
   *
   * @throws when a part failed after it had put something, whoever caught its error.
   */
  async finish(): Promise<void> {
    if (this.#broken !== null) {
      throw new Error("A part of this transaction failed halfway", { cause: this.#broken });
    }
    for (const { item, move } of this.#puts) this.#projection.put(item, move);
    await this.#projection.flush();
  }

  newId(now: Date): string {
    return uuidv7(now.getTime());
  }

  override async types(): Promise<ContentTypes> {
    this.#types ??= await super.types();
    return this.#types;
  }

  override async site(): Promise<SiteProfile | null> {
    this.#site ??= await super.site();
    return this.#site;
  }

  async references(names: readonly string[]): Promise<ReadonlyMap<string, ItemReference>> {
    const unknown = names.filter((name) => !this.#references.has(name));
    await this.#findByPath(unknown.filter((name) => name.startsWith("/")));
    await this.#findById(unknown.filter((name) => UUID.test(name)));
    const keys = unknown.filter((name) => !name.startsWith("/") && !this.#references.has(name));
    await this.#findBySourceKey(keys);
    return this.#references;
  }

  async claim(path: string): Promise<PathClaim | null> {
    const row = await this.db
      .selectFrom("path_claims")
      .selectAll()
      .where("path", "=", path)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      itemId: row.item_id,
      isCurrent: row.is_current === 1,
      wasPublic: row.was_public === 1,
    };
  }

  async put(item: Item, change: ItemChange): Promise<void> {
    const { before } = change;
    this.#projection.check(item);
    const move: ItemMove = { before, formerPath: null, isGone: false };
    this.#puts.push({ item, move });
    await this.#putItem(item, before);
    await this.#putRelations(item, before);
    await keepMediaUses(this.db, item, before);
    move.formerPath = await this.#leavePath(item, before);
    move.isGone = await this.#claimPath(item, before);
    await this.db
      .insertInto("revisions")
      .values({
        item_id: item.id,
        revision: item.revision,
        at: change.at,
        actor: change.actor,
        action: change.action,
        item: JSON.stringify(item),
      })
      .execute();
    await writeAudit(this.db, {
      at: change.at,
      actor: change.actor,
      action: change.action,
      target: item.path,
      revisionBefore: before?.revision ?? null,
      revisionAfter: item.revision,
      requestId: change.requestId,
    });
  }

  async hasItems(type: string): Promise<boolean> {
    const row = await this.db
      .selectFrom("items")
      .select("id")
      .where("type", "=", type)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async saveSite(
    profile: SiteProfile,
    declaredTypes: readonly ContentType[],
    entry: AuditEntry,
  ): Promise<void> {
    await this.#setSetting("site", JSON.stringify(profile));
    await this.#setSetting("types", JSON.stringify(declaredTypes));
    await writeAudit(this.db, entry);
    this.#types = null;
    this.#site = profile;
    await this.#projection.saveSite(profile, await this.types(), this.db);
  }

  async #findByPath(paths: readonly string[]): Promise<void> {
    if (paths.length === 0) return;
    const rows = await this.db
      .selectFrom("path_claims")
      .innerJoin("items", "items.id", "path_claims.item_id")
      .select(["path_claims.path", "items.id", "items.type"])
      .where("path_claims.path", "in", paths)
      .execute();
    for (const { path, id, type } of rows) this.#references.set(path, { id, type });
  }

  async #findById(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const rows = await this.db
      .selectFrom("items")
      .select(["id", "type"])
      .where("id", "in", ids)
      .execute();
    for (const { id, type } of rows) this.#references.set(id, { id, type });
  }

  async #findBySourceKey(sourceKeys: readonly string[]): Promise<void> {
    if (sourceKeys.length === 0) return;
    const rows = await this.db
      .selectFrom("items")
      .select(["source_key", "id", "type"])
      .where("source_key", "in", sourceKeys)
      .execute();
    for (const { source_key, id, type } of rows) {
      if (source_key !== null) this.#references.set(source_key, { id, type });
    }
  }

  async #putItem(item: Item, before: Item | null): Promise<void> {
    if (before === null) {
      await this.db.insertInto("items").values(itemRow(item)).execute();
      return;
    }
    // A source key or path that changes hands makes what is known of names wrong.
    if (before.path !== item.path || before.sourceKey !== item.sourceKey) this.#references.clear();
    const { id, ...changing } = itemRow(item);
    await this.db.updateTable("items").set(changing).where("id", "=", id).execute();
  }

  async #putRelations(item: Item, before: Item | null): Promise<void> {
    if (before !== null) {
      if (isDeepStrictEqual(before.relations, item.relations)) return;
      await this.db.deleteFrom("relations").where("from_id", "=", item.id).execute();
    }
    const rows = relationRows(item);
    if (rows.length > 0) await this.db.insertInto("relations").values(rows).execute();
  }

  /** @returns the path the item left, if it stays the item's own and leads to it. */
  async #leavePath(item: Item, before: Item | null): Promise<string | null> {
    if (before === null || before.path === item.path) return null;
    const { numUpdatedRows } = await this.db
      .updateTable("path_claims")
      .set({ is_current: 0 })
      .where("path", "=", before.path)
      .where("was_public", "=", 1)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return before.path;
    await this.db.deleteFrom("path_claims").where("path", "=", before.path).execute();
    return null;
  }

  /** @returns whether the path told the public something once and now tells that it is gone. */
  async #claimPath(item: Item, before: Item | null): Promise<boolean> {
    if (item.status === "deleted") {
      const { numDeletedRows } = await this.db
        .deleteFrom("path_claims")
        .where("path", "=", item.path)
        .where("was_public", "=", 0)
        .executeTakeFirst();
      if (numDeletedRows > 0n) this.#references.clear();
      return numDeletedRows === 0n;
    }
    const isPublic = item.status === "published" || item.status === "archived";
    if (before === null || before.path !== item.path || before.status !== item.status) {
      await this.db
        .insertInto("path_claims")
        .values({
          path: item.path,
          item_id: item.id,
          is_current: 1,
          was_public: isPublic ? 1 : 0,
        })
        .onConflict((conflict) =>
          conflict
            .column("path")
            .doUpdateSet({ is_current: 1, ...(isPublic ? { was_public: 1 } : {}) })
            .where("path_claims.item_id", "=", item.id),
        )
        .execute();
    }
    return item.status === "archived";
  }

  async #setSetting(name: string, value: string): Promise<void> {
    await this.db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  }
}
