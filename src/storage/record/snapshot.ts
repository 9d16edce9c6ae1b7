import type { Kysely } from "kysely";
import type { RedirectInput } from "../../content/addresses/redirects.ts";
import type { MediaFile } from "../../content/media/media.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import { BUILT_IN_TYPES } from "../../content/types/built-in.ts";
import type { ContentType } from "../../content/types/content-type.ts";
import type { Snapshot, SnapshotItem } from "../../transfer/snapshot.ts";
import { ContentQueries, SettingsCache } from "./content/content-queries.ts";
import { itemFromRow } from "./content/item-rows.ts";
import { mediaFileFromRow } from "./content/media-rows.ts";
import type { ItemRow, RecordTables } from "./tables.ts";

/**
 * Number of items in a batch. It is large enough for few round trips to the database, and small enough to
 * bound the memory.
 */
export const SNAPSHOT_BATCH_ITEMS = 200;

/**
 * Yields the ids of all items, in batches of at most {@link SNAPSHOT_BATCH_ITEMS}. Items with a row in
 * reading copies come first, in the order of these rows. The ids may include those of deleted and purged
 * items.
 */
export type ListItemIds = (db: Kysely<RecordTables>) => AsyncIterable<readonly string[]>;

interface SnapshotParts {
  idsInOrder: ListItemIds;
  /** Ends the transaction. */
  close: () => Promise<void>;
}

export class KyselySnapshot implements Snapshot {
  readonly #db: Promise<Kysely<RecordTables>>;
  readonly #idsInOrder: ListItemIds;
  readonly #close: () => Promise<void>;

  /** `db` is in a transaction. */
  constructor(db: Promise<Kysely<RecordTables>>, { idsInOrder, close }: SnapshotParts) {
    this.#db = db;
    this.#idsInOrder = idsInOrder;
    // Each read reports the failure; this avoids an unhandled rejection.
    db.catch(() => {});
    this.#close = close;
  }

  async site(): Promise<SiteProfile | null> {
    return await (await this.#content()).site();
  }

  async declaredTypes(): Promise<ContentType[]> {
    return [...(await (await this.#content()).types()).values()].slice(BUILT_IN_TYPES.length);
  }

  async itemCount(): Promise<number> {
    const row = await (await this.#db)
      .selectFrom("items")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("status", "!=", "deleted")
      .executeTakeFirst();
    return row?.count ?? 0;
  }

  async *items(kind: "present" | "deleted"): AsyncGenerator<SnapshotItem[]> {
    const batches = kind === "deleted" ? this.#deletedItems() : this.#presentItems();
    for await (const rows of batches) if (rows.length > 0) yield await this.#withLinks(rows);
  }

  async redirects(): Promise<RedirectInput[]> {
    const rows = await (await this.#db)
      .selectFrom("redirects")
      .select(["path", "to_path"])
      .where("to_path", "is not", null)
      .orderBy("path")
      .execute();
    return rows.map(({ path, to_path }) => ({ from: path, to: to_path || null }));
  }

  async media(after: string, limit: number): Promise<MediaFile[]> {
    const rows = await (await this.#db)
      .selectFrom("media")
      .selectAll()
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(mediaFileFromRow);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #content(): Promise<ContentQueries> {
    return new ContentQueries(await this.#db, new SettingsCache());
  }

  async *#presentItems(): AsyncGenerator<ItemRow[]> {
    const db = await this.#db;
    for await (const ids of this.#idsInOrder(db)) {
      const rows = await db
        .selectFrom("items")
        .selectAll()
        .where("id", "in", ids)
        .where("status", "!=", "deleted")
        .execute();
      const byId = new Map(rows.map((row) => [row.id, row]));
      yield ids.flatMap((id) => byId.get(id) ?? []);
    }
  }

  async *#deletedItems(): AsyncGenerator<ItemRow[]> {
    for (let after = ""; ; ) {
      const rows = await this.#deletedItemsAfter(after);
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      yield rows;
    }
  }

  async #deletedItemsAfter(after: string): Promise<ItemRow[]> {
    return await (await this.#db)
      .selectFrom("items")
      .innerJoin("path_claims", (join) =>
        join
          .onRef("path_claims.item_id", "=", "items.id")
          .onRef("path_claims.path", "=", "items.path"),
      )
      .selectAll("items")
      .where("items.id", ">", after)
      .where("items.status", "=", "deleted")
      .where("path_claims.was_public", "=", 1)
      .orderBy("items.id")
      .limit(SNAPSHOT_BATCH_ITEMS)
      .execute();
  }

  async #withLinks(rows: readonly ItemRow[]): Promise<SnapshotItem[]> {
    const ids = rows.map(({ id }) => id);
    const relations = Map.groupBy(await this.#relations(ids), ({ from_id }) => from_id);
    const redirects = Map.groupBy(await this.#redirects(ids), ({ item_id }) => item_id);
    const originals = await this.#originals(rows);
    return rows.map((row) => {
      const itemRelations = relations.get(row.id) ?? [];
      return {
        item: itemFromRow(row, itemRelations),
        paths: new Map([
          ...itemRelations.map(({ to_id, path }) => [to_id, path] as const),
          ...originals,
        ]),
        redirectFrom: (redirects.get(row.id) ?? []).map(({ path }) => path),
      };
    });
  }

  async #relations(ids: readonly string[]) {
    return await (await this.#db)
      .selectFrom("relations")
      .innerJoin("items", "items.id", "relations.to_id")
      .selectAll("relations")
      .select("items.path")
      .where("from_id", "in", ids)
      .where("items.status", "!=", "deleted")
      .orderBy("from_id")
      .orderBy("relation")
      .orderBy("position")
      .execute();
  }

  async #redirects(ids: readonly string[]) {
    return await (await this.#db)
      .selectFrom("path_claims")
      .select(["item_id", "path"])
      .where("item_id", "in", ids)
      .where("is_current", "=", 0)
      .orderBy("path")
      .execute();
  }

  async #originals(rows: readonly ItemRow[]): Promise<(readonly [id: string, path: string])[]> {
    const ids = rows.flatMap(({ translation_of }) => translation_of ?? []);
    if (ids.length === 0) return [];
    const found = await (await this.#db)
      .selectFrom("items")
      .select(["id", "path"])
      .where("id", "in", ids)
      .where("status", "!=", "deleted")
      .execute();
    return found.map(({ id, path }) => [id, path] as const);
  }
}
