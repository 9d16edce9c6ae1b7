import { DatabaseSync } from "node:sqlite";

/** What SQL finds in an SQLite file, or changes there. */
export function sqliteRows(file: string, query: string): Record<string, unknown>[] {
  using db = new DatabaseSync(file, { timeout: 30_000 });
  return db.prepare(query).all();
}
