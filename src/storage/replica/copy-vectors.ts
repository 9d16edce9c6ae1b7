import type { DatabaseSync } from "node:sqlite";
import { numberOf } from "../sqlite/columns.ts";

const BATCH_VECTORS = 200;
/** Leaves room for vector numbers that other processes assign while the copy is built. */
const NUMBERS_AHEAD = 100_000;

/**
 * Copies the vectors from the reading copy attached as `old`, because computing them takes hours. Copies
 * none if `old` belongs to another record than the copy in `db`.
 */
export function* copyVectorsFromOldReplica(db: DatabaseSync): Generator<void> {
  const same = db.prepare("SELECT 1 FROM old.followed JOIN followed USING (record_id)").get();
  if (same === undefined) return;
  const copy = db.prepare(
    `INSERT INTO reading_vector SELECT * FROM old.reading_vector
     WHERE number > ? ORDER BY number LIMIT ${BATCH_VECTORS} RETURNING number`,
  );
  for (let after = 0; ; ) {
    const last = copy.all(after).at(-1);
    if (last === undefined) break;
    after = numberOf(last, "number");
    yield;
  }
  db.exec("INSERT OR REPLACE INTO reading_embedder SELECT * FROM old.reading_embedder");
  db.exec("DELETE FROM sqlite_sequence WHERE name = 'reading_vector'");
  db.exec(
    `INSERT INTO sqlite_sequence SELECT name, seq + ${NUMBERS_AHEAD} FROM old.sqlite_sequence
     WHERE name = 'reading_vector'`,
  );
}
