import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import type { Snapshot } from "../../../transfer/snapshot.ts";
import { KyselySnapshot, SNAPSHOT_BATCH_ITEMS } from "../snapshot.ts";
import type { RecordTables } from "../tables.ts";
import { NodeSqliteDialect } from "./dialect.ts";

/** Reads in one transaction on a separate connection. */
export function openSqliteSnapshot(file: string): Snapshot {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  connection.exec("BEGIN");
  const db = new Kysely<RecordTables>({ dialect: new NodeSqliteDialect(connection) });
  const close = async () => {
    await db.destroy();
    connection.close();
  };
  return new KyselySnapshot(Promise.resolve(db), { idsInOrder: idsByRow, close });
}

/**
 * Yields the ids of items in the order of their rows in the reading copy. Items that were never public have
 * no row there; they follow in the order of their ids.
 */
async function* idsByRow(db: Kysely<RecordTables>): AsyncGenerator<string[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: string; row: number }>`
      SELECT item_id AS id, row FROM reading_row WHERE row > ${after} ORDER BY row LIMIT ${SNAPSHOT_BATCH_ITEMS}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.row;
    yield rows.map(({ id }) => id);
  }
  for (let after = ""; ; ) {
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM items
      WHERE id > ${after} AND NOT EXISTS (SELECT 1 FROM reading_row WHERE item_id = id)
      ORDER BY id LIMIT ${SNAPSHOT_BATCH_ITEMS}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows.map(({ id }) => id);
  }
}
