import type { Client } from "pg";
import { AppError } from "../../errors.ts";
import { MOVED_FROM, refuseUnfinished } from "../record/moved-from.ts";
import { isLockNotAvailable } from "../record/postgres/faults.ts";
import { type KeptNote, type MoveNote, readNote, writtenNote } from "./move-note.ts";
import {
  type Connected,
  connect,
  requireNoOtherServers,
  runTogether,
} from "./postgres-connection.ts";
import { AFTER_LOAD, indexesAndForeignKeys, setNumber, truncation } from "./postgres-load.ts";
import type { Part, Row, Side, Source, Target } from "./sides.ts";
import { MOVED_TABLES, type MovedTable } from "./tables.ts";

/** Advisory lock held by a move into the database. */
const MOVING_LOCK = 4_022_250_973;
const LOCK_WAIT_SECONDS_MAX = 10;

/**
 * The record in a database, read in one snapshot.
 *
 * @throws {AppError} `conflict` if there is none, or a server is using it.
 */
export async function openPostgresSource(url: string): Promise<Source> {
  const connected = await connect(url);
  const { client, name } = connected;
  try {
    const tables = await tableNames(client);
    if (!tables.includes("migrations")) {
      throw new AppError("conflict", `There is nothing to move: ${name} holds no record`);
    }
    const kept = tables.includes(MOVED_FROM) ? await noteIn(client) : null;
    if (kept !== null && kept.completedAt === null) refuseUnfinished(name);
    await requireNoOtherServers(client, name);
    await connected.migrate();
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const latest = await latestEntry(client);
    return {
      ...sideOf(connected),
      changesSince: async () => {
        const { rows } = await connected.aside<{ latest: number }>(LATEST_ENTRY);
        return (rows[0]?.latest ?? 0) - latest;
      },
    };
  } catch (error) {
    await connected.close();
    throw error;
  }
}

/** The database must be empty or hold a move; `found` checks that. */
export async function openPostgresTarget(url: string): Promise<Target> {
  const connected = await connect(url);
  const { client } = connected;
  try {
    await requireNoOtherMove(connected);
    // After a crash the move resumes a few blocks earlier, which is cheaper than a sync for each block.
    await client.query("SET synchronous_commit = off");
    return targetOn(connected);
  } catch (error) {
    await connected.close();
    throw error;
  }
}

/** Waits, because the server releases the lock of a killed process only after a delay. */
async function requireNoOtherMove({ client, name }: Connected): Promise<void> {
  await client.query(`SET lock_timeout = '${LOCK_WAIT_SECONDS_MAX}s'`);
  try {
    await client.query(`SELECT pg_advisory_lock(${MOVING_LOCK})`);
  } catch (error) {
    if (!isLockNotAvailable(error)) throw error;
    throw new AppError("conflict", `Another move into ${name} is under way`);
  }
  await client.query("SET lock_timeout = DEFAULT");
}

function targetOn(connected: Connected): Target {
  const { client, name } = connected;
  return {
    ...sideOf(connected),
    async found() {
      const tables = await tableNames(client);
      if (tables.includes(MOVED_FROM)) return await noteIn(client);
      if (tables.length > 0) await requireNoRows(client, { name, tables });
      return null;
    },
    async prepare(note) {
      if (!(await tableNames(client)).includes(MOVED_FROM)) {
        await runTogether(client, async () => {
          await client.query(`CREATE TABLE ${MOVED_FROM} (note text NOT NULL, completed_at text)`);
          await client.query(`INSERT INTO ${MOVED_FROM} VALUES ($1, NULL)`, [writtenNote(note)]);
        });
      }
      await connected.migrate();
      return note.setAside === null ? await setAside(client, note) : note;
    },
    async write(table, rows, note) {
      const columns = Object.keys(rows[0] ?? {})
        .map(quoted)
        .join();
      const parameters = [JSON.stringify(rows), writtenNote(note)];
      // One JSON parameter, so that one prepared statement takes any number of rows.
      const insert = `WITH kept AS (UPDATE ${MOVED_FROM} SET note = $2)
        INSERT INTO ${table.name} (${columns})
        SELECT ${columns} FROM json_populate_recordset(null::${table.name}, $1)`;
      if (table.key.length > 0) {
        await client.query({ name: `into ${table.name}`, text: insert, values: parameters });
        return;
      }
      await runTogether(client, async () => {
        await client.query(`DELETE FROM ${table.name}`);
        await client.query(insert, parameters);
      });
    },
    async settle(note, lastNumbers) {
      const settled = { ...note, setAside: [], isCopied: true };
      await runTogether(client, async () => {
        await client.query("SET LOCAL maintenance_work_mem = '256MB'");
        for (const [table, number] of lastNumbers) await setNumber(client, table, number);
        for (const statement of note.setAside ?? []) await client.query(statement);
        for (const statement of AFTER_LOAD) await client.query(statement);
        await keep(client, settled);
      });
      for (const table of MOVED_TABLES) await client.query(`ANALYZE ${table.name}`);
      return settled;
    },
    async complete(at) {
      await client.query("SET synchronous_commit = on");
      await client.query(`UPDATE ${MOVED_FROM} SET completed_at = $1`, [at.toISOString()]);
    },
    async empty() {
      // A move killed early may have left its note but not all tables.
      await connected.migrate();
      const setAside = (await noteIn(client))?.note.setAside ?? [];
      await runTogether(client, async () => {
        for (const statement of [...truncation(), ...setAside]) await client.query(statement);
        await client.query(`DROP TABLE ${MOVED_FROM}`);
      });
    },
  };
}

function sideOf(connected: Connected): Side {
  const { client, name, files } = connected;
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
    async read(table, part) {
      if (part.after !== null && table.key.length === 0) return [];
      return (await client.query<Row>(selectNext(table, part), [...(part.after ?? [])])).rows;
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
    [Symbol.asyncDispose]: connected.close,
  };
}

/** PostgreSQL knows the size of a text without reading it, so summing 1,000 rows is cheap. */
function selectNext(
  { name, key, large }: MovedTable,
  { columns, after, rowsMax, bytes }: Part,
): string {
  const places = key.map((_, place) => `$${place + 1}`).join();
  const beyond = after === null ? "" : `WHERE (${key.map(quoted).join()}) > (${places})`;
  const order = key.length === 0 ? "" : `ORDER BY ${key.map(quoted).join()}`;
  const chosen = columns.map(quoted).join();
  const next = `FROM ${name} ${beyond} ${order} LIMIT ${rowsMax}`;
  if (large.length === 0) return `SELECT ${chosen} ${next}`;
  const size = large.map((column) => `coalesce(octet_length(${quoted(column)}), 0)`).join(" + ");
  return `SELECT ${chosen} FROM (
      SELECT *, sum(size) OVER (${order} ROWS UNBOUNDED PRECEDING) - size AS size_before
      FROM (SELECT *, ${size} AS size ${next}) AS sized
    ) AS summed WHERE size_before <= ${bytes} ${order}`;
}

const LATEST_ENTRY = "SELECT coalesce(max(number), 0) AS latest FROM audit";

async function latestEntry(client: Client): Promise<number> {
  return (await client.query<{ latest: number }>(LATEST_ENTRY)).rows[0]?.latest ?? 0;
}

async function tableNames(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1",
  );
  return rows.map(({ name }) => name);
}

async function noteIn(client: Client): Promise<KeptNote | null> {
  const { rows } = await client.query<{ note: string; completed_at: string | null }>(
    `SELECT note, completed_at FROM ${MOVED_FROM}`,
  );
  const [row] = rows;
  return row === undefined ? null : { note: readNote(row.note), completedAt: row.completed_at };
}

async function keep(client: Client, note: MoveNote): Promise<void> {
  await client.query(`UPDATE ${MOVED_FROM} SET note = $1`, [writtenNote(note)]);
}

/** Accepts empty tables: a move or a first start may have been interrupted. */
async function requireNoRows(
  client: Client,
  { name, tables }: { name: string; tables: readonly string[] },
): Promise<void> {
  if (!tables.includes("migrations")) {
    const some = tables.slice(0, 3).join(", ");
    throw new AppError(
      "conflict",
      `Cannot move to ${name}: it holds tables of something else (${some}); name an empty database`,
    );
  }
  const filled = [
    ...MOVED_TABLES.filter(({ key }) => key.length > 0).map((table) => table.name),
    "files",
  ];
  for (const table of filled.filter((table) => tables.includes(table))) {
    const { rows } = await client.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (rows.length === 0) continue;
    throw new AppError(
      "conflict",
      `Cannot move to ${name}: it holds a record already; name an empty database`,
    );
  }
}

/** Drops indexes and foreign keys: rebuilding them after the bulk load is faster. */
async function setAside(client: Client, note: MoveNote): Promise<MoveNote> {
  const { dropping, making } = await indexesAndForeignKeys(client);
  const noted = { ...note, setAside: making };
  await runTogether(client, async () => {
    for (const statement of dropping) await client.query(statement);
    await keep(client, noted);
  });
  return noted;
}

function quoted(name: string): string {
  return `"${name}"`;
}
