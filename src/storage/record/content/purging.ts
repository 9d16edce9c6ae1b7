import type { Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import { removeDraftOfItem } from "../drafts/drafts.ts";
import type { RecordTables } from "../tables.ts";

/**
 * Erases the content, revisions and draft of a deleted item. The emptied row remains, because other
 * items and formerly public paths still refer to it. The audit log remains too.
 */
export async function wipeItem(db: Kysely<RecordTables>, { id }: Item): Promise<void> {
  const claim = await db
    .selectFrom("path_claims")
    .select("path")
    .where("item_id", "=", id)
    .limit(1)
    .executeTakeFirst();
  await db
    .updateTable("items")
    .set({
      summary: "",
      body: "",
      fields: "{}",
      source_key: null,
      revision: 0,
      outline_hash: null,
      hash: null,
      // Erases the title too if no path of the item was ever public.
      ...(claim === undefined ? { title: "" } : {}),
    })
    .where("id", "=", id)
    .execute();
  await db.deleteFrom("relations").where("from_id", "=", id).execute();
  await removeDraftOfItem(db, id);
  await db.deleteFrom("import_bases").where("item_id", "=", id).execute();
  await db.deleteFrom("revisions").where("item_id", "=", id).execute();
}
