import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { Snapshot } from "../../../transfer/snapshot.ts";
import { KyselySnapshot } from "../snapshot.ts";
import type { RecordTables } from "../tables.ts";
import { NodeSqliteDialect } from "./dialect.ts";

/** Reads in one transaction on a separate connection. */
export function openSqliteSnapshot(file: string): Snapshot {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  connection.exec("BEGIN");
  const db = new Kysely<RecordTables>({ dialect: new NodeSqliteDialect(connection) });
  return new KyselySnapshot(Promise.resolve(db), async () => {
    await db.destroy();
    connection.close();
  });
}
