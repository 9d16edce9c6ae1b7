import { type Kysely, sql } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type {
  MediaQuery,
  MediaReader,
  MediaStore,
  MediaTransaction,
  Medium,
  MediumUse,
} from "../../../content/media/media.ts";
import type { Projection } from "../../projection.ts";
import { writeAudit } from "../access/audit.ts";
import type { Connections } from "../connections.ts";
import { likeText } from "../like-text.ts";
import type { RecordTables } from "../tables.ts";
import { ContentQueries, type DeclaredTypes } from "./content-queries.ts";
import { mediumOf, mediumRow } from "./media-rows.ts";

class MediaQueries implements MediaReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async medium(id: string): Promise<Medium | null> {
    const row = await this.db
      .selectFrom("media")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : mediumOf(row);
  }

  async media({ type, text, unused, limit, after }: MediaQuery): Promise<Medium[]> {
    let query = this.db.selectFrom("media").selectAll();
    if (type !== undefined) {
      query = type.includes("/")
        ? query.where("type", "=", type)
        : query.where("type", "like", `${type}/%`);
    }
    if (text !== undefined) {
      const words = sql<string>`lower(name || ' ' || alt || ' ' || credit)`;
      query = query.where(
        sql<boolean>`${words} like ${`%${likeText(text.toLowerCase())}%`} escape '\\'`,
      );
    }
    if (unused === true) query = query.where(sql<boolean>`not ${isUsed}`);
    if (after !== undefined) {
      query = query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("added_at", "id"), "<", tuple(after.addedAt, after.id)),
      );
    }
    const rows = await query
      .orderBy("added_at", "desc")
      .orderBy("id", "desc")
      .limit(limit)
      .execute();
    return rows.map(mediumOf);
  }

  async uses(id: string): Promise<MediumUse[]> {
    return await this.db
      .selectFrom("media_uses")
      .innerJoin("items", "items.id", "media_uses.item_id")
      .select(["items.id", "items.type", "items.path", "items.title", "items.status"])
      .where("media_uses.medium_id", "=", id)
      .where("items.status", "!=", "deleted")
      .orderBy("items.path")
      .execute();
  }

  async isOfSite(id: string): Promise<boolean> {
    const row = await this.db
      .selectFrom("settings")
      .select("name")
      .where("name", "=", "site")
      .where("value", "like", `%/media/${likeText(id)}.%`)
      .executeTakeFirst();
    return row !== undefined;
  }

  async knownMedia(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.db.selectFrom("media").select("id").where("id", "in", ids).execute();
    return new Set(rows.map((row) => row.id));
  }
}

interface MediaParts {
  projection: Projection;
  declared: DeclaredTypes;
}

class KyselyMediaTransaction extends MediaQueries implements MediaTransaction {
  readonly #projection: Projection;
  readonly #items: ContentQueries;

  constructor(db: Kysely<RecordTables>, { projection, declared }: MediaParts) {
    super(db);
    this.#projection = projection;
    this.#items = new ContentQueries(db, declared);
  }

  async put(medium: Medium, entry: AuditEntry): Promise<void> {
    const row = mediumRow(medium);
    const before = await this.medium(medium.id);
    if (before === null) {
      await this.db.insertInto("media").values(row).execute();
      await this.forgetRemoved(medium.id);
    } else {
      await this.db.updateTable("media").set(row).where("id", "=", medium.id).execute();
    }
    await writeAudit(this.db, entry);
    this.#projection.putMedium(medium);
    if (before?.alt !== medium.alt || before.credit !== medium.credit) {
      await this.#renderAgain(medium.id);
    }
  }

  async remove({ id, type }: Medium, entry: AuditEntry): Promise<void> {
    await this.db.deleteFrom("media").where("id", "=", id).execute();
    await this.db
      .insertInto("media_removed")
      .values({ id, type })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await writeAudit(this.db, entry);
    this.#projection.removeMedium(id);
  }

  async forgetRemoved(id: string): Promise<void> {
    await this.db.deleteFrom("media_removed").where("id", "=", id).execute();
  }

  async #renderAgain(id: string): Promise<void> {
    for (const use of await this.uses(id)) {
      const item = use.status === "published" ? await this.#items.item(use.id) : null;
      if (item === null) continue;
      this.#projection.put(item, { before: item, formerPath: null, isGone: false });
    }
  }
}

/** Metadata of files. */
export class KyselyMediaStore extends MediaQueries implements MediaStore {
  readonly #transact: Connections["transact"];
  readonly #parts: MediaParts;

  constructor({ reader, transact, ...parts }: Connections & MediaParts) {
    super(reader);
    this.#transact = transact;
    this.#parts = parts;
  }

  async removed(): Promise<Pick<Medium, "id" | "type">[]> {
    return await this.db.selectFrom("media_removed").selectAll().execute();
  }

  async write<T>(change: (transaction: MediaTransaction) => Promise<T>): Promise<T> {
    return await this.#transact((db) => change(new KyselyMediaTransaction(db, this.#parts)));
  }
}

const isUsed = sql<boolean>`(
  exists (
    select 1 from media_uses join items on items.id = media_uses.item_id
    where media_uses.medium_id = media.id and items.status <> 'deleted'
  )
  or exists (
    select 1 from settings
    where settings.name = 'site' and settings.value like '%/media/' || media.id || '.%'
  )
)`;
