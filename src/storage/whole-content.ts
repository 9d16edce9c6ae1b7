import type { Kysely } from "kysely";
import type { Item } from "../content/items/item.ts";
import type { MediaFile } from "../content/media/media.ts";
import type { InitialFillWriter } from "./reading/writing/initial-fill-writer.ts";
import { itemFromRow } from "./record/content/item-rows.ts";
import { readPublicMedia } from "./record/content/public-media.ts";
import { countItems } from "./record/item-counts.ts";
import type { RecordTables } from "./record/tables.ts";
import {
  listFormerPaths,
  listRedirectingPaths,
  type RedirectingPath,
} from "./redirecting-paths.ts";
import { type ScannedRelations, scanRelationsIfSearchMisses } from "./scanned-relations.ts";
import { nullIfDamageError, reportRecordDamage } from "./sqlite/damage.ts";
import { runStepsWithYields } from "./sqlite/yield-between.ts";

const BATCH_ITEMS = 1000;

/** Called after each batch with the number of items done and the total. */
export type OnProgress = (done: number, total: number) => void;

/** A consistent snapshot of everything a reading copy is built from, except the site. */
export interface WholeContent {
  /** Files that the public may see. */
  media(): Promise<readonly MediaFile[]>;
  itemCount(): Promise<number>;
  /** Items in batches, in order of creation. */
  items(): AsyncIterable<readonly ItemWithPathClaim[]>;
  /** Paths that redirect or are gone, in batches. */
  paths(): AsyncIterable<readonly RedirectingPath[]>;
}

export interface ItemWithPathClaim {
  item: Item;
  /** Whether the item's path was ever public. */
  wasPublic: boolean;
}

/**
 * Fills an empty reading copy with everything the public may know. Save the site to the copy first, and
 * call {@link InitialFillWriter.finish} afterwards. Waits for `afterBatch` after each batch.
 */
export async function fillReadingCopy(
  content: WholeContent,
  writer: InitialFillWriter,
  afterBatch: (done: number, total: number) => void | Promise<void> = () => {},
): Promise<void> {
  for (const medium of await content.media()) writer.putMedium(medium);
  const total = await content.itemCount();
  let done = 0;
  for await (const batch of content.items()) {
    for (const itemWithClaim of batch) projectItem(itemWithClaim, writer);
    await runStepsWithYields(writer.flush());
    done += batch.length;
    await afterBatch(done, total);
  }
  for await (const batch of content.paths()) {
    for (const path of batch) projectPath(path, writer);
    await runStepsWithYields(writer.flush());
  }
  while (await runStepsWithYields(writer.flushDeferred())) await afterBatch(done, total);
}

function projectItem({ item, wasPublic }: ItemWithPathClaim, writer: InitialFillWriter): void {
  if (item.status === "published") writer.put(item);
  else if (wasPublic && (item.status === "archived" || item.status === "deleted")) {
    writer.retire(item, true);
  }
}

function projectPath({ path, to }: RedirectingPath, writer: InitialFillWriter): void {
  if (to === null) writer.leadNowhere(path);
  else if ("itemId" in to) writer.redirect(path, to.itemId);
  else writer.lead(path, to.path);
}

/** Reads the tables as of the current transaction. */
export function createWholeContentReader(db: Kysely<RecordTables>): WholeContent {
  return {
    media: async () => await readPublicMedia(db),
    async itemCount() {
      const { total } = await db
        .selectFrom("items")
        .select((items) => items.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      return total;
    },
    async *items() {
      const unsearched = await scanRelationsIfSearchMisses(db, BATCH_ITEMS);
      let read = 0;
      for (let after = ""; ; ) {
        const { items, rows, last } = await itemsAfter(db, after, unsearched);
        if (last === undefined) break;
        after = last;
        read += rows;
        yield items;
      }
      await reportLostItems(db, read);
    },
    async *paths() {
      yield await listFormerPaths(db);
      yield await listRedirectingPaths(db);
    },
  };
}

/**
 * Reports damage if fewer items were `read` than the table contains. A damaged index hides the missing
 * items.
 */
async function reportLostItems(db: Kysely<RecordTables>, read: number): Promise<void> {
  const counted = await countItems(db, { types: [], statuses: [] }).catch(nullIfDamageError);
  if (counted !== null && counted !== read) reportRecordDamage("items", null);
}

interface Batch {
  items: ItemWithPathClaim[];
  /** Number of rows read, including damaged items. */
  rows: number;
  /** Id of the last row; undefined: there are no more. */
  last: string | undefined;
}

/**
 * Reads the batch of items with ids above `after`. Ids are in order of creation. Omits items that have
 * lost a relation.
 *
 * @param unsearched the scanned relations if searches miss some relations; null if searches find all.
 */
async function itemsAfter(
  db: Kysely<RecordTables>,
  after: string,
  unsearched: ScannedRelations | null,
): Promise<Batch> {
  const rows = await db
    .selectFrom("items")
    .leftJoin("path_claims", (claim) =>
      claim.onRef("path_claims.path", "=", "items.path").onRef("item_id", "=", "items.id"),
    )
    .selectAll("items")
    .select("path_claims.was_public")
    .where("items.id", ">", after)
    .orderBy("items.id")
    .limit(BATCH_ITEMS)
    .execute();
  const last = rows.at(-1);
  if (last === undefined) return { items: [], rows: 0, last: undefined };
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
  const items = rows.flatMap(({ was_public, ...row }) => {
    const found = (unsearched?.rows ?? byItem).get(row.id) ?? [];
    try {
      if (found.length < (unsearched?.counts.get(row.id) ?? 0)) {
        throw reportRecordDamage("relations", row.id);
      }
      const item = itemFromRow(row, found);
      return [{ item, wasPublic: was_public === 1 }];
    } catch (error) {
      // The rest of the site is readable without this item.
      return nullIfDamageError(error) ?? [];
    }
  });
  return { items, rows: rows.length, last: last.id };
}
