import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely } from "kysely";
import type { Pool } from "pg";
import { AppError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { openFollower } from "../../following/follower.ts";
import { loggedProjection } from "../../logged-projection.ts";
import { projectedOrigin } from "../../projection.ts";
import type { OnProgress } from "../../whole-content.ts";
import { countBacklog } from "../backlog.ts";
import { type Connections, connectionsOf } from "../connections.ts";
import { DeclaredTypes } from "../content-queries.ts";
import { requireWholeDatabase } from "../moved-from.ts";
import { rehearse } from "../rehearsal.ts";
import { changeWithin, type OpenRecord, recordStores } from "../stores.ts";
import type { RecordTables } from "../tables.ts";
import { openChangeLog } from "./change-log.ts";
import { PostgresRecordDialect } from "./dialect.ts";
import { PostgresFiles } from "./files.ts";
import { openKeyNews } from "./key-news.ts";
import { openListening } from "./listening.ts";
import { migrate } from "./migrate.ts";
import { CONNECTIONS_MAX, openPool } from "./pool.ts";
import { PostgresRateLimits } from "./rate-limits.ts";
import { Reach } from "./reach.ts";
import { openPostgresSnapshot } from "./snapshot.ts";

const WRITERS_MAX = 1;
/** A snapshot that somebody still reads is not waited for longer when the record is closed. */
const READERS_MILLISECONDS_MAX = 3000;

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
  /**
   * A command beside a server may know no better origin than a default: `keep` has it go by that of
   * the reading copy, if there is one.
   */
  otherOrigin?: "remake" | "keep";
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
export async function openPostgresRecord(given: PostgresRecordOptions): Promise<OpenRecord> {
  const options = { ...given, origin: originFor(given) };
  const { url, origin, follows, log } = options;
  const pool = await openCurrent(url);
  const reach = new Reach(log);
  const writer = databaseOn(pool, reach, "write");
  const reader = databaseOn(pool, reach, "read");
  const beside = await openBeside(options, reach).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  const { listening, rateLimits, changeLog, follower } = beside;
  const projection = loggedProjection({ origin });
  const shared = {
    projection,
    declared: new DeclaredTypes(),
    version: follows ? openKeyNews(listening).version : neverTwice(),
  };
  const single = connectionsOf(reader, writer);
  const connections: Connections = {
    reader,
    transact: async (change) => {
      const { result, sequence } = await single.transact(async (db) => {
        projection.begin(db);
        const result = await change(db);
        return { result, sequence: await projection.append() };
      });
      if (sequence !== null) await follower?.caughtUp(sequence);
      return result;
    },
  };
  const closeOnce = async () => {
    await writer.destroy();
    await beside.close();
    const ended = Promise.all([reader.destroy(), pool.end()]);
    await Promise.race([ended, sleep(READERS_MILLISECONDS_MAX, undefined, { ref: false })]);
  };
  let closing: Promise<void> | null = null;
  const close = async () => {
    closing ??= closeOnce();
    await closing;
  };
  return {
    ...recordStores({ ...connections, ...shared }),
    origin,
    rateLimits,
    files: new PostgresFiles(reader),
    atomically: async (change) =>
      await connections.transact((db) => changeWithin(db, shared, change)),
    rehearse: async (change, look) =>
      await rehearse(
        single,
        async (db) => {
          projection.begin(db);
          await changeWithin(db, shared, change);
        },
        async () => {
          if (follower === null) throw new Error("No reading copy is kept here to look at");
          return await follower.rehearse(await projection.entry(), look);
        },
      ),
    following: follower,
    changeLog,
    backlog: () => countBacklog(reader),
    snapshot: () => openPostgresSnapshot(reader),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function originFor({ file, origin, otherOrigin }: PostgresRecordOptions): string {
  if (otherOrigin !== "keep" || !existsSync(file)) return origin;
  using db = new DatabaseSync(file, { readOnly: true });
  return projectedOrigin(db) ?? origin;
}

/** A pool on a database whose tables are brought up to date. */
async function openCurrent(url: string): Promise<Pool> {
  const pool = openPool(url);
  try {
    await requireWholeDatabase(pool);
    await migrate(pool);
    return pool;
  } catch (error) {
    await pool.end();
    throw error instanceof AppError ? error : cannotOpen(url, error);
  }
}

/** What stands on connections of its own, so that it goes on however many wait for one of the pool. */
async function openBeside(
  { url, file, origin, follows, log, onProgress }: PostgresRecordOptions,
  reach: Reach,
) {
  const listening = openListening(url);
  const rateLimits = follows ? new PostgresRateLimits({ url, log }) : null;
  const changeLog = openChangeLog({ url, listening, reach });
  const closeLog = async () => {
    await changeLog.close();
    await listening.close();
    await rateLimits?.close();
  };
  try {
    const following = { file, origin, source: changeLog, log, onProgress };
    const follower = follows ? await openFollower(following) : null;
    const close = async () => {
      await follower?.close();
      await closeLog();
    };
    return { listening, rateLimits, changeLog, follower, close };
  } catch (error) {
    await closeLog();
    throw error;
  }
}

/** For a process that hears no news: whatever it remembers, it asks again. */
function neverTwice(): () => number {
  let version = 0;
  return () => {
    version += 1;
    return version;
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
