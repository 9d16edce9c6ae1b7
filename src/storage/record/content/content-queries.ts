import { type Kysely, sql } from "kysely";
import type { Item, ItemOutline } from "../../../content/items/item.ts";
import type { ContentReader, Redirect, Revision, TypeCount } from "../../../content/record.ts";
import { type SiteProfile, siteProfileSchema } from "../../../content/site/site.ts";
import { BUILT_IN_TYPES } from "../../../content/types/built-in.ts";
import type { ContentType, ContentTypes, FieldValue } from "../../../content/types/content-type.ts";
import { nullIfDamageError } from "../../sqlite/damage.ts";
import { countItemsByTypeAndStatus } from "../item-counts.ts";
import { readSavedTime } from "../saved-time.ts";
import type { ItemRow, RecordTables, RelationRow, RevisionRow } from "../tables.ts";
import { itemFromRow } from "./item-rows.ts";
import { isFileInPublishedItem, isPathOfSiteFile } from "./media-rows.ts";
import { outlineFromRow, VERIFIED_OUTLINE_COLUMNS } from "./outline-rows.ts";
import { requireMatchingHash, revisionHash, settingHash } from "./record-hashes.ts";
import { redirectFromRow } from "./redirect-rows.ts";

/** Reads content through a connection, inside or outside a transaction. */
export class ContentQueries implements ContentReader {
  protected readonly db: Kysely<RecordTables>;
  readonly #declared: SettingsCache;

  constructor(db: Kysely<RecordTables>, declared: SettingsCache) {
    this.db = db;
    this.#declared = declared;
  }

  async item(id: string): Promise<Item | null> {
    const row = this.db.selectFrom("items").selectAll().where("id", "=", id).executeTakeFirst();
    // Both queries are sent together, so that a distant database answers them in one round trip.
    const [found, relations] = await Promise.all([row, this.relations([id])]);
    return found === undefined ? null : itemFromRow(found, relations);
  }

  async itemAt(path: string): Promise<Item | null> {
    const row = await this.db
      .selectFrom("path_claims")
      .innerJoin("items", "items.id", "path_claims.item_id")
      .selectAll("items")
      .where("path_claims.path", "=", path)
      .executeTakeFirst();
    return await this.#withRelations(row);
  }

  async itemBySourceKey(sourceKey: string): Promise<Item | null> {
    const row = await this.db
      .selectFrom("items")
      .selectAll()
      .where("source_key", "=", sourceKey)
      .executeTakeFirst();
    return await this.#withRelations(row);
  }

  async revisions(itemId: string): Promise<Revision[]> {
    const rows = await this.db
      .selectFrom("revisions")
      .selectAll()
      .where("item_id", "=", itemId)
      .orderBy("revision", "desc")
      .execute();
    return rows.map(revisionOf);
  }

  async revision(itemId: string, revision: number): Promise<Revision | null> {
    const row = await this.db
      .selectFrom("revisions")
      .selectAll()
      .where("item_id", "=", itemId)
      .where("revision", "=", revision)
      .executeTakeFirst();
    return row === undefined ? null : revisionOf(row);
  }

  async due(now: Date, limit: number): Promise<Item[]> {
    const rows = await this.db
      .selectFrom("items")
      .select("id")
      .where("status", "=", "scheduled")
      .where("publish_at", "<=", now.toISOString())
      .orderBy("publish_at")
      .limit(limit)
      .execute();
    return await this.#wholeItems(rows);
  }

  async expired(now: Date, limit: number): Promise<Item[]> {
    const rows = await this.db
      .selectFrom("items")
      .select("id")
      // Hides the status from SQLite's planner, which would otherwise read all published items every second.
      .where(({ eb, fn, val }) => eb(fn.coalesce("status", val("")), "=", "published"))
      .where("expire_at", "<=", now.toISOString())
      .orderBy("expire_at")
      .limit(limit)
      .execute();
    return await this.#wholeItems(rows);
  }

  async translations(originalId: string, except = ""): Promise<ItemOutline[]> {
    const rows = await this.db
      .selectFrom("items")
      .select(VERIFIED_OUTLINE_COLUMNS)
      .where((items) =>
        items.or([items("id", "=", originalId), items("translation_of", "=", originalId)]),
      )
      .where("id", "<>", except)
      .where("status", "<>", "deleted")
      .orderBy("language")
      .orderBy("id")
      .execute();
    return rows.map(outlineFromRow);
  }

  async itemsWithField(
    types: readonly string[],
    field: string,
  ): Promise<{ item: ItemOutline; value: FieldValue }[]> {
    if (types.length === 0) return [];
    const rows = await this.db
      .selectFrom("items")
      .select([...VERIFIED_OUTLINE_COLUMNS, "fields"])
      .where("type", "in", types)
      .where("status", "<>", "deleted")
      // Filters by text first, so that few rows have to be parsed.
      .where("fields", "like", `%"${field}":%`)
      .orderBy("id")
      .execute();
    return rows.flatMap((row) => {
      const fields: Item["fields"] = JSON.parse(row.fields);
      const value = fields[field];
      return value === undefined ? [] : [{ item: outlineFromRow(row), value }];
    });
  }

  async redirect(id: string): Promise<Redirect | null> {
    const row = await this.db
      .selectFrom("redirects")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : redirectFromRow(row);
  }

  async redirectAt(path: string): Promise<Redirect | null> {
    const found = this.db.selectFrom("redirects").selectAll().where("path", "=", path);
    const row = await found.executeTakeFirst();
    return row === undefined ? null : redirectFromRow(row);
  }

  async hasFile(path: string): Promise<boolean> {
    return await isPathOfSiteFile(this.db, path);
  }

  async showsFile(path: string): Promise<boolean> {
    return await isFileInPublishedItem(this.db, path);
  }

  /** Returns the relations from these items, in the order in which each item lists them. */
  protected async relations(ids: readonly string[]): Promise<RelationRow[]> {
    return await this.db
      .selectFrom("relations")
      .selectAll()
      .where("from_id", "in", ids)
      .orderBy("from_id")
      .orderBy("relation")
      .orderBy("position")
      .execute();
  }

  protected async hasRedirects(): Promise<boolean> {
    // The limit is a literal, because with a bound limit SQLite would plan the query again each time.
    const any = this.db.selectFrom("redirects").select("id").limit(sql.lit(1));
    return (await any.execute()).length > 0;
  }

  async purgeable(deletedBefore: Date, limit: number): Promise<Item[]> {
    const rows = await this.db
      .selectFrom("items")
      .select("id")
      .where("status", "=", sql.lit("deleted"))
      .where("revision", ">", sql.lit(0))
      .where("updated_at", "<", deletedBefore.toISOString())
      .limit(limit)
      .execute();
    return await this.#wholeItems(rows);
  }

  async lastTrustedTime(): Promise<string | null> {
    return (await readSavedTime(this.db))?.at ?? null;
  }

  async site(): Promise<SiteProfile | null> {
    return (await this.settings()).site;
  }

  async types(): Promise<ContentTypes> {
    return (await this.settings()).types;
  }

  async typeCounts(): Promise<TypeCount[]> {
    return await countItemsByTypeAndStatus(this.db);
  }

  /** Reads the site profile and the types in one query, because most writes need both. */
  protected async settings(): Promise<SiteProfileAndTypes> {
    const rows = await this.db
      .selectFrom("settings")
      .selectAll()
      .where("name", "in", [sql.lit("site"), sql.lit("types")])
      .execute();
    for (const row of rows) {
      requireMatchingHash({ stored: row.hash, found: settingHash(row) }, "settings", row.name);
    }
    const texts = new Map(rows.map(({ name, value }) => [name, value]));
    const site = texts.get("site");
    return {
      site: site === undefined ? null : this.#declared.site(site),
      types: this.#declared.withBuiltIn(texts.get("types") ?? "[]"),
    };
  }

  /** Skips damaged items, so that they do not block intact ones. */
  async #wholeItems(rows: readonly { id: string }[]): Promise<Item[]> {
    const items = await Promise.all(rows.map(({ id }) => this.item(id).catch(nullIfDamageError)));
    return items.filter((item) => item !== null);
  }

  async #withRelations(row: ItemRow | undefined): Promise<Item | null> {
    if (row === undefined) return null;
    return itemFromRow(row, await this.relations([row.id]));
  }
}

export interface SiteProfileAndTypes {
  site: SiteProfile | null;
  types: ContentTypes;
}

/**
 * Caches the site profile and the declared types. Reads the stored texts only if `version` differs,
 * as it does after every commit of another process. Parses only texts that have changed.
 */
export class SettingsCache {
  readonly #version: () => number;
  #settings: SiteProfileAndTypes | null = null;
  #settingsVersion = Number.NaN;
  #text = "";
  #types: ContentTypes = new Map();
  #siteText = "";
  #site: SiteProfile | null = null;

  constructor(version: () => number = () => Number.NaN) {
    this.#version = version;
  }

  /** The settings for a write transaction; null if they must be read again. */
  current(): SiteProfileAndTypes | null {
    if (this.#settings === null) return null;
    return this.#version() === this.#settingsVersion ? this.#settings : null;
  }

  /** Stores the settings that a write transaction has read. */
  store(settings: SiteProfileAndTypes): void {
    this.#settings = settings;
    this.#settingsVersion = this.#version();
  }

  /** Call when settings are written and when a transaction is rolled back. */
  forget(): void {
    this.#settings = null;
  }

  site(text: string): SiteProfile {
    if (this.#site !== null && text === this.#siteText) return this.#site;
    const site = siteProfileSchema.parse(JSON.parse(text));
    this.#siteText = text;
    this.#site = site;
    return site;
  }

  withBuiltIn(text: string): ContentTypes {
    if (text !== this.#text) {
      const declared: ContentType[] = JSON.parse(text);
      this.#types = new Map([...BUILT_IN_TYPES, ...declared].map((type) => [type.name, type]));
      this.#text = text;
    }
    return this.#types;
  }
}

/** @throws {DamageError} when the row does not match its hash. */
function revisionOf(row: RevisionRow): Revision {
  const key = `${row.item_id} ${row.revision}`;
  requireMatchingHash({ stored: row.hash, found: revisionHash(row) }, "revisions", key);
  const { item, at, actor, action } = row;
  // Revisions stored by earlier releases lack these dates.
  const dates = { expireAt: null, reviewAt: null };
  return { item: { ...dates, ...JSON.parse(item) }, at, actor, action };
}
