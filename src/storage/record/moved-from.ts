import type { DatabaseSync } from "node:sqlite";
import type { Pool } from "pg";
import { AppError } from "../../errors.ts";

/** Stands in a store that a move made; `completed_at` is null until all of it is there and was compared. */
export const MOVED_FROM = "moved_from";

const UNFINISHED = `SELECT 1 FROM ${MOVED_FROM} WHERE completed_at IS NULL`;

/** @throws {AppError} `unavailable` when the store is the target of a move that has not ended. */
export function requireWholeFile(db: DatabaseSync, file: string): void {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(MOVED_FROM);
  if (table !== undefined && db.prepare(UNFINISHED).get() !== undefined) refuseUnfinished(file);
}

/** @throws {AppError} `unavailable` when the database is the target of a move that has not ended. */
export async function requireWholeDatabase(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    `SELECT to_regclass('${MOVED_FROM}') IS NOT NULL AS is_there`,
  );
  if (rows[0]?.is_there !== true) return;
  if ((await pool.query(UNFINISHED)).rows.length > 0) refuseUnfinished("the database");
}

/** What is only half there must neither be shown nor written to. */
export function refuseUnfinished(place: string): never {
  throw new AppError(
    "unavailable",
    `Cannot use ${place}: a move into it has not ended. Run the same migrate-to again, until it says that all is there`,
  );
}
