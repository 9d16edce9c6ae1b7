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
/** For the pool that reads files and migrates, separate from the connection that copies rows. */
const WAIT_MILLISECONDS_MAX = 60_000;
const CONNECTIONS_ASIDE = 3;
/** The server lists a closed connection until it notices. */
const LOOKS_MAX = 12;
const PAUSE_MILLISECONDS = 250;

export interface Connected {
  /** Copies rows. Has no query timeout: indexing a large site takes long. */
  client: Client;
  /** For messages; without user and password. */
  name: string;
  files: MovedFiles;
  /** Brings the tables up to date, as the server does at start. */
  migrate(): Promise<void>;
  /** Queries outside the client's transaction. */
  aside<R extends QueryResultRow>(sql: string): Promise<QueryResult<R>>;
  close(): Promise<void>;
}

/** @throws {AppError} `unavailable`, with the reason, if the database cannot be used. */
export async function connect(url: string): Promise<Connected> {
  const client = new Client({
    connectionString: url,
    application_name: "commonplace moving",
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    keepAlive: true,
    types: { getTypeParser },
  });
  const name = `the database ${client.database ?? ""} on ${client.host}:${client.port}`;
  // The failing query reports the error.
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
 * Ignores connections of other programs, such as psql. Waits up to 3 s for connections just closed.
 *
 * @throws {AppError} `conflict` while servers or commands of Commonplace are connected.
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

export async function runTogether(client: Client, change: () => Promise<void>): Promise<void> {
  await client.query("BEGIN");
  try {
    await change();
    await client.query("COMMIT");
  } catch (error) {
    // If the connection itself failed, the server rolls back.
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Translates a lost connection: an interrupted move can be resumed. */
export function brokenOff(error: unknown): unknown {
  if (!isAway(error)) return error;
  return new AppError(
    "unavailable",
    "The connection to the database was lost. Run the same command again: it goes on where it was",
    { cause: error },
  );
}
