import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { Client } from "pg";
import { RecordPool } from "../../src/storage/record/postgres/connections/pool.ts";
import { migrate } from "../../src/storage/record/postgres/migrate.ts";
import { testOn } from "./engine.ts";

/** A server on which tests may create databases. */
const SERVER = process.env["TEST_DATABASE_URL"];

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** Runs SQL as someone outside the program would. */
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** Creates a database without tables. At the end of the test it is removed, with all connections to it. */
export async function createDatabase(): Promise<TestDatabase> {
  return await databaseLike("template0");
}

/** Creates a database that already has the tables of the record, which takes half the time. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  migrated ??= migratedDatabase();
  const database = await databaseLike(nameIn(await migrated));
  await database.query("UPDATE change_state SET record_id = gen_random_uuid()");
  return database;
}

let migrated: Promise<TestDatabase> | null = null;

async function migratedDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  const pool = new RecordPool(database.url);
  await migrate(pool);
  await pool.close();
  process.once("beforeExit", () => void database[Symbol.asyncDispose]());
  return database;
}

/**
 * Copies the files of the template. For such a small database that is much faster than logging its content.
 */
async function databaseLike(template: string): Promise<TestDatabase> {
  const name = `commonplace_test_${randomUUID().replaceAll("-", "")}`;
  await onServer(
    serverUrl(),
    `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE ${template} STRATEGY file_copy`,
  );
  const url = new URL(serverUrl());
  url.pathname = `/${name}`;
  return {
    url: url.href,
    query: async (sql) => await onServer(url.href, sql),
    async [Symbol.asyncDispose]() {
      await onServer(serverUrl(), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function nameIn({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}

/** Defines tests that need PostgreSQL. Without a server, one skipped test is reported in their place. */
export function onPostgres(what: string, tests: () => void): void {
  if (SERVER === undefined) skipped(what);
  else describe(`${what} (PostgreSQL)`, tests);
}

/** Imports test files of the record to run them a second time, with the record in PostgreSQL. */
export async function againOnPostgres(
  what: string,
  importFiles: () => Promise<void>,
): Promise<void> {
  if (SERVER === undefined) {
    skipped(what);
    return;
  }
  testOn("PostgreSQL");
  await importFiles();
}

function skipped(what: string): void {
  it(`${what} (PostgreSQL)`, { skip: "not run: TEST_DATABASE_URL names no server" });
}

function serverUrl(): string {
  if (SERVER === undefined) throw new Error("TEST_DATABASE_URL names no server");
  return SERVER;
}

async function onServer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
