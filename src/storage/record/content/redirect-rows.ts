import type { Kysely } from "kysely";
import { formatRedirectTarget } from "../../../content/addresses/redirect-addresses.ts";
import type { Redirect } from "../../../content/record.ts";
import type { RecordTables, RedirectRow } from "../tables.ts";

export function redirectFromRow(row: RedirectRow): Redirect {
  return {
    id: row.id,
    from: row.path,
    to: row.item_id === null ? parseTarget(row.to_path) : { itemId: row.item_id },
    displacedId: row.displaced_id,
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}

/** Value of the column `to_path` for an address that is gone. */
export const GONE_TARGET = "";

function parseTarget(target: string | null): Redirect["to"] {
  if (target === null || target === GONE_TARGET) return null;
  return target.startsWith("/") ? { path: target } : { url: target };
}

/** Saves a redirect. The path of a redirect to an item becomes a former path of that item. */
export async function insertRedirect(db: Kysely<RecordTables>, redirect: Redirect): Promise<void> {
  const { id, from, to, displacedId, createdAt, createdBy } = redirect;
  const itemId = to !== null && "itemId" in to ? to.itemId : null;
  await db
    .insertInto("redirects")
    .values({
      id,
      path: from,
      item_id: itemId,
      to_path: to === null ? GONE_TARGET : formatRedirectTarget(to),
      displaced_id: displacedId,
      created_at: createdAt,
      created_by: createdBy,
    })
    .execute();
  await db.deleteFrom("path_claims").where("path", "=", from).execute();
  if (itemId !== null) await claim(db, { path: from, itemId, isCurrent: 0 });
}

/** Removes a redirect. Frees its path, or returns the path to the deleted item that had it before. */
export async function deleteRedirect(db: Kysely<RecordTables>, redirect: Redirect): Promise<void> {
  const { id, from, displacedId } = redirect;
  await db.deleteFrom("redirects").where("id", "=", id).execute();
  await db.deleteFrom("path_claims").where("path", "=", from).where("is_current", "=", 0).execute();
  if (displacedId === null) return;
  const displaced = await db
    .selectFrom("items")
    .select("path")
    .where("id", "=", displacedId)
    .executeTakeFirst();
  const isCurrent = displaced?.path === from ? 1 : 0;
  await claim(db, { path: from, itemId: displacedId, isCurrent });
}

async function claim(
  db: Kysely<RecordTables>,
  { path, itemId, isCurrent }: { path: string; itemId: string; isCurrent: 0 | 1 },
): Promise<void> {
  await db
    .insertInto("path_claims")
    .values({ path, item_id: itemId, is_current: isCurrent, was_public: 1 })
    .execute();
}
