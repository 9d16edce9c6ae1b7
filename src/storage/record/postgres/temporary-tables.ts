import { type Kysely, sql } from "kysely";
import type { ContentRecord } from "../../../content/record.ts";
import { loggedProjection } from "../../logged-projection.ts";
import { withRenderingBeforeCheck } from "../../rendering-before-check.ts";
import { SettingsCache } from "../content/content-queries.ts";
import { KyselyContentTransaction } from "../content/content-transaction.ts";
import type { RecordTables } from "../tables.ts";

/** Tables that are read when content is saved. They are copied with their rows. */
const COPIED_TABLES: readonly string[] = [
  "items",
  "path_claims",
  "relations",
  "settings",
  "import_bases",
  "redirects",
  "media",
  "media_uses",
  "change_state",
];
/** Tables that are written when content is saved, but hardly read. Their copies start empty. */
const EMPTY_TABLES: readonly string[] = ["revisions", "audit", "changes"];

/**
 * Runs a change on temporary copies of the content tables and rolls back. Takes neither the
 * writers' lock nor row locks, so that writers do not wait.
 */
export async function runOnTemporaryTables<T>(
  reader: Kysely<RecordTables>,
  origin: string,
  change: (content: ContentRecord) => Promise<T>,
): Promise<T> {
  const transaction = await reader
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .execute();
  try {
    await shadowTables(transaction);
    const projection = withRenderingBeforeCheck(loggedProjection({ origin }));
    projection.begin(transaction);
    const declared = new SettingsCache();
    return await change(new KyselyContentTransaction(transaction, { projection, declared }));
  } finally {
    await transaction.rollback().execute();
  }
}

/** Creates temporary tables, which shadow the permanent ones of the same name. */
async function shadowTables(db: Kysely<RecordTables>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  const schema = rows[0]?.schema ?? "public";
  for (const table of [...COPIED_TABLES, ...EMPTY_TABLES]) {
    const original = sql.id(schema, table);
    const copy = sql.id("pg_temp", table);
    await sql`create temporary table ${sql.id(table)} (like ${original} including all)`.execute(db);
    if (EMPTY_TABLES.includes(table)) continue;
    await sql`insert into ${copy} select * from ${original}`.execute(db);
    await sql`analyze ${copy}`.execute(db);
  }
  // Copies only the revisions that imports merge with.
  await sql`insert into ${sql.id("pg_temp", "revisions")}
    select revision.* from ${sql.id(schema, "revisions")} as revision
    join import_bases on import_bases.item_id = revision.item_id
      and import_bases.revision = revision.revision
    join items on items.id = revision.item_id and items.revision <> revision.revision`.execute(db);
  const sequence = sql`pg_get_serial_sequence('pg_temp.items', 'number')`;
  await sql`select setval(${sequence}, (select coalesce(max(number), 1) from items))`.execute(db);
}
