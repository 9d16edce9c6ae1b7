import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { Client } from "pg";
import { testOn } from "./engine.ts";

/** A server on which tests may make databases. */
const SERVER = process.env["TEST_DATABASE_URL"];

export interface TestDatabase extends AsyncDisposable {
  url: string;
  /** Runs SQL as somebody beside the program would. */
  query(sql: string): Promise<Record<string, unknown>[]>;
}

/** A database of its own, gone with the test and whoever still has it open. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `commonplace_test_${randomUUID().replaceAll("-", "")}`;
  await onServer(serverUrl(), `CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`);
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

/** Tests that need PostgreSQL; without a server one is told as skipped in their place. */
export function onPostgres(what: string, tests: () => void): void {
  if (SERVER === undefined) skipped(what);
  else describe(`${what} (PostgreSQL)`, tests);
}

/** Takes in files with tests of the record, to be run once more with the record in PostgreSQL. */
export async function againOnPostgres(what: string, takeIn: () => Promise<void>): Promise<void> {
  if (SERVER === undefined) {
    skipped(what);
    return;
  }
  testOn("PostgreSQL");
  await takeIn();
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
