import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "../../src/app/options.ts";
import { openApp } from "../../src/app.ts";
import type { Config } from "../../src/config.ts";
import { createLog } from "../../src/log.ts";
import type { DeskTimeouts } from "../../src/storage/desk/following.ts";
import { type Engine, testedEngine } from "./engine.ts";
import { FIXTURE_NOW, FIXTURE_ORIGIN, fixtureConfig } from "./fixture-config.ts";
import { createMigratedDatabase } from "./postgres-store.ts";
import { copyFixtureSite } from "./prepared-stores.ts";
import { sendTo } from "./send-to.ts";
import { sqliteRows } from "./sqlite-rows.ts";

export const ORIGIN = FIXTURE_ORIGIN;
export const NOW = FIXTURE_NOW;

/** Generous limits for busy machines. */
export const PATIENT: DeskTimeouts = {
  toBuild: 60_000,
  toBuildForChange: 60_000,
  toCatchUp: 60_000,
};

/** Long enough that the clock costs a test little. */
const TICK_MILLISECONDS = 250;

/** Longer than any test. */
const NO_TICK_MILLISECONDS = 2 ** 31 - 1;

export interface Fixture extends App {
  /** Sends a GET request without a socket. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** The lines logged so far. */
  logged: string[];
  /** Runs SQL on the tables of the record, as someone outside the program would. */
  sql(query: string): Promise<Record<string, unknown>[]>;
  dataDir: string;
}

export interface FixtureOptions {
  /** A site folder to import. Without it, the fixture site is copied, with the same ids each time. */
  folder?: string;
  config?: Partial<Config>;
  now?: () => Date;
  /** The steady clock, in milliseconds. Follows `now` if absent. */
  monotonic?: () => number;
  engine?: Engine;
  /** False: no clock task runs, for tests that save counts themselves. */
  ticks?: boolean;
  deskTimeouts?: DeskTimeouts;
}

/** The whole service on a separate store with the fixture site, opened as an operator would open it. */
export async function openFixture({
  folder,
  config,
  now = () => NOW,
  monotonic = () => now().getTime(),
  engine = testedEngine(),
  ticks = true,
  deskTimeouts = PATIENT,
}: FixtureOptions = {}): Promise<Fixture> {
  const dataDir = mkdtempSync(join(tmpdir(), "commonplace-"));
  const database = engine === "SQLite" ? null : await createMigratedDatabase();
  const logged: string[] = [];
  const whole = { ...fixtureConfig(dataDir, database?.url ?? null), ...config };
  if (folder === undefined && whole.databaseUrl === null) await copyFixtureSite(dataDir);
  const app = await openApp(whole, {
    log: createLog("debug", (line) => logged.push(line)),
    now,
    monotonic,
    deskTimeouts,
    searchMillisecondsMax: 60_000,
    tickMilliseconds: ticks ? TICK_MILLISECONDS : NO_TICK_MILLISECONDS,
    seed: async (record) => {
      const { importSite } = await import("./fixture-site.ts");
      await importSite(record, folder);
    },
  });
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
