import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RecordTables } from "./tables.ts";

/** The setting that tells one site from all others, whatever engine its record is in. */
const SITE_ID = "site_id";

/** A site that was found where its record is kept. */
export interface StoredSite {
  /** Null: it is of a version that gave sites no id, or could not be read. */
  id: string | null;
  /** Whether the reading copy in the data folder is of this record; a SQLite record is its own. */
  copy: "of this record" | "of another record" | "none";
}

/** Null: there is no site. */
export async function readSiteId(db: Kysely<RecordTables>): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", SITE_ID)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Does nothing for a site that has one. */
export async function giveSiteId(db: Kysely<RecordTables>): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name: SITE_ID, value: randomUUID() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
