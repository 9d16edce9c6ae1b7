import { setTimeout as sleep } from "node:timers/promises";
import { Kysely, PostgresDialect } from "kysely";
import { Client } from "pg";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { classifyDatabaseError } from "../record/postgres/connections/database-errors.ts";
import { getTypeParser } from "../record/postgres/connections/pool.ts";
import { PostgresFiles } from "../record/postgres/files.ts";
import type { RecordTables } from "../record/tables.ts";
import type { RecordFiles } from "./readable-record.ts";

const CONNECT_MILLISECONDS_MAX = 10_000;
/**
 * Number of checks for other connections. One check is not enough, because the server lists a closed
 * connection until it notices that the client has gone.
 */
const CHECKS_MAX = 12;
const CHECK_INTERVAL_MILLISECONDS = 250;

/** One connection without a query timeout, because indexing a large site takes a long time. */
export interface MoveConnection {
  client: Client;
  /** Name for messages, without user and password. */
  name: string;
  /** Reads and writes files in the client's transaction. */
  files: RecordFiles;
  /** Closes the connection, which rolls back an uncommitted transaction. */
  close(): Promise<void>;
}

/** @throws {AppError} `unavailable`, with the reason, if the database cannot be used. */
export async function connectForMove(url: string): Promise<MoveConnection> {
  const client = new Client({
    connectionString: url,
    application_name: "commonplace moving",
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    keepAlive: true,
    types: { getTypeParser },
  });
  const name = `the database ${client.database ?? ""} on ${client.host}:${client.port}`;
  // Without a listener, an error event would end the process. The query that fails reports the
  // error.
  client.on("error", () => {});
  try {
    await client.connect();
    // Disables the timeout, because the transaction is idle while the other side is read.
    await client.query("SET idle_in_transaction_session_timeout = 0");
  } catch (error) {
    const reason = error instanceof Error && error.message !== "" ? error.message : "no answer";
    throw new AppError("unavailable", englishOnlyWording(`Cannot use ${name}: ${reason}`), {
      cause: error,
    });
  }
  return {
    client,
    name,
    files: filesOn(client),
    close: async () => await client.end().catch(() => {}),
  };
}

function filesOn(client: Client): RecordFiles {
  const connection = Object.assign(client, { release() {} });
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  const files = new PostgresFiles(
    new Kysely<RecordTables>({ dialect: new PostgresDialect({ pool }) }),
  );
  return {
    list: async (folder) => await files.list(folder),
    find: async (name) => await files.find(name),
    async write(name, bytes) {
      await using upload = await files.receive(bytes);
      await upload.keep(name);
    },
  };
}

/**
 * Waits up to 3 s for connections that were just closed. Ignores connections of other programs, such as psql.
 *
 * @throws {AppError} `conflict` while servers or commands of Commonplace are connected.
 */
export async function requireNoOtherServers(client: Client, name: string): Promise<void> {
  let count = await connectionsOfOthers(client);
  for (let check = 1; count > 0 && check < CHECKS_MAX; check += 1) {
    await sleep(CHECK_INTERVAL_MILLISECONDS);
    count = await connectionsOfOthers(client);
  }
  if (count === 0) return;
  throw new AppError(
    "conflict",
    englishOnlyWording(
      `${name} is in use (${count} connections of Commonplace); stop all servers on it first`,
    ),
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

/**
 * Turns the error of a lost connection, or of a database that is not in order, into an AppError
 * `unavailable`; returns other errors unchanged.
 */
export function translateMoveError(error: unknown): unknown {
  // Errors of files have some codes in common with errors of connections.
  if (!(error instanceof Error) || error instanceof AppError || "path" in error) return error;
  const kind = classifyDatabaseError(error);
  if (kind === "bug") return error;
  const fault =
    kind === "away"
      ? "The connection to the database was lost. Run"
      : `The database refused: ${error.message}. Mend that and run`;
  return new AppError(
    "unavailable",
    englishOnlyWording(`${fault} the same command again: a move is made as a whole or not at all`),
    { cause: error },
  );
}
