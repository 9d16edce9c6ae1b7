import type { DatabaseSync } from "node:sqlite";
import { HASHED_READING_TABLES } from "../../src/storage/reading/hashed-rows.ts";
import { registerRowHash } from "../../src/storage/sqlite/row-hash.ts";

/** Updates the hashes of rows that a test has changed by hand. */
export function rehash(db: DatabaseSync, table: string): void {
  registerRowHash(db);
  const { hashes = {} } = HASHED_READING_TABLES.find(({ name }) => name === table) ?? {};
  const set = Object.entries(hashes).map(([hash, covered]) => `${hash} = row_hash(${covered})`);
  db.exec(`UPDATE ${table} SET ${set.join(", ")}`);
}
