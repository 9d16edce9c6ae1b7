import type { Kysely } from "kysely";
import type { Snapshot } from "../../../transfer/snapshot.ts";
import { KyselySnapshot } from "../snapshot.ts";
import type { RecordTables } from "../tables.ts";

/** Reads in one transaction, which holds a connection until the snapshot is disposed of. */
export function openPostgresSnapshot(reader: Kysely<RecordTables>): Snapshot {
  const transaction = reader
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  return new KyselySnapshot(transaction, async () => {
    const opened = await transaction.catch(() => null);
    await opened?.rollback().execute();
  });
}
