import { type Kysely, sql } from "kysely";
import type { Snapshot } from "../../../transfer/snapshot.ts";
import { KyselySnapshot, SNAPSHOT_BATCH_ITEMS } from "../snapshot.ts";
import type { RecordTables } from "../tables.ts";

/** Reads in one transaction, which holds a connection until the snapshot is disposed of. */
export function openPostgresSnapshot(reader: Kysely<RecordTables>): Snapshot {
  const transaction = reader
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  const close = async () => {
    const opened = await transaction.catch(() => null);
    await opened?.rollback().execute();
  };
  return new KyselySnapshot(transaction, { idsInOrder: idsByNumber, close });
}

/** Yields the ids of items, ordered by `number`, which is the item's row number in all reading copies. */
async function* idsByNumber(db: Kysely<RecordTables>): AsyncGenerator<string[]> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: string; number: number }>`
      SELECT id, number FROM items WHERE number > ${after} ORDER BY number LIMIT ${SNAPSHOT_BATCH_ITEMS}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
    yield rows.map(({ id }) => id);
  }
}
