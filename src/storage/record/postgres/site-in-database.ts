import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Pool } from "pg";
import { AppError } from "../../../errors.ts";
import { readCopyPosition } from "../../replica/copy-file.ts";
import type { StoredSite } from "../site-id.ts";
import { cannotOpenDatabaseError } from "./connections/cannot-open-error.ts";
import { RecordPool } from "./connections/pool.ts";

/** Returns null if the database has no Commonplace tables, or the tables contain no site. */
export async function findSiteInDatabase(url: string, copy: string): Promise<StoredSite | null> {
  const pool = new RecordPool(url, { max: 1 });
  try {
    const record = await findRecord(pool);
    if (record === null) return null;
    return { id: record.siteId, copy: copyState(record.id, copy) };
  } catch (error) {
    throw error instanceof AppError ? error : cannotOpenDatabaseError(url, error);
  } finally {
    await pool.close();
  }
}

async function findRecord(pool: Pool): Promise<{ id: string; siteId: string | null } | null> {
  const tables = await pool.query<{ are_there: boolean }>(
    "SELECT to_regclass('settings') IS NOT NULL AND to_regclass('change_state') IS NOT NULL AS are_there",
  );
  if (tables.rows[0]?.are_there !== true) return null;
  const { rows } = await pool.query<{ id: string; site_id: string | null }>(
    `SELECT record_id AS id, (SELECT value FROM settings WHERE name = 'site_id') AS site_id
     FROM change_state WHERE EXISTS (SELECT 1 FROM settings WHERE name = 'site')`,
  );
  const [row] = rows;
  return row === undefined ? null : { id: row.id, siteId: row.site_id };
}

/** Returns `none` for an unreadable copy, because the copy will be rebuilt. */
function copyState(recordId: string, copy: string): StoredSite["copy"] {
  if (!existsSync(copy)) return "none";
  try {
    using db = new DatabaseSync(copy, { readOnly: true });
    return readCopyPosition(db).recordId === recordId ? "of this record" : "of another record";
  } catch {
    return "none";
  }
}
