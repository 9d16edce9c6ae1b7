import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { AppError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { type Follower, openFollower } from "../../following/follower.ts";
import { type LoggedProjection, loggedProjection } from "../../logged-projection.ts";
import { projectedOrigin } from "../../projection.ts";
import type { OnProgress } from "../../whole-content.ts";
import { countBacklog } from "../backlog.ts";
import { type Connections, connectionsOf } from "../connections.ts";
import { DeclaredTypes } from "../content-queries.ts";
import { requireWholeDatabase } from "../moved-from.ts";
import { once } from "../once.ts";
import { rehearse } from "../rehearsal.ts";
import { SharedCommits } from "../shared-commits.ts";
import { readSiteId } from "../site-id.ts";
import { changeWithin, type OpenRecord, recordStores } from "../stores.ts";
import type { RecordTables } from "../tables.ts";
import { openChangeLog } from "./change-log.ts";
import { PostgresRecordDialect } from "./dialect.ts";
import { PostgresFiles } from "./files.ts";
import { openKeyNews } from "./key-news.ts";
import { openListening } from "./listening.ts";
import { migrate } from "./migrate.ts";
import { CONNECTIONS_MAX, RecordPool } from "./pool.ts";
import { PostgresRateLimits } from "./rate-limits.ts";
import { Reach } from "./reach.ts";
import { openPostgresSnapshot } from "./snapshot.ts";
import { cannotOpen } from "./unopened.ts";

const WRITERS_MAX = 1;
/** Most of it is waiting for the database, and other instances wait for the lock of all writing. */
const CHANGES_MILLISECONDS_MAX = 50;

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
  /** Aborted a moment before the record is closed: nobody then waits long for a database that hangs. */
  ending?: AbortSignal;
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
  const { url, origin, follows, log, ending } = options;
  const pool = await openCurrent(url, ending);
  const reach = new Reach(log);
  const writer = databaseOn(pool, reach, "write");
  const reader = databaseOn(pool, reach, "read");
  const beside = await openBeside(options, reach).catch(async (error: unknown) => {
    await pool.close();
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
  const commit = logging(single, { projection, follower });
  const connections: Connections = {
    reader,
    transact: async (change) => {
      const { result, shown } = await commit(change);
      await shown();
      return result;
    },
  };
  const commits = new SharedCommits({
    millisecondsMax: CHANGES_MILLISECONDS_MAX,
    transact: commit,
    // One that was lost tells so by the next statement.
    isInTransaction: () => true,
    mark: () => projection.mark(),
  });
  const close = once(async () => {
    await commits.ended();
    await writer.destroy();
    await beside.close();
    await pool.close();
  });
  return {
    ...recordStores({ ...connections, ...shared }),
    origin,
    siteId: () => readSiteId(reader),
    rateLimits,
    files: new PostgresFiles(reader),
    atomically: (change) => commits.run((db) => changeWithin(db, shared, change)),
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
    remakeReading: async () => await follower?.remake("It is damaged"),
    snapshot: () => openPostgresSnapshot(reader),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Transactions that end with their entry of the log; `shown` waits until this process shows it. */
function logging(
  { transact }: Connections,
  { projection, follower }: { projection: LoggedProjection; follower: Follower | null },
) {
  return async <T>(change: (db: Kysely<RecordTables>) => Promise<T>) => {
    const { result, sequence } = await transact(async (db) => {
      projection.begin(db);
      const result = await change(db);
      return { result, sequence: await projection.append() };
    });
    const shown = async () => {
      if (sequence !== null) await follower?.caughtUp(sequence);
    };
    return { result, shown };
  };
}

function originFor({ file, origin, otherOrigin }: PostgresRecordOptions): string {
  if (otherOrigin !== "keep" || !existsSync(file)) return origin;
  using db = new DatabaseSync(file, { readOnly: true });
  return projectedOrigin(db) ?? origin;
}

/** A pool on a database whose tables are brought up to date. */
async function openCurrent(url: string, ending?: AbortSignal): Promise<RecordPool> {
  const pool = new RecordPool(url, { ending });
  try {
    await requireWholeDatabase(pool);
    await migrate(pool);
    return pool;
  } catch (error) {
    await pool.close();
    throw error instanceof AppError ? error : cannotOpen(url, error);
  }
}

/** What stands on connections of its own, so that it goes on however many wait for one of the pool. */
async function openBeside(
  { url, file, origin, follows, log, onProgress, ending }: PostgresRecordOptions,
  reach: Reach,
) {
  const listening = openListening(url, log);
  const rateLimits = follows ? new PostgresRateLimits({ url, log }) : null;
  const changeLog = openChangeLog({ url, listening, reach, ending });
  const closeLog = async () => {
    await Promise.all([changeLog.close(), listening.close(), rateLimits?.close()]);
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

function databaseOn(pool: RecordPool, reach: Reach, use: "read" | "write"): Kysely<RecordTables> {
  const connectionsMax = use === "write" ? WRITERS_MAX : CONNECTIONS_MAX - WRITERS_MAX;
  return new Kysely({ dialect: new PostgresRecordDialect({ pool, reach, use, connectionsMax }) });
}
