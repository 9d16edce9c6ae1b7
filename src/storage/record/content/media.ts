import { type Kysely, sql } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type {
  DraftUsingFile,
  ItemUsingFile,
  MediaFile,
  MediaQuery,
  MediaReader,
  MediaStore,
  MediaTransaction,
  RedirectUsingFile,
  RemovedMediaFile,
} from "../../../content/media/media.ts";
import type { Projection } from "../../projection.ts";
import { writeAuditEntry } from "../access/audit.ts";
import { queryInSlices } from "../batches.ts";
import type { Connections } from "../connections.ts";
import { containsTextSql, escapeLikeWildcards } from "../like-text.ts";
import type { RecordTables } from "../tables.ts";
import { ContentQueries, type SettingsCache } from "./content-queries.ts";
import { projectMedia } from "./media-projection.ts";
import { mediaFileFromRow, mediaFileToRow, removedMediaFileFromRow } from "./media-rows.ts";
import { readPublicMediaAmong } from "./public-media.ts";

class MediaQueries implements MediaReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async medium(id: string): Promise<MediaFile | null> {
    const row = await this.db
      .selectFrom("media")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : mediaFileFromRow(row);
  }

  async media({ type, text, unused, undescribed, limit, after }: MediaQuery): Promise<MediaFile[]> {
    let query = this.db.selectFrom("media").selectAll();
    if (type !== undefined) {
      query = type.includes("/")
        ? query.where("type", "=", type)
        : query.where("type", "like", `${type}/%`);
    }
    if (text !== undefined) {
      query = query.where(containsTextSql(sql<string>`name || ' ' || alt || ' ' || credit`, text));
    }
    if (unused === true) query = query.where(sql<boolean>`not ${isUsed}`);
    if (undescribed === true) {
      query = query
        .where("type", "like", "image/%")
        .where("alt", "=", "")
        .where("decorative", "=", 0);
    }
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
    return rows.map(mediaFileFromRow);
  }

  async uses(id: string): Promise<ItemUsingFile[]> {
    return await this.db
      .selectFrom("media_uses")
      .innerJoin("items", "items.id", "media_uses.item_id")
      .select(["items.id", "items.type", "items.path", "items.title", "items.status"])
      .where("media_uses.medium_id", "=", id)
      .where("items.status", "!=", "deleted")
      .orderBy("items.path")
      .execute();
  }

  async draftUses(id: string): Promise<DraftUsingFile[]> {
    return await this.db
      .selectFrom("draft_media")
      .innerJoin("drafts", "drafts.id", "draft_media.draft_id")
      .select(["drafts.id", "drafts.title"])
      .where("draft_media.medium_id", "=", id)
      .orderBy("drafts.id")
      .execute();
  }

  async redirectUses(id: string): Promise<RedirectUsingFile[]> {
    return await this.db
      .selectFrom("redirects")
      .select(["id", "path as from"])
      .where("to_path", "like", `/media/${escapeLikeWildcards(id)}.%`)
      .orderBy("path")
      .execute();
  }

  async removedMedium(id: string): Promise<RemovedMediaFile | null> {
    const row = await this.db
      .selectFrom("media_removed")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : removedMediaFileFromRow(row);
  }

  async removedMedia(limit: number): Promise<RemovedMediaFile[]> {
    const rows = await this.db
      .selectFrom("media_removed")
      .selectAll()
      .where("medium", "is not", null)
      .orderBy("removed_at", "desc")
      .orderBy("id")
      .limit(limit)
      .execute();
    return rows.map(removedMediaFileFromRow).filter((each) => each !== null);
  }

  async isUsedBySiteProfile(id: string): Promise<boolean> {
    const row = await this.db
      .selectFrom("settings")
      .select("name")
      .where("name", "=", "site")
      .where("value", "like", `%/media/${escapeLikeWildcards(id)}.%`)
      .executeTakeFirst();
    return row !== undefined;
  }

  async publicMedia(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await readPublicMediaAmong(this.db, ids)).map(({ id }) => id));
  }

  async knownMedia(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await queryInSlices(
      ids,
      async (some) =>
        await this.db.selectFrom("media").select("id").where("id", "in", some).execute(),
    );
    return new Set(rows.map((row) => row.id));
  }
}

interface MediaParts {
  projection: Projection;
  declared: SettingsCache;
}

class KyselyMediaTransaction extends MediaQueries implements MediaTransaction {
  readonly #projection: Projection;
  readonly #items: ContentQueries;

  constructor(db: Kysely<RecordTables>, { projection, declared }: MediaParts) {
    super(db);
    this.#projection = projection;
    this.#items = new ContentQueries(db, declared);
  }

  async put(medium: MediaFile, entry: AuditEntry): Promise<void> {
    const row = mediaFileToRow(medium);
    const before = await this.medium(medium.id);
    if (before === null) {
      await this.db.insertInto("media").values(row).execute();
      await this.forgetRemoved(medium.id);
    } else {
      await this.db.updateTable("media").set(row).where("id", "=", medium.id).execute();
    }
    await writeAuditEntry(this.db, entry);
    await projectMedia(this.db, this.#projection, new Set([medium.id]));
    if (before === null || isShownDifferently(before, medium)) await this.#rerenderItems(medium.id);
  }

  async remove(medium: MediaFile, entry: AuditEntry): Promise<void> {
    const { id, type } = medium;
    await this.db.deleteFrom("media").where("id", "=", id).execute();
    const kept = { type, medium: JSON.stringify(mediaFileToRow(medium)), removed_at: entry.at };
    await this.db
      .insertInto("media_removed")
      .values({ id, ...kept })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ ...kept, in_trash: 0 }))
      .execute();
    await writeAuditEntry(this.db, entry);
    this.#projection.removeMedium(id);
  }

  async noteTrashed(id: string): Promise<void> {
    await this.db.updateTable("media_removed").set({ in_trash: 1 }).where("id", "=", id).execute();
  }

  async forgetRemovedBefore(time: Date): Promise<void> {
    const at = time.toISOString();
    await this.db
      .deleteFrom("media_removed")
      .where("in_trash", "=", 1)
      .where(({ eb, or }) => or([eb("removed_at", "is", null), eb("removed_at", "<", at)]))
      .execute();
  }

  async forgetRemoved(id: string): Promise<void> {
    await this.db.deleteFrom("media_removed").where("id", "=", id).execute();
  }

  async #rerenderItems(id: string): Promise<void> {
    for (const use of await this.uses(id)) {
      const item = use.status === "published" ? await this.#items.item(use.id) : null;
      if (item === null) continue;
      this.#projection.put(item, { before: item, formerPath: null, isGone: false });
    }
  }
}

function isShownDifferently(before: MediaFile, after: MediaFile): boolean {
  return (["alt", "credit", "isDecorative"] as const).some((key) => before[key] !== after[key]);
}

/** Stores the metadata of files. */
export class KyselyMediaStore extends MediaQueries implements MediaStore {
  readonly #transact: Connections["transact"];
  readonly #parts: MediaParts;

  constructor({ reader, transact, ...parts }: Connections & MediaParts) {
    super(reader);
    this.#transact = transact;
    this.#parts = parts;
  }

  async withdrawn(): Promise<Pick<MediaFile, "id" | "type">[]> {
    return await this.db
      .selectFrom("media_removed")
      .select(["id", "type"])
      .where("in_trash", "=", 0)
      .execute();
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
  or exists (select 1 from draft_media where draft_media.medium_id = media.id)
  or exists (
    select 1 from settings
    where settings.name = 'site' and settings.value like '%/media/' || media.id || '.%'
  )
)`;
