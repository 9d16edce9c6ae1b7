import { randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { Client } from "pg";
import { runCommandLine } from "../../../src/cli/run.ts";
import type { PrivatePostgres } from "../../support/private-postgres.ts";
import { beforeOrAfter, unchanged } from "./judging.ts";
import { ENVIRONMENT } from "./program.ts";
import type { Prepared, Scenario } from "./scenarios.ts";
import type { Templates } from "./templates.ts";

/** Moves into a database and back. `moved`: a database to which the site has been moved. */
export function movingScenarios(
  { site }: Templates,
  postgres: PrivatePostgres,
  moved: Database,
): Scenario[] {
  return [
    {
      name: "migrate-to PostgreSQL",
      given: { data: site },
      words: ["migrate-to"],
      prepare: async () => await preparedDatabase(postgres),
      // A move that was committed is not repeated.
      again: {
        words: ["migrate-to"],
        goal: "before",
        mayRefuse: /it holds a record already/,
      },
      judgeSite: unchanged,
    },
    {
      name: "migrate-to a folder",
      given: {},
      words: ["migrate-to", "ROOT/data"],
      environment: { DATABASE_URL: moved.url, DATA_DIR: "ROOT/unused" },
      again: {
        words: ["migrate-to", "ROOT/data"],
        goal: "after",
        mayRefuse: /something is there already/,
      },
      // Only one process at a time may move a database.
      atOnce: 1,
      judgeSite: beforeOrAfter,
    },
  ];
}

export interface Database extends AsyncDisposable {
  url: string;
}

/** Creates a database to which the site of the templates has been moved. */
export async function movedSite(
  { site: template }: Templates,
  postgres: PrivatePostgres,
): Promise<Database> {
  const site = `${template}-moved`;
  cpSync(template, site, { recursive: true });
  const database = await createDatabase(postgres);
  const err: string[] = [];
  const code = await runCommandLine(["migrate-to"], {
    environment: { ...ENVIRONMENT, DATA_DIR: site, DATABASE_URL: database.url },
    terminal: {
      out: () => {},
      err: (line) => err.push(line),
      write: async () => {},
      isInteractive: false,
    },
  });
  if (code !== 0) throw new Error(`migrate-to: ${err.join("; ")}`);
  return database;
}

async function preparedDatabase(postgres: PrivatePostgres): Promise<Prepared> {
  const { url, [Symbol.asyncDispose]: dispose } = await createDatabase(postgres);
  return {
    environment: { DATABASE_URL: url },
    port: Number(new URL(url).port),
    [Symbol.asyncDispose]: dispose,
  };
}

async function createDatabase(postgres: PrivatePostgres): Promise<Database> {
  const name = `crash_${randomUUID().replaceAll("-", "")}`;
  await onServer(postgres, `CREATE DATABASE ${name} TEMPLATE template0 STRATEGY file_copy`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () =>
      await onServer(postgres, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

async function onServer({ url }: PrivatePostgres, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
