import { readdirSync, readFileSync } from "node:fs";
import type { ClientBase, Pool } from "pg";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { requireAllMigrationsKnown } from "../known-migrations.ts";

const MIGRATIONS_FOLDER = new URL("./migrations/", import.meta.url);
/** Advisory lock that lets only one process migrate at a time. */
const MIGRATION_LOCK = 4_022_250_975;
const VERSION_MIN = 15;
const GO_BACK =
  "start that version, or go back to a dump from before (docs/several-machines.md, Backups of PostgreSQL)";

/**
 * Brings the record's tables to this program's version. Migrations are append-only `.sql` files, applied
 * in name order in one transaction. A process that starts concurrently waits and finds them applied.
 *
 * @throws {AppError} `unavailable` if a newer version of this program has changed the database,
 * PostgreSQL is too old, or the encoding is not UTF-8.
 */
export async function migrate(pool: Pool): Promise<void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query("begin");
    await migrateInTransaction(client);
    await client.query("commit");
    isDone = true;
  } finally {
    // Closing a failed connection rolls back.
    client.release(!isDone);
  }
}

/** See {@link migrate}. The caller has begun a transaction and commits it. */
export async function migrateInTransaction(client: ClientBase): Promise<void> {
  await requireSupported(client);
  await client.query("set local lock_timeout = 0");
  await client.query(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
  await applyMissing(client);
}

async function requireSupported(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string }>(
    "SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding",
  );
  for (const { version, encoding } of rows) {
    if (version < VERSION_MIN) {
      throw new AppError(
        "unavailable",
        englishOnlyWording(
          `The database is PostgreSQL ${version}; use PostgreSQL ${VERSION_MIN} or later`,
        ),
      );
    }
    if (encoding !== "UTF8") {
      throw new AppError(
        "unavailable",
        englishOnlyWording(
          `The database keeps texts as ${encoding}; make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
        ),
      );
    }
  }
}

async function applyMissing(client: ClientBase): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS migrations (name text COLLATE "C" PRIMARY KEY)`);
  const { rows } = await client.query<{ name: string }>(
    "SELECT name FROM migrations ORDER BY name",
  );
  const applied = rows.map(({ name }) => name);
  const known = knownMigrations();
  requireAllMigrationsKnown(applied, known, GO_BACK);
  for (const name of known.filter((known) => !applied.includes(known))) {
    await client.query(readFileSync(new URL(name, MIGRATIONS_FOLDER), "utf8"));
    await client.query("INSERT INTO migrations VALUES ($1)", [name]);
  }
}

function knownMigrations(): string[] {
  return readdirSync(MIGRATIONS_FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}
