import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import type { Medium } from "../../../content/media/media.ts";
import { mediaIn } from "../../../content/media/media-kinds.ts";
import type { MediumRow, RecordTables } from "../tables.ts";

export function mediumOf(row: MediumRow): Medium {
  const { added_by, added_at, updated_at, ...same } = row;
  return { ...same, addedBy: added_by, addedAt: added_at, updatedAt: updated_at };
}

export function mediumRow({ addedBy, addedAt, updatedAt, ...same }: Medium): MediumRow {
  return { ...same, added_by: addedBy, added_at: addedAt, updated_at: updatedAt };
}

/** Saves which files the item's texts use. Call in the transaction that saves the item. */
export async function saveMediaUses(
  db: Kysely<RecordTables>,
  item: Item,
  before: Item | null,
): Promise<void> {
  const named = [...mediaIn(item).keys()];
  const namedBefore = before === null ? [] : [...mediaIn(before).keys()];
  if (named.length === 0 && namedBefore.length === 0) return;
  if (isDeepStrictEqual(named, namedBefore)) return;
  await db.deleteFrom("media_uses").where("item_id", "=", item.id).execute();
  if (named.length === 0) return;
  const rows = named.map((medium_id) => ({ item_id: item.id, medium_id }));
  await db.insertInto("media_uses").values(rows).execute();
}
