import type { Kysely } from "kysely";
import type { AuditEntry } from "../../access/audit.ts";
import type { ContentType, ContentTypes } from "../../content/content-type.ts";
import type { Item } from "../../content/item.ts";
import type {
  ContentTransaction,
  ItemChange,
  ItemReference,
  Named,
  PathClaim,
  Redirect,
} from "../../content/record.ts";
import type { SiteProfile } from "../../content/site.ts";
import type { ItemMove, Projection } from "../projection.ts";
import { writeAudit } from "./audit.ts";
import { compiledOnce } from "./compiled.ts";
import { type BlockParent, ContentBlock } from "./content-block.ts";
import { ContentQueries, type DeclaredTypes } from "./content-queries.ts";
import { itemOf } from "./item-rows.ts";
import { type ItemWrite, writeItems } from "./item-writes.ts";
import { executeMany } from "./many-rows.ts";
import type { Claims } from "./path-moves.ts";
import { wipeItem } from "./purging.ts";
import { deleteRedirect, insertRedirect } from "./redirect-rows.ts";
import type { RecordTables } from "./tables.ts";
import { uuidv7 } from "./uuid.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What waits to be projected is held in memory. */
const UNPROJECTED_MAX = 500;
const NOTHING: Named = { sourceKeys: [], paths: [], targets: [] };

const CLAIM = compiledOnce((db) => db.selectFrom("path_claims").selectAll().where("path", "=", ""));
const REFERENCE = compiledOnce((db) =>
  db
    .selectFrom("path_claims")
    .innerJoin("items", "items.id", "path_claims.item_id")
    .select(["path_claims.path", "items.id", "items.type"])
    .where("path_claims.path", "=", ""),
);

export class KyselyContentTransaction extends ContentQueries implements BlockParent {
  readonly #projection: Projection;
  #kept = 0;
  #unprojected = 0;
  #hasRedirects: boolean | null = null;
  #types: ContentTypes | null = null;
  #site: SiteProfile | null = null;
  #broken: unknown = null;
  /** Read since the last change: one request asks for its item several times. */
  #lastRead: Item | null = null;

  constructor(
    db: Kysely<RecordTables>,
    { declared, projection }: { declared: DeclaredTypes; projection: Projection },
  ) {
    super(db, declared);
    this.#projection = projection;
  }

  async write<T>(change: (transaction: ContentTransaction) => Promise<T>): Promise<T> {
    const kept = this.#kept;
    try {
      return await change(this);
    } catch (error) {
      if (this.#kept !== kept) this.fail(error);
      throw error;
    }
  }

  /**
   * Call before the transaction ends.
   *
   * @throws when a part failed after it had put something, whoever caught its error.
   */
  finish(): void {
    if (this.#broken === null) return;
    throw new Error("A part of this transaction failed halfway", { cause: this.#broken });
  }

  newId(now: Date): string {
    return uuidv7(now.getTime());
  }

  override async item(id: string): Promise<Item | null> {
    if (this.#lastRead?.id !== id) this.#lastRead = await super.item(id);
    return this.#lastRead;
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
    const paths = names.filter((name) => name.startsWith("/"));
    const others = names.filter((name) => !name.startsWith("/"));
    // A source key may look like an id, which then comes first.
    return new Map([
      ...(await this.#findByPath(paths)),
      ...(await this.#findBySourceKey(others)),
      ...(await this.#findById(others.filter((name) => UUID.test(name)))),
    ]);
  }

  async claim(path: string): Promise<PathClaim | null> {
    return (await this.claims([path])).get(path) ?? null;
  }

  async claims(paths: readonly string[]): Promise<Claims> {
    const rows = await executeMany(this.db, CLAIM(this.db), lists(paths));
    return new Map(
      rows.map(({ path, item_id, is_current, was_public }) => [
        path,
        { itemId: item_id, isCurrent: is_current === 1, wasPublic: was_public === 1 },
      ]),
    );
  }

  async itemsFrom(sourceKeys: readonly string[]): Promise<Item[]> {
    const items = this.db.selectFrom("items").selectAll().where("source_key", "=", "");
    const rows = await executeMany(this.db, items, lists(sourceKeys));
    const relations = this.db
      .selectFrom("relations")
      .selectAll()
      .where("from_id", "=", "")
      .orderBy("relation")
      .orderBy("position");
    const links = await executeMany(this.db, relations, lists(rows.map(({ id }) => id)));
    const byItem = Map.groupBy(links, ({ from_id }) => from_id);
    return rows.map((row) => itemOf(row, byItem.get(row.id) ?? []));
  }

  async put(item: Item, change: ItemChange): Promise<void> {
    await this.together(NOTHING, (block) => block.put(item, change));
  }

  async together<T>(
    named: Named,
    change: (transaction: ContentTransaction) => Promise<T>,
  ): Promise<T> {
    const block = new ContentBlock(this);
    await block.expect(named);
    const result = await block.write(change);
    await block.flush();
    return result;
  }

  check(item: Item): void {
    this.#projection.check(item);
  }

  async keep(
    writes: readonly (ItemWrite & { move: ItemMove })[],
    claims: { before: Claims; after: Claims },
  ): Promise<void> {
    this.#lastRead = null;
    try {
      await writeItems(this.db, writes, claims);
    } catch (error) {
      this.fail(error);
      throw error;
    }
    for (const { item, move } of writes) this.#projection.put(item, move);
    this.#kept += writes.length;
    this.#unprojected += writes.length;
    if (this.#unprojected < UNPROJECTED_MAX) return;
    this.#unprojected = 0;
    await this.#projection.flush();
  }

  /** Most sites have none, and imports ask for every item. */
  override async redirectAt(path: string): Promise<Redirect | null> {
    this.#hasRedirects ??= await super.hasRedirects();
    return this.#hasRedirects ? await super.redirectAt(path) : null;
  }

  async putRedirect(redirect: Redirect, entry: AuditEntry): Promise<void> {
    this.#kept += 1;
    this.#hasRedirects = true;
    await insertRedirect(this.db, redirect);
    await writeAudit(this.db, entry);
    this.#projection.putRedirect(redirect);
  }

  async removeRedirect(redirect: Redirect, entry: AuditEntry): Promise<void> {
    this.#kept += 1;
    const { displacedId } = redirect;
    const displaced = displacedId === null ? null : await this.item(displacedId);
    await deleteRedirect(this.db, redirect);
    await writeAudit(this.db, entry);
    this.#projection.removeRedirect(redirect, displaced);
  }

  async purge(item: Item, entry: AuditEntry): Promise<void> {
    this.#kept += 1;
    this.#lastRead = null;
    await wipeItem(this.db, item);
    await writeAudit(this.db, entry);
  }

  fail(cause: unknown): void {
    this.#broken = cause;
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

  async #findByPath(paths: readonly string[]): Promise<[string, ItemReference][]> {
    const rows = await executeMany(this.db, REFERENCE(this.db), lists(paths));
    return rows.map(({ path, id, type }) => [path, { id, type }]);
  }

  async #findById(ids: readonly string[]): Promise<[string, ItemReference][]> {
    const query = this.db.selectFrom("items").select(["id", "type"]).where("id", "=", "");
    const rows = await executeMany(this.db, query, lists(ids));
    return rows.map(({ id, type }) => [id, { id, type }]);
  }

  async #findBySourceKey(sourceKeys: readonly string[]): Promise<[string, ItemReference][]> {
    const query = this.db
      .selectFrom("items")
      .select(["source_key", "id", "type"])
      .where("source_key", "=", "");
    const rows = await executeMany(this.db, query, lists(sourceKeys));
    return rows.flatMap(({ source_key, id, type }) =>
      source_key === null ? [] : [[source_key, { id, type }]],
    );
  }

  async #setSetting(name: string, value: string): Promise<void> {
    await this.db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  }
}

/** One value for each run of a query. */
function lists(values: readonly string[]): string[][] {
  return values.map((value) => [value]);
}
