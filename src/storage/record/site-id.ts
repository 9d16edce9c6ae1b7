import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import type { RecordTables } from "./tables.ts";

/** The setting with the site's unique id, the same in every engine. */
const SITE_ID = "site_id";

/** A site found in a store. */
export interface StoredSite {
  /** Null: from a version without site ids, or unreadable. */
  id: string | null;
  /**
   * Identifies the site whose reading copy is in the data folder; an SQLite record contains its
   * own.
   */
  copy: "of this record" | "of another record" | "none";
}

/** @returns null without a site. */
export async function readSiteId(db: Kysely<RecordTables>): Promise<string | null> {
  const row = await db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", SITE_ID)
    .executeTakeFirst();
  return row?.value ?? null;
}

/** Keeps an existing id. */
export async function assignSiteId(db: Kysely<RecordTables>): Promise<void> {
  await db
    .insertInto("settings")
    .values({ name: SITE_ID, value: randomUUID() })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}
