import { DatabaseSync } from "node:sqlite";

/** Runs SQL on an SQLite file and returns the rows. */
export function sqliteRows(file: string, query: string): Record<string, unknown>[] {
  using db = new DatabaseSync(file, { timeout: 30_000 });
  return db.prepare(query).all();
}
