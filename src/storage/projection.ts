import type { DatabaseSync } from "node:sqlite";
import type { Kysely } from "kysely";
import type { ContentTypes } from "../content/content-type.ts";
import type { Item } from "../content/item.ts";
import type { ReadingCopy } from "../content/library.ts";
import type { Medium } from "../content/media.ts";
import type { ContentReader, Redirect } from "../content/record.ts";
import type { SiteProfile } from "../content/site.ts";
import { checkTexts } from "./reading/check-texts.ts";
import { readingCopyWithin } from "./reading/open.ts";
import { ensureSchema } from "./reading/schema.ts";
import { createReadingWriter, type ReadingWriter } from "./reading/writer.ts";
import { itemOf } from "./record/item-rows.ts";
import { mediumOf } from "./record/media-rows.ts";
import type { RecordTables } from "./record/tables.ts";
import { takingTurns } from "./taking-turns.ts";

const BLOCK_ITEMS = 1000;

/** Called after each block of items with how many are done, of how many. */
export type OnProgress = (done: number, total: number) => void;

export interface ItemMove {
  before: Item | null;
  /** A path that leads to the item from now on. */
  formerPath: string | null;
  /** The path once told the public something: it answers 410, not 404. */
  isGone: boolean;
}

/** Told of every change of the record inside its transaction. */
export interface Projection {
  /**
   * To be asked before an item is put, whatever its status, since the clock may publish it.
   * @throws {AppError} `invalid` when a text of the item cannot be rendered, naming which.
   */
  check(item: Item): void;
  /** Call at the begin of every transaction: one that was undone may have left something behind. */
  begin(): void;
  /** Kept back until {@link Projection.flush}, so that what follows from many is worked out once. */
  put(item: Item, move: ItemMove): void;
  /** Call now and then, so that not all of it is held in memory. */
  flush(): Promise<void>;
  /** Call before the transaction ends. */
  finish(): Promise<void>;
  putRedirect(redirect: Redirect): void;
  /** The path is free, or tells again that the displaced item is gone. */
  removeRedirect(redirect: Redirect, displaced: Item | null): void;
  /** What the public would see, as the transaction has it; good until its end. */
  present(): ReadingCopy;
  /** Items that show the file have to be put again. */
  putMedium(medium: Medium): void;
  removeMedium(id: string): void;
  /** `db` sees the transaction. */
  saveSite(profile: SiteProfile, types: ContentTypes, db: Kysely<RecordTables>): Promise<void>;
  /**
   * Makes the reading copy anew when it is missing or was made for another public origin or by
   * another version of this program. Call inside a transaction that `content` and `db` see.
   */
  refresh(content: ContentReader, db: Kysely<RecordTables>, onProgress: OnProgress): Promise<void>;
}

/** Mirrors changes into the reading copy in the same file, on the same connection. */
export function embeddedProjection(connection: DatabaseSync, origin: string): Projection {
  const writer = createReadingWriter(connection, { origin });
  return {
    check: (item) => checkTexts(item, origin),
    begin: () => writer.discard(),
    put(item, { before, formerPath, isGone }) {
      if (item.status === "published") writer.put(item);
      else if (isGone || (before !== null && before.status !== "draft")) {
        writer.retire(item, isGone);
      }
      if (formerPath !== null) writer.redirect(formerPath, item.id);
    },
    putRedirect({ from, to }) {
      if ("itemId" in to) writer.redirect(from, to.itemId);
      else writer.lead(from, to.path);
    },
    removeRedirect({ from }, displaced) {
      writer.dropRedirect(from);
      if (displaced?.path === from) writer.retire(displaced, true);
      else if (displaced !== null) writer.redirect(from, displaced.id);
    },
    flush: async () => await takingTurns(writer.flush()),
    finish: async () => await takingTurns(writer.finish()),
    present: () => readingCopyWithin(connection),
    putMedium: (medium) => writer.putMedium(medium),
    removeMedium: (id) => writer.removeMedium(id),
    async saveSite(profile, types, db) {
      if (!writer.saveSite(profile, types)) return;
      ensureSchema(connection, { origin });
      writer.discard();
      writer.saveSite(profile, types);
      await projectAll(db, writer);
    },
    async refresh(content, db, onProgress) {
      if (!ensureSchema(connection, { origin })) return;
      const site = await content.site();
      if (site !== null) writer.saveSite(site, await content.types());
      await projectAll(db, writer, onProgress);
    },
  };
}

/** The public origin the reading copy was made for; null: there is none yet. */
export function projectedOrigin(connection: DatabaseSync): string | null {
  const table = connection.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reading_made'").get();
  if (table === undefined) return null;
  const origin = connection.prepare("SELECT origin FROM reading_made").get()?.["origin"];
  return typeof origin === "string" ? origin : null;
}

/** Puts everything the public may know of into an empty or outdated reading copy. */
async function projectAll(
  db: Kysely<RecordTables>,
  writer: ReadingWriter,
  onProgress: OnProgress = () => {},
): Promise<void> {
  const media = await db.selectFrom("media").selectAll().execute();
  for (const row of media) writer.putMedium(mediumOf(row));
  const { total } = await db
    .selectFrom("items")
    .select((items) => items.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  let done = 0;
  let after = "";
  for (;;) {
    const items = await itemsAfter(db, after);
    for (const { item, wasPublic } of items) {
      if (item.status === "published") writer.put(item);
      else if (wasPublic && (item.status === "archived" || item.status === "deleted")) {
        writer.retire(item, true);
      }
    }
    await takingTurns(writer.flush());
    const last = items.at(-1);
    if (last === undefined) break;
    after = last.item.id;
    done += items.length;
    onProgress(done, total);
  }
  await projectRedirects(db, writer);
  await takingTurns(writer.finish());
}

interface ClaimingItem {
  item: Item;
  wasPublic: boolean;
}

/** The next block in the order of ids, which is that of creation. */
async function itemsAfter(db: Kysely<RecordTables>, after: string): Promise<ClaimingItem[]> {
  const rows = await db
    .selectFrom("items")
    .leftJoin("path_claims", "path_claims.path", "items.path")
    .selectAll("items")
    .select("path_claims.was_public")
    .where("items.id", ">", after)
    .orderBy("items.id")
    .limit(BLOCK_ITEMS)
    .execute();
  const last = rows.at(-1);
  if (last === undefined) return [];
  const relations = await db
    .selectFrom("relations")
    .selectAll()
    .where("from_id", ">", after)
    .where("from_id", "<=", last.id)
    .orderBy("from_id")
    .orderBy("relation")
    .orderBy("position")
    .execute();
  const byItem = Map.groupBy(relations, ({ from_id }) => from_id);
  return rows.map(({ was_public, ...row }) => ({
    item: itemOf(row, byItem.get(row.id) ?? []),
    wasPublic: was_public === 1,
  }));
}

async function projectRedirects(db: Kysely<RecordTables>, writer: ReadingWriter): Promise<void> {
  const claims = await db
    .selectFrom("path_claims")
    .select(["path", "item_id"])
    .where("is_current", "=", 0)
    .orderBy("path")
    .execute();
  for (const { path, item_id } of claims) writer.redirect(path, item_id);
  const leads = await db
    .selectFrom("redirects")
    .select(["path", "to_path"])
    .where("to_path", "is not", null)
    .orderBy("path")
    .execute();
  for (const { path, to_path } of leads) if (to_path !== null) writer.lead(path, to_path);
}
