import type { Pool, PoolClient } from "pg";
import type { MediaFile } from "../../../content/media/media.ts";
import { parseRedirectTarget, type RedirectingPath } from "../../redirecting-paths.ts";
import type { LogPosition, SnapshotContent } from "../../replica/change-source.ts";
import { nullIfDamageError } from "../../sqlite/damage.ts";
import type { ItemWithPathClaim } from "../../whole-content.ts";
import { SettingsCache } from "../content/content-queries.ts";
import { itemFromRow } from "../content/item-rows.ts";
import type { MediaFileRow } from "../content/media-file-row.ts";
import { mediaFileFromRow } from "../content/media-rows.ts";
import { IS_PUBLIC_FILE_SQL } from "../content/public-media.ts";
import type { ItemRow } from "../tables.ts";

const BATCH_ITEMS = 1000;
const BATCH_PATHS = 5000;

/**
 * Reads the content for a reading copy in one snapshot, without waiting for locks. Prefetches the next batch
 * while the current one is processed.
 */
export async function readInSnapshot<T>(
  pool: Pool,
  read: (content: SnapshotContent) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // Lifts an operator's idle limit, because this transaction is idle while batches are written.
    await client.query("SET LOCAL idle_in_transaction_session_timeout = 0");
    const result = await read(await contentWithin(client));
    await client.query("COMMIT");
    isDone = true;
    return result;
  } finally {
    // Closes a failed connection, which may still be running the prefetch.
    client.release(!isDone);
  }
}

async function contentWithin(client: PoolClient): Promise<SnapshotContent> {
  const { logPosition, updatedAt } = await stateWithin(client);
  const numbers = new Map<string, number>();
  return {
    logPosition,
    updatedAt,
    site: async () => await siteWithin(client),
    media: async () => await mediaWithin(client),
    itemCount: async () => await publicItems(client),
    items: () => itemsWithin(client, numbers),
    paths: () => pathsWithin(client, numbers),
    rowNumberOf(itemId) {
      const number = numbers.get(itemId);
      if (number === undefined) throw new Error(`Item ${itemId} belongs to another batch`);
      return number;
    },
  };
}

async function stateWithin(
  client: PoolClient,
): Promise<{ logPosition: LogPosition; updatedAt: string }> {
  const { rows } = await client.query<{
    record_id: string;
    last: number;
    updated_at: string;
    at: string | null;
  }>(
    `SELECT record_id, last, updated_at, at FROM change_state
     LEFT JOIN changes ON sequence = last`,
  );
  const [state] = rows;
  if (state === undefined) throw new Error("The log of changes has no state");
  const { record_id, last, at, updated_at } = state;
  return {
    logPosition: { recordId: record_id, position: last, at: at ?? "" },
    updatedAt: updated_at,
  };
}

async function siteWithin(client: PoolClient): ReturnType<SnapshotContent["site"]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    "SELECT name, value FROM settings WHERE name IN ('site', 'types')",
  );
  const settings = new Map(rows.map(({ name, value }) => [name, value]));
  const profile = settings.get("site");
  if (profile === undefined) return null;
  const types = new SettingsCache().withBuiltIn(settings.get("types") ?? "[]");
  return { profile: JSON.parse(profile), types };
}

async function mediaWithin(client: PoolClient): Promise<MediaFile[]> {
  const { rows } = await client.query<MediaFileRow>(
    `SELECT * FROM media WHERE ${IS_PUBLIC_FILE_SQL} ORDER BY id`,
  );
  return rows.map(mediaFileFromRow);
}

/** Public items, and withdrawn items whose path was public. */
const PUBLIC_ITEMS = `items AS i LEFT JOIN path_claims AS c ON c.path = i.path AND c.item_id = i.id
  WHERE (i.status = 'published' OR i.status IN ('archived', 'deleted') AND c.was_public = 1)`;

async function publicItems(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ total: number }>(
    `SELECT count(*) AS total FROM ${PUBLIC_ITEMS}`,
  );
  return rows[0]?.total ?? 0;
}

/** Reads each item with its relations as one JSON text: separate columns take four times as long. */
const ITEMS_QUERY = {
  name: "items behind a number",
  text: `SELECT row_to_json(one)::text FROM (
      SELECT i.*, (SELECT number FROM items AS o WHERE o.id = i.translation_of) AS original_number,
        (SELECT json_agg(json_build_array(r.relation, r.position, r.to_id, r.note, r.hash, t.number)
           ORDER BY r.relation, r.position)
         FROM relations AS r JOIN items AS t ON t.id = r.to_id WHERE r.from_id = i.id) AS stated
      FROM ${PUBLIC_ITEMS} AND i.number > $1 ORDER BY i.number LIMIT ${BATCH_ITEMS}
    ) AS one`,
  rowMode: "array",
} as const;

interface ItemText extends ItemRow {
  number: number;
  original_number: number | null;
  stated: RelationJson[] | null;
}

type RelationJson = [
  relation: string,
  position: number,
  to: string,
  note: string | null,
  hash: number | null,
  number: number,
];

async function* itemsWithin(
  client: PoolClient,
  numbers: Map<string, number>,
): AsyncGenerator<ItemWithPathClaim[]> {
  const batchAfter = async (number: number): Promise<ItemText[]> => {
    const { rows } = await client.query<[string]>({ ...ITEMS_QUERY, values: [number] });
    return rows.map(([text]) => JSON.parse(text));
  };
  let batch = await batchAfter(0);
  for (;;) {
    const last = batch.at(-1);
    if (last === undefined) return;
    const next = batchAfter(last.number);
    // Avoids an unhandled rejection until `next` is awaited below.
    next.catch(() => {});
    numbers.clear();
    yield batch.flatMap((text) => itemWithClaim(text, numbers));
    batch = await next;
  }
}

/**
 * Returns the item, or an empty list if the item is damaged. `numbers` receives the row numbers of the
 * item and of all items that it refers to.
 */
function itemWithClaim(
  { number, original_number, stated, ...row }: ItemText,
  numbers: Map<string, number>,
): ItemWithPathClaim[] {
  numbers.set(row.id, number);
  if (row.translation_of !== null && original_number !== null) {
    numbers.set(row.translation_of, original_number);
  }
  for (const [, , to, , , toNumber] of stated ?? []) numbers.set(to, toNumber);
  const relations = (stated ?? []).map(([relation, position, to_id, note, hash]) => ({
    ...{ from_id: row.id, relation, position, to_id, note, hash },
  }));
  try {
    return [{ item: itemFromRow(row, relations), wasPublic: true }];
  } catch (error) {
    // A damaged item must not block the rest of the site.
    return nullIfDamageError(error) ?? [];
  }
}

async function* pathsWithin(
  client: PoolClient,
  numbers: Map<string, number>,
): AsyncGenerator<RedirectingPath[]> {
  for (let after = ""; ; ) {
    const { rows } = await client.query<{ path: string; item_id: string; number: number }>(
      `SELECT c.path, c.item_id, i.number FROM path_claims AS c JOIN items AS i ON i.id = c.item_id
       WHERE c.is_current = 0 AND c.path > $1 ORDER BY c.path LIMIT ${BATCH_PATHS}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.path;
    numbers.clear();
    for (const { item_id, number } of rows) numbers.set(item_id, number);
    yield rows.map(({ path, item_id }) => ({ path, to: { itemId: item_id } }));
  }
  for (let after = ""; ; ) {
    const { rows } = await client.query<{ path: string; to_path: string }>(
      `SELECT path, to_path FROM redirects
       WHERE to_path IS NOT NULL AND path > $1 ORDER BY path LIMIT ${BATCH_PATHS}`,
      [after],
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.path;
    yield rows.map(({ path, to_path }) => ({ path, to: parseRedirectTarget(to_path) }));
  }
}
