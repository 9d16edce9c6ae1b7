import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../src/app/options.ts";
import { openApp } from "../../src/app.ts";
import { importContent } from "../../src/cli/import-content.ts";
import { findImportFiles } from "../../src/cli/import-files.ts";
import type { Config } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import { type Engine, testedEngine } from "./engine.ts";
import { createMigratedDatabase } from "./postgres-store.ts";
import { sendTo } from "./send-to.ts";
import { sqliteRows } from "./sqlite-rows.ts";

export const ORIGIN = "https://quotations.example";
export const NOW = new Date("2026-11-20T12:00:00Z");

export interface Fixture extends App {
  /** One request without a socket; `accept` as a header for short. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The lines logged so far. */
  logged: string[];
  /** Runs SQL on the tables of the record, as somebody beside the program would. */
  sql(query: string): Promise<Record<string, unknown>[]>;
  dataDir: string;
}

export interface FixtureOptions {
  /** A site folder; the fixture site unless said otherwise. */
  folder?: string;
  config?: Partial<Config>;
  now?: () => Date;
  engine?: Engine;
}

/** The whole service on a store of its own with the fixture site in it, as an operator would start it. */
export async function openFixture({
  folder,
  config,
  now = () => NOW,
  engine = testedEngine(),
}: FixtureOptions = {}): Promise<Fixture> {
  const dataDir = mkdtempSync(join(tmpdir(), "commonplace-"));
  const database = engine === "SQLite" ? null : await createMigratedDatabase();
  const logged: string[] = [];
  const app = await openApp(
    {
      port: 0,
      host: "127.0.0.1",
      origin: ORIGIN,
      dataDir,
      databaseUrl: database?.url ?? null,
      demo: false,
      trustProxy: false,
      mail: null,
      webhookPrivateNetworks: false,
      embed: null,
      openId: null,
      workers: 1,
      metricsPort: null,
      drainSeconds: 0,
      logLevel: "debug",
      ...config,
    },
    {
      log: createLog("debug", (line) => logged.push(line)),
      now,
      seed: async (record) => {
        const sources = [findImportFiles(folder ?? join(import.meta.dirname, "fixture"))];
        await importContent(record, sources, {
          now: NOW,
          unknown: "refuse",
          onProblem: (problem) => {
            throw new Error(`The fixture is damaged: ${JSON.stringify(problem)}`);
          },
        });
      },
    },
  );
  const close = async () => {
    await app.close();
    await database?.[Symbol.asyncDispose]();
    rmSync(dataDir, { recursive: true });
  };
  return {
    ...app,
    logged,
    dataDir,
    close,
    sql: async (query) =>
      (await database?.query(query)) ?? sqliteRows(join(dataDir, "commonplace.db"), query),
    get: async (path, headers = {}) => await sendTo(app.http, path, { headers }),
    [Symbol.asyncDispose]: close,
  };
}
