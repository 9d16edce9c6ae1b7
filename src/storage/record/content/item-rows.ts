import type { Kysely } from "kysely";
import type { Item, Link } from "../../../content/items/item.ts";
import type { ImportBase } from "../../../content/record.ts";
import { insertInSlices, queryInSlices, UNREAD_RESULT_HINT } from "../batches.ts";
import type { ItemRow, RecordTables, RelationRow } from "../tables.ts";
import { unverifiedOutlineFromRow } from "./outline-rows.ts";
import {
  itemDatesHash,
  itemHash,
  itemOutlineHash,
  relationHash,
  requireMatchingHash,
} from "./record-hashes.ts";

/** @throws {DamageError} when a row does not match its hash. */
export function itemFromRow(row: ItemRow, relations: readonly RelationRow[]): Item {
  requireMatchingHash({ stored: row.hash, found: itemHash(row) }, "items", row.id);
  requireMatchingHash({ stored: row.dates_hash, found: itemDatesHash(row) }, "items", row.id);
  for (const relation of relations) {
    requireMatchingHash(
      { stored: relation.hash, found: relationHash(relation) },
      "relations",
      row.id,
    );
  }
  return {
    ...unverifiedOutlineFromRow(row),
    body: row.body,
    fields: JSON.parse(row.fields),
    relations: linksOf(relations),
  };
}

export function itemToRow(item: Item): ItemRow {
  const row = {
    id: item.id,
    type: item.type,
    path: item.path,
    title: item.title,
    summary: item.summary,
    body: item.body,
    fields: JSON.stringify(item.fields),
    language: item.language,
    translation_of: item.translationOf,
    status: item.status,
    publish_at: item.publishAt,
    published_at: item.publishedAt,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    revision: item.revision,
    source_key: item.sourceKey,
    expire_at: item.expireAt,
    review_at: item.reviewAt,
  };
  return {
    ...row,
    outline_hash: itemOutlineHash(row),
    hash: itemHash(row),
    dates_hash: itemDatesHash(row),
  };
}

export function relationsToRows(item: Item): RelationRow[] {
  return Object.entries(item.relations).flatMap(([relation, links]) =>
    links.map(({ to, note }, position) => {
      const row = { from_id: item.id, relation, position, to_id: to, note };
      return { ...row, hash: relationHash(row) };
    }),
  );
}

/** Expects the rows of one item, sorted by position. */
function linksOf(
  rows: readonly Pick<RelationRow, "relation" | "to_id" | "note">[],
): Record<string, Link[]> {
  const links: Record<string, Link[]> = {};
  for (const { relation, to_id, note } of rows) {
    const group = links[relation];
    if (group === undefined) links[relation] = [{ to: to_id, note }];
    else group.push({ to: to_id, note });
  }
  return links;
}

/** The import bases of these items, by id. Omits items without one. */
export async function readImportBases(
  db: Kysely<RecordTables>,
  itemIds: readonly string[],
): Promise<Map<string, ImportBase>> {
  const rows = await queryInSlices(
    itemIds,
    async (ids) =>
      await db.selectFrom("import_bases").selectAll().where("item_id", "in", ids).execute(),
  );
  return new Map(
    rows.map(({ item_id, revision, stated }) => [
      item_id,
      { itemId: item_id, revision, stated: stated === null ? null : JSON.parse(stated) },
    ]),
  );
}

export async function saveImportBases(
  db: Kysely<RecordTables>,
  bases: readonly ImportBase[],
): Promise<void> {
  await insertInSlices(bases, async (slice) => {
    const rows = slice.map(({ itemId, revision, stated }) => ({
      item_id: itemId,
      revision,
      stated: stated === null ? null : JSON.stringify(stated),
    }));
    await db
      .insertInto("import_bases")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("item_id").doUpdateSet(({ ref }) => ({
          revision: ref("excluded.revision"),
          stated: ref("excluded.stated"),
        })),
      )
      .modifyEnd(UNREAD_RESULT_HINT)
      .execute();
  });
}
