import { setTimeout as sleep } from "node:timers/promises";
import { Kysely } from "kysely";
import { Client, type QueryResult, type QueryResultRow } from "pg";
import { AppError } from "../../errors.ts";
import { PostgresRecordDialect } from "../record/postgres/dialect.ts";
import { isAway } from "../record/postgres/faults.ts";
import { PostgresFiles } from "../record/postgres/files.ts";
import { migrate } from "../record/postgres/migrate.ts";
import { getTypeParser, RecordPool } from "../record/postgres/pool.ts";
import { Reach } from "../record/postgres/reach.ts";
import { Turns } from "../record/postgres/turns.ts";
import { Watch } from "../record/postgres/watch.ts";
import type { RecordTables } from "../record/tables.ts";
import type { MovedFiles } from "./sides.ts";

const CONNECT_MILLISECONDS_MAX = 10_000;
/** Of files and tables, beside the connection that rows go over. */
const WAIT_MILLISECONDS_MAX = 60_000;
const CONNECTIONS_ASIDE = 3;
/** A connection is counted until the server has noticed its end. */
const LOOKS_MAX = 12;
const PAUSE_MILLISECONDS = 250;

export interface Connected {
  /** Rows go over this one. No query of it is given up: making the indexes of a large site takes long. */
  client: Client;
  /** For messages; without name and password of whoever connects. */
  name: string;
  files: MovedFiles;
  /** Brings the tables up to date, as a start of the server would. */
  migrate(): Promise<void>;
  /** Asks outside of the transaction under way. */
  aside<R extends QueryResultRow>(sql: string): Promise<QueryResult<R>>;
  close(): Promise<void>;
}

/** @throws {AppError} `unavailable`, telling why the database cannot be used. */
export async function connect(url: string): Promise<Connected> {
  const client = new Client({
    connectionString: url,
    application_name: "commonplace moving",
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    keepAlive: true,
    types: { getTypeParser },
  });
  const name = `the database ${client.database ?? ""} on ${client.host}:${client.port}`;
  // What befalls it is told by the query that fails of it.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error && error.message !== "" ? error.message : "no answer";
    throw new AppError("unavailable", `Cannot use ${name}: ${reason}`, { cause: error });
  }
  const pool = new RecordPool(url, { max: CONNECTIONS_ASIDE });
  return {
    client,
    name,
    files: new PostgresFiles(readingOn(pool, url)),
    migrate: async () => await migrate(pool),
    aside: async (sql) => await pool.query(sql),
    async close() {
      await pool.close();
      await client.end().catch(() => {});
    },
  };
}

function readingOn(pool: RecordPool, url: string): Kysely<RecordTables> {
  return new Kysely({
    dialect: new PostgresRecordDialect({
      pool,
      reach: new Reach(null),
      watch: new Watch(url),
      use: "read",
      turns: new Turns(CONNECTIONS_ASIDE),
      waitMilliseconds: WAIT_MILLISECONDS_MAX,
    }),
  });
}

/**
 * @throws {AppError} `conflict` while servers or commands are connected; those of another program and
 * of whoever looks into the database by hand do not count. Waits a moment for those that just ended.
 */
export async function requireNoOtherServers(client: Client, name: string): Promise<void> {
  let count = await connectionsOfOthers(client);
  for (let look = 1; count > 0 && look < LOOKS_MAX; look += 1) {
    await sleep(PAUSE_MILLISECONDS);
    count = await connectionsOfOthers(client);
  }
  if (count === 0) return;
  throw new AppError(
    "conflict",
    `${name} is in use (${count} connections of Commonplace); stop all servers on it first`,
  );
}

async function connectionsOfOthers(client: Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND application_name LIKE 'commonplace%'`,
  );
  return rows[0]?.count ?? 0;
}

/** Runs a change as one transaction. */
export async function runTogether(client: Client, change: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await change();
    await client.query("COMMIT");
  } catch (error) {
    // Where the connection is what failed, the server undoes it by itself.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** A lost connection in words: a move that breaks off can be taken up again. */
export function brokenOff(error: unknown): unknown {
  if (!isAway(error)) return error;
  return new AppError(
    "unavailable",
    "The connection to the database was lost. Run the same command again: it goes on where it was",
    { cause: error },
  );
}
