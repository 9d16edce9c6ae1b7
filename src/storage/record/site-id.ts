import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RecordTables } from "./tables.ts";

/** Name of the setting with the site's unique id, in both engines. */
const SITE_ID_SETTING = "site_id";

/** A site found in a store. */
export interface StoredSite {
  /** Null if the store is from a version without site ids, or is unreadable. */
  id: string | null;
  /**
   * The record to which the reading copy in the data folder belongs: always this record if it is in SQLite,
   * because the same file then contains the copy.
   */
  copy: "of this record" | "of another record" | "none";
}

/** @returns null if there is no site. */
export async function readSiteId(db: Kysely<RecordTables>): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", SITE_ID_SETTING)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Gives the site an id unless it has one. */
export async function assignSiteId(db: Kysely<RecordTables>): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name: SITE_ID_SETTING, value: randomUUID() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
