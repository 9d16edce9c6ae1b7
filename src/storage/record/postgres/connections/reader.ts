import { Kysely } from "kysely";
import type { RecordTables } from "../../tables.ts";
import { PostgresRecordDialect } from "./dialect.ts";
import { HangDetector } from "./hang-detector.ts";
import { RecordPool } from "./pool.ts";
import { DatabaseReachability } from "./reach.ts";
import { Semaphore } from "./semaphore.ts";

const WAIT_MILLISECONDS = 20_000;

/** Opens a separate connection for reading the record. */
export function openRecordReader(url: string): AsyncDisposable & { db: Kysely<RecordTables> } {
  const pool = new RecordPool(url, { max: 1 });
  const db = new Kysely<RecordTables>({
    dialect: new PostgresRecordDialect({
      pool,
      reach: new DatabaseReachability(null),
      watch: new HangDetector(url),
      use: "read",
      permits: new Semaphore(1),
      waitMilliseconds: WAIT_MILLISECONDS,
    }),
  });
  return {
    db,
    async [Symbol.asyncDispose]() {
      await db.destroy();
      await pool.close();
    },
  };
}
