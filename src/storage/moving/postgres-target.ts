import type { Client } from "pg";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { KEYED_TABLES } from "../record/keyed-tables.ts";
import { isLockNotAvailable } from "../record/postgres/connections/database-errors.ts";
import { migrateInTransaction } from "../record/postgres/migrate.ts";
import { connectForMove, type MoveConnection } from "./postgres-connection.ts";
import {
  AFTER_LOAD_STATEMENTS,
  listIndexAndForeignKeyStatements,
  setSequence,
} from "./postgres-load.ts";
import { createReadablePostgresRecord, listPostgresTableNames } from "./postgres-source.ts";
import type { MoveTarget } from "./readable-record.ts";

/** Advisory lock held by a move into the database. */
const MOVING_LOCK = 4_022_250_973;
const LOCK_WAIT_SECONDS_MAX = 10;

/**
 * Opens an empty database, to be filled in one transaction.
 *
 * @throws {AppError} `conflict` if the database contains data or tables of another program, or
 * another move is filling it.
 */
export async function openPostgresTarget(url: string): Promise<MoveTarget> {
  const connection = await connectForMove(url);
  const { client, name } = connection;
  try {
    await client.query("BEGIN");
    await requireNoOtherMove(connection);
    await requireEmpty(client, name);
    await migrateInTransaction(client);
    const { drop, create } = await listIndexAndForeignKeyStatements(client);
    for (const statement of drop) await client.query(statement);
    return {
      ...createReadablePostgresRecord(connection),
      async write(table, rows) {
        if (table.key.length === 0) await client.query(`DELETE FROM ${table.name}`);
        const columns = Object.keys(rows[0] ?? {})
          .map((column) => `"${column}"`)
          .join();
        // Passes all rows as one JSON parameter, so that one prepared statement works for any
        // number of rows.
        const text = `INSERT INTO ${table.name} (${columns})
          SELECT ${columns} FROM json_populate_recordset(null::${table.name}, $1)`;
        const values = [JSON.stringify(rows)];
        await client.query({ name: `into ${table.name}`, text, values });
      },
      async finishTables(lastNumbers) {
        await client.query("SET LOCAL maintenance_work_mem = '256MB'");
        for (const [table, number] of lastNumbers) await setSequence(client, table, number);
        for (const statement of [...create, ...AFTER_LOAD_STATEMENTS])
          await client.query(statement);
        for (const table of KEYED_TABLES) await client.query(`ANALYZE ${table.name}`);
      },
      async commit() {
        await client.query("COMMIT");
      },
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/**
 * Waits for the lock, because the server releases the lock of a killed process only after a delay.
 */
async function requireNoOtherMove({ client, name }: MoveConnection): Promise<void> {
  await client.query(`SET LOCAL lock_timeout = '${LOCK_WAIT_SECONDS_MAX}s'`);
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${MOVING_LOCK})`);
  } catch (error) {
    if (!isLockNotAvailable(error)) throw error;
    throw new AppError("conflict", englishOnlyWording(`Another move into ${name} is running`));
  }
}

/**
 * Accepts the record's own tables if they are empty: the first start of a server possibly created them and
 * was then interrupted.
 */
async function requireEmpty(client: Client, name: string): Promise<void> {
  const tables = await listPostgresTableNames(client);
  if (tables.length > 0 && !tables.includes("migrations")) {
    const examples = tables.slice(0, 3).join(", ");
    throw new AppError(
      "conflict",
      englishOnlyWording(
        `Cannot move to ${name}: it holds tables of something else (${examples}); name an empty database`,
      ),
    );
  }
  const filled = [
    ...KEYED_TABLES.filter(({ key }) => key.length > 0).map((table) => table.name),
    "files",
  ];
  for (const table of filled.filter((table) => tables.includes(table))) {
    const { rows } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new AppError(
      "conflict",
      englishOnlyWording(
        `Cannot move to ${name}: it holds a record already; name an empty database, or compare the two with --verify-only`,
      ),
    );
  }
}
