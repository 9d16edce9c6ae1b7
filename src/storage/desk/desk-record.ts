import { type Kysely, sql } from "kysely";
import type { SiteProfile } from "../../content/site/site.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { queryInSlices } from "../record/batches.ts";
import { ContentQueries, SettingsCache } from "../record/content/content-queries.ts";
import { itemFromRow } from "../record/content/item-rows.ts";
import { draftFromRow } from "../record/drafts/drafts.ts";
import type { DraftRow, ItemRow, RecordTables } from "../record/tables.ts";
import { nullIfDamageError } from "../sqlite/damage.ts";
import type { DeskEntrySource } from "./desk-entry.ts";

const BATCH_ITEMS = 500;

/** A changed or removed item, or a draft without an item. */
export interface DeskChange {
  id: string;
  number: number;
}

export interface DeskSite {
  /** Differs after a move to another engine or database, where the changes have other numbers. */
  recordId: string;
  profile: SiteProfile;
  types: ContentTypes;
  /** The public origin of the site. */
  origin: string;
}

/** Reads the data for the editors' index from the record, in batches and without a snapshot. */
export class DeskRecord {
  readonly #db: Kysely<RecordTables>;
  readonly #content: ContentQueries;
  readonly #origin: string;
  readonly #readRecordId: (db: Kysely<RecordTables>) => Promise<string | null>;

  constructor(
    db: Kysely<RecordTables>,
    {
      origin,
      readRecordId,
    }: { origin: string; readRecordId: (db: Kysely<RecordTables>) => Promise<string | null> },
  ) {
    this.#db = db;
    this.#origin = origin;
    this.#readRecordId = readRecordId;
    this.#content = new ContentQueries(db, new SettingsCache());
  }

  /** Returns null until the site is saved. */
  async site(): Promise<DeskSite | null> {
    const [recordId, profile] = [await this.#readRecordId(this.#db), await this.#content.site()];
    if (recordId === null || profile === null) return null;
    return { recordId, profile, types: await this.#content.types(), origin: this.#origin };
  }

  /** Returns the change with the highest number; null if there is none. */
  async lastChange(): Promise<DeskChange | null> {
    return await this.#oneChange(sql`order by number desc`);
  }

  /** The last change of this item or draft. */
  async changeOf(id: string): Promise<DeskChange | null> {
    return await this.#oneChange(sql`where item_id = ${id}`);
  }

  /** Returns the next changes in order. Each item occurs once, with its last change. */
  async changesAfter(position: number, { limit }: { limit: number }): Promise<DeskChange[]> {
    const { rows } = await sql<DeskChange>`
      select item_id as id, number from desk_changes where number > ${position}
      order by number limit ${limit}`.execute(this.#db);
    return rows;
  }

  async itemCount(): Promise<number> {
    const { total } = await this.#db
      .selectFrom("items")
      .select((items) => items.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    return total;
  }

  /** Returns the items and drafts with the given ids, keyed by id. Omits those that no longer exist. */
  async sources(ids: readonly string[]): Promise<ReadonlyMap<string, DeskEntrySource>> {
    const items = await queryInSlices(
      ids,
      async (some) =>
        await this.#db.selectFrom("items").selectAll().where("id", "in", some).execute(),
    );
    const newDrafts = await queryInSlices(
      ids,
      async (some) =>
        await this.#db
          .selectFrom("drafts")
          .selectAll()
          .where("id", "in", some)
          .where("item_id", "is", null)
          .execute(),
    );
    const sources = await this.#withDrafts(items);
    return new Map(
      [...sources, ...newDrafts.flatMap(sourceOfDraft)].map((source) => [idOf(source), source]),
    );
  }

  /**
   * All items and drafts, in batches. An item that changes during the read may appear in its old or new
   * state, or be missing.
   */
  async *everything(): AsyncGenerator<DeskEntrySource[]> {
    for (let after = ""; ; ) {
      const rows = await this.#db
        .selectFrom("items")
        .selectAll()
        .where("id", ">", after)
        .orderBy("id")
        .limit(BATCH_ITEMS)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.id;
      yield await this.#withDrafts(rows);
    }
    for (let after = ""; ; ) {
      const rows = await this.#db
        .selectFrom("drafts")
        .selectAll()
        .where("item_id", "is", null)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BATCH_ITEMS)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.id;
      yield rows.flatMap(sourceOfDraft);
    }
  }

  /** Adds the drafts of items. Omits purged and damaged items. */
  async #withDrafts(rows: readonly ItemRow[]): Promise<DeskEntrySource[]> {
    const ids = rows.map(({ id }) => id);
    const relations = await queryInSlices(
      ids,
      async (some) =>
        await this.#db
          .selectFrom("relations")
          .selectAll()
          .where("from_id", "in", some)
          .orderBy("from_id")
          .orderBy("relation")
          .orderBy("position")
          .execute(),
    );
    const drafts = await queryInSlices(
      ids,
      async (some) =>
        await this.#db.selectFrom("drafts").selectAll().where("item_id", "in", some).execute(),
    );
    const linksByItem = Map.groupBy(relations, ({ from_id }) => from_id);
    const draftByItem = new Map(drafts.map((row) => [row.item_id, row]));
    return rows.flatMap((row): DeskEntrySource[] => {
      if (row.revision === 0) return [];
      try {
        const item = itemFromRow(row, linksByItem.get(row.id) ?? []);
        const draft = draftByItem.get(row.id);
        return [{ item, draft: draft === undefined ? null : draftFromRow(draft) }];
      } catch (error) {
        return nullIfDamageError(error) ?? [];
      }
    });
  }

  async #oneChange(where: ReturnType<typeof sql>): Promise<DeskChange | null> {
    const { rows } = await sql<DeskChange>`
      select item_id as id, number from desk_changes ${where} limit 1`.execute(this.#db);
    return rows[0] ?? null;
  }
}

function sourceOfDraft(row: DraftRow): DeskEntrySource[] {
  try {
    return [{ item: null, draft: draftFromRow(row) }];
  } catch (error) {
    return nullIfDamageError(error) ?? [];
  }
}

function idOf(source: DeskEntrySource): string {
  return source.item === null ? source.draft.id : source.item.id;
}
