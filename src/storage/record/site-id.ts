import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RecordTables } from "./tables.ts";

/** The setting with the site's unique id, the same in every engine. */
const SITE_ID = "site_id";

/** A site found in a store. */
export interface StoredSite {
  /** Null if the store is from a version without site ids, or is unreadable. */
  id: string | null;
  /** Which record the reading copy in the data folder belongs to; a SQLite record contains its own. */
  copy: "of this record" | "of another record" | "none";
}

/** @returns null if there is no site. */
export async function readSiteId(db: Kysely<RecordTables>): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", SITE_ID)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Gives the site an id unless it has one. */
export async function assignSiteId(db: Kysely<RecordTables>): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name: SITE_ID, value: randomUUID() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
