import type { Kysely } from "kysely";
import type { Medium } from "../../content/media/media.ts";
import type { SiteProfile } from "../../content/site/site.ts";
import { BUILT_IN_TYPES } from "../../content/types/built-in.ts";
import type { ContentType } from "../../content/types/content-type.ts";
import type { Snapshot, SnapshotItem } from "../../transfer/snapshot.ts";
import { ContentQueries, DeclaredTypes } from "./content/content-queries.ts";
import { itemOf } from "./content/item-rows.ts";
import { mediumOf } from "./content/media-rows.ts";
import type { ItemRow, RecordTables } from "./tables.ts";

export class KyselySnapshot implements Snapshot {
  readonly #db: Promise<Kysely<RecordTables>>;
  readonly #close: () => Promise<void>;

  /** `db` is in a transaction that `close` ends. */
  constructor(db: Promise<Kysely<RecordTables>>, close: () => Promise<void>) {
    this.#db = db;
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

  async items(
    kind: "originals" | "translations" | "deleted",
    { after, limit }: { after: string; limit: number },
  ): Promise<SnapshotItem[]> {
    const rows = await (kind === "deleted"
      ? this.#deletedItems(after, limit)
      : this.#presentItems(kind, { after, limit }));
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const relations = Map.groupBy(await this.#relations(ids), ({ from_id }) => from_id);
    const redirects = Map.groupBy(await this.#redirects(ids), ({ item_id }) => item_id);
    const originals = await this.#originals(rows);
    return rows.map((row) => {
      const itemRelations = relations.get(row.id) ?? [];
      return {
        item: itemOf(row, itemRelations),
        paths: new Map([
          ...itemRelations.map(({ to_id, path }) => [to_id, path] as const),
          ...originals,
        ]),
        redirectFrom: (redirects.get(row.id) ?? []).map(({ path }) => path),
      };
    });
  }

  async redirects(): Promise<{ from: string; to: string }[]> {
    const rows = await (await this.#db)
      .selectFrom("redirects")
      .select(["path", "to_path"])
      .where("to_path", "is not", null)
      .orderBy("path")
      .execute();
    return rows.map(({ path, to_path }) => ({ from: path, to: to_path ?? "/" }));
  }

  async media(after: string, limit: number): Promise<Medium[]> {
    const rows = await (await this.#db)
      .selectFrom("media")
      .selectAll()
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(mediumOf);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close();
  }

  async #content(): Promise<ContentQueries> {
    return new ContentQueries(await this.#db, new DeclaredTypes());
  }

  async #presentItems(
    kind: "originals" | "translations",
    { after, limit }: { after: string; limit: number },
  ): Promise<ItemRow[]> {
    return await (await this.#db)
      .selectFrom("items")
      .selectAll()
      .where("id", ">", after)
      .where("status", "!=", "deleted")
      .where("translation_of", kind === "originals" ? "is" : "is not", null)
      .orderBy("id")
      .limit(limit)
      .execute();
  }

  async #deletedItems(after: string, limit: number): Promise<ItemRow[]> {
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
      .limit(limit)
      .execute();
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
