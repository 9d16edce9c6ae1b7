import type { Config } from "../../src/config.ts";

export const FIXTURE_ORIGIN = "https://quotations.example";
export const FIXTURE_NOW = new Date("2026-11-20T12:00:00Z");

export const NO_BACKUPS: Config["backup"] = {
  at: null,
  to: [],
  keep: 14,
  keepWeekly: 0,
  recipients: [],
  s3: null,
};

/** Settings of a service that is the only one on a data folder. */
export function fixtureConfig(dataDir: string, databaseUrl: string | null): Config {
  return {
    port: 0,
    host: "127.0.0.1",
    origin: FIXTURE_ORIGIN,
    dataDir,
    databaseUrl,
    demo: false,
    trustProxy: false,
    mail: null,
    webhookPrivateNetworks: false,
    checkLinks: false,
    embed: null,
    openId: null,
    backup: NO_BACKUPS,
    workers: 1,
    metricsPort: null,
    traces: null,
    drainSeconds: 0,
    logLevel: "debug",
  };
}
