import { Kysely } from "kysely";
import type { Pool } from "pg";
import { AppError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import type { OnProgress, Projection } from "../../projection.ts";
import { connectionsOf } from "../connections.ts";
import { DeclaredTypes } from "../content-queries.ts";
import { rehearse } from "../rehearsal.ts";
import { changeWithin, type OpenRecord, recordStores } from "../stores.ts";
import type { RecordTables } from "../tables.ts";
import { PostgresRecordDialect } from "./dialect.ts";
import { PostgresFiles } from "./files.ts";
import { migrate } from "./migrate.ts";
import { CONNECTIONS_MAX, openPool } from "./pool.ts";
import { Reach } from "./reach.ts";
import { openPostgresSnapshot } from "./snapshot.ts";

const WRITERS_MAX = 1;

export interface PostgresRecordOptions {
  /** `postgres://…`; the database must exist, its tables need not. */
  url: string;
  /** The reading copy of this instance. */
  file: string;
  /** Public origin; when it changed, the reading copy is made anew before this resolves. */
  origin: string;
  /** Is the reading copy to be kept up to date? A command that only writes needs none. */
  follows: boolean;
  log: Log | null;
  onProgress?: OnProgress;
}

/**
 * Opens the record in a PostgreSQL database and brings its tables up to date. Any number of instances
 * may do so. All transactions of all of them that change something are one after the other; reads
 * of what is committed wait for nothing.
 *
 * @throws {AppError} `unavailable` when the database cannot be used, or a newer version of this program
 * has changed it.
 */
export async function openPostgresRecord({
  url,
  origin,
  log,
}: PostgresRecordOptions): Promise<OpenRecord> {
  const pool = openPool(url);
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error instanceof AppError ? error : cannotOpen(url, error);
  }
  const reach = new Reach(log);
  const writer = databaseOn(pool, reach, "write");
  const reader = databaseOn(pool, reach, "read");
  const projection: Projection = STUB;
  let version = 0;
  const shared = {
    projection,
    declared: new DeclaredTypes(),
    version: () => {
      version += 1;
      return version;
    },
  };
  const connections = connectionsOf(reader, writer);
  const closeOnce = async () => {
    await writer.destroy();
    await reader.destroy();
    await pool.end();
  };
  let closing: Promise<void> | null = null;
  const close = async () => {
    closing ??= closeOnce();
    await closing;
  };
  return {
    ...recordStores({ ...connections, ...shared }),
    origin,
    rateLimits: null,
    files: new PostgresFiles(reader),
    atomically: async (change) =>
      await connections.transact((db) => changeWithin(db, shared, change)),
    rehearse: async (change, _look) =>
      await rehearse(
        connections,
        (db) => changeWithin(db, shared, change),
        () => {
          throw new Error("Nothing is followed here");
        },
      ),
    snapshot: () => openPostgresSnapshot(reader),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function databaseOn(pool: Pool, reach: Reach, use: "read" | "write"): Kysely<RecordTables> {
  const connectionsMax = use === "write" ? WRITERS_MAX : CONNECTIONS_MAX - WRITERS_MAX;
  return new Kysely({ dialect: new PostgresRecordDialect({ pool, reach, use, connectionsMax }) });
}

/** Told to whoever started the program; the address without its password. */
function cannotOpen(url: string, cause: unknown): AppError {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new AppError("unavailable", `Cannot open the database ${placeOf(url)}: ${reason}`, {
    cause,
  });
}

function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

const STUB: Projection = {
  check: () => {},
  begin: () => {},
  put: () => {},
  flush: async () => {},
  finish: async () => {},
  putRedirect: () => {},
  removeRedirect: () => {},
  present: () => {
    throw new Error("Nothing is followed here");
  },
  putMedium: () => {},
  removeMedium: () => {},
  saveSite: async () => {},
  refresh: async () => {},
};
