import type { Client } from "pg";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { KeyedTable } from "../record/keyed-tables.ts";
import { migrateInTransaction } from "../record/postgres/migrate.ts";
import {
  connectForMove,
  type MoveConnection,
  requireNoOtherServers,
} from "./postgres-connection.ts";
import type { MoveSource, ReadableRecord, RecordRow, RowRange } from "./readable-record.ts";

/**
 * Opens the record in a database, to be read in one snapshot.
 * @throws {AppError} `conflict` if the database has no record, or a server is using it.
 */
export async function openPostgresSource(url: string): Promise<MoveSource> {
  const connection = await connectForMove(url);
  const { client, name } = connection;
  try {
    if (!(await listPostgresTableNames(client)).includes("migrations")) {
      throw new AppError(
        "conflict",
        englishOnlyWording(`There is nothing to move: ${name} holds no record`),
      );
    }
    await requireNoOtherServers(client, name);
    await client.query("BEGIN");
    await migrateInTransaction(client);
    await client.query("COMMIT");
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const latest = await latestEntry(client);
    return {
      ...createReadablePostgresRecord(connection),
      async changesSince() {
        await client.query("COMMIT");
        return (await latestEntry(client)) - latest;
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Reads a record in the transaction of its connection. Disposing of the result closes the
 * connection.
 */
export function createReadablePostgresRecord({
  client,
  name,
  files,
  close,
}: MoveConnection): ReadableRecord {
  return {
    name,
    files,
    async columns(table) {
      const { rows } = await client.query<{ name: string }>(
        `SELECT column_name::text COLLATE "C" AS name FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 ORDER BY 1`,
        [table.name],
      );
      return rows.map((row) => row.name);
    },
    async read(table, range) {
      if (range.after !== null && table.key.length === 0) return [];
      return (await client.query<RecordRow>(selectNext(table, range), [...(range.after ?? [])]))
        .rows;
    },
    async count({ name: table }) {
      const sql = `SELECT count(*) AS count FROM ${table}`;
      return (await client.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
    },
    async lastNumber({ name: table }) {
      const sequence = await client.query<{ name: string }>(
        "SELECT pg_get_serial_sequence($1, 'number') AS name",
        [table],
      );
      const { rows } = await client.query<{ number: number }>(
        `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS number FROM ${sequence.rows[0]?.name}`,
      );
      return rows[0]?.number ?? 0;
    },
    [Symbol.asyncDispose]: close,
  };
}

export async function listPostgresTableNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

/**
 * SQL for the next batch of rows, which ends after `bytes` bytes. Summing the sizes of 1,000 rows
 * is cheap, because PostgreSQL knows the size of a text without reading it.
 */
function selectNext(
  { name, key, large }: KeyedTable,
  { columns, after, rowsMax, bytes }: RowRange,
): string {
  const placeholders = key.map((_, index) => `$${index + 1}`).join();
  const afterKey = after === null ? "" : `WHERE (${key.map(quoted).join()}) > (${placeholders})`;
  const order = key.length === 0 ? "" : `ORDER BY ${key.map(quoted).join()}`;
  const chosen = columns.map(quoted).join();
  const next = `FROM ${name} ${afterKey} ${order} LIMIT ${rowsMax}`;
  if (large.length === 0) return `SELECT ${chosen} ${next}`;
  const size = large.map((column) => `coalesce(octet_length(${quoted(column)}), 0)`).join(" + ");
  return `SELECT ${chosen} FROM (
      SELECT *, sum(size) OVER (${order} ROWS UNBOUNDED PRECEDING) - size AS size_before
      FROM (SELECT *, ${size} AS size ${next}) AS sized
    ) AS summed WHERE size_before <= ${bytes} ${order}`;
}

async function latestEntry(client: Client): Promise<number> {
  const { rows } = await client.query<{ latest: number }>(
    "SELECT coalesce(max(number), 0) AS latest FROM audit",
  );
  return rows[0]?.latest ?? 0;
}

function quoted(name: string): string {
  return `"${name}"`;
}
