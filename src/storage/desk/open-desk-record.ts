import { DatabaseSync } from "node:sqlite";
import { Kysely, sql } from "kysely";
import { readSiteId } from "../record/site-id.ts";
import { NodeSqliteDialect } from "../record/sqlite/dialect.ts";
import type { RecordTables } from "../record/tables.ts";
import { DeskRecord } from "./desk-record.ts";

export interface OpenedDeskRecord extends AsyncDisposable {
  record: DeskRecord;
}

/**
 * Opens the record on a connection that only the editors' index uses. `url` is null if the record is in the
 * file.
 */
export async function openDeskRecord({
  url,
  file,
  origin,
}: {
  url: string | null;
  file: string;
  origin: string;
}): Promise<OpenedDeskRecord> {
  return url === null ? openFile(file, origin) : await openDatabase(url, origin);
}

function openFile(file: string, origin: string): OpenedDeskRecord {
  const connection = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const db = new Kysely<RecordTables>({ dialect: new NodeSqliteDialect(connection) });
  return {
    record: new DeskRecord(db, { origin, readRecordId: readSiteId }),
    async [Symbol.asyncDispose]() {
      await db.destroy();
      connection.close();
    },
  };
}

/** Imported on demand: most sites do not use PostgreSQL. */
async function openDatabase(url: string, origin: string): Promise<OpenedDeskRecord> {
  const { openRecordReader } = await import("../record/postgres/connections/reader.ts");
  const reader = openRecordReader(url);
  return {
    record: new DeskRecord(reader.db, { origin, readRecordId: readLogId }),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}

/** The id of the log of changes, which is made with the tables of a database. */
async function readLogId(db: Kysely<RecordTables>): Promise<string | null> {
  const { rows } = await sql<{ record_id: string }>`SELECT record_id FROM change_state`.execute(db);
  return rows[0]?.record_id ?? null;
}
