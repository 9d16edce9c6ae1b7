import type { DatabaseSync } from "node:sqlite";
import type { Pool } from "pg";
import { AppError } from "../../errors.ts";

/** Table that marks a store as the target of a move; `completed_at` is null until the move is verified. */
export const MOVED_FROM = "moved_from";

const UNFINISHED = `SELECT 1 FROM ${MOVED_FROM} WHERE completed_at IS NULL`;

/** @throws {AppError} `unavailable` when the store is the target of an unfinished move. */
export function requireCompleteFile(db: DatabaseSync, file: string): void {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(MOVED_FROM);
  if (table !== undefined && db.prepare(UNFINISHED).get() !== undefined) refuseUnfinished(file);
}

/** @throws {AppError} `unavailable` when the database is the target of an unfinished move. */
export async function requireCompleteDatabase(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ is_there: boolean }>(
    `SELECT to_regclass('${MOVED_FROM}') IS NOT NULL AS is_there`,
  );
  if (rows[0]?.is_there !== true) return;
  if ((await pool.query(UNFINISHED)).rows.length > 0) refuseUnfinished("the database");
}

/** An incomplete store must be neither served nor written to. */
export function refuseUnfinished(place: string): never {
  throw new AppError(
    "unavailable",
    `Cannot use ${place}: a move into it has not ended. Run the same migrate-to again, until it says that all is there`,
  );
}
