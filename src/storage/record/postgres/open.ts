import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { AppError } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { type LoggedProjection, loggedProjection } from "../../logged-projection.ts";
import { readOriginOfReadingCopy } from "../../projection.ts";
import { ReadingOverlay } from "../../reading/overlay.ts";
import { renderLargeTextsFirst } from "../../reading/rendering/render-large-texts-first.ts";
import { type Follower, openFollower } from "../../replica/follower.ts";
import type { OnProgress } from "../../whole-content.ts";
import { checkRecordRows } from "../checking-rows.ts";
import {
  type Connections,
  createClosableConnections,
  createPerChangeConnections,
} from "../connections.ts";
import { SettingsCache } from "../content/content-queries.ts";
import { GroupCommit } from "../group-commit.ts";
import { runOnce } from "../once.ts";
import { readQueueBacklog } from "../queues/backlog.ts";
import { readSiteId } from "../site-id.ts";
import {
  createRecordStores,
  type OpenRecord,
  type RecordStores,
  runChangeInTransaction,
  type StoreDependencies,
} from "../stores.ts";
import type { RecordTables } from "../tables.ts";
import { openChangeLog } from "./changes/change-log.ts";
import { openKeyNotifications } from "./changes/key-notifications.ts";
import { openNotificationListener } from "./changes/notification-listener.ts";
import { OptimisticChangeRunner } from "./changes/optimistic-changes.ts";
import { attemptChangeOutsideLock } from "./changes/outside-lock.ts";
import { cannotOpenDatabaseError } from "./connections/cannot-open-error.ts";
import { PostgresRecordDialect, type RecordDialectConfig } from "./connections/dialect.ts";
import { HangDetector } from "./connections/hang-detector.ts";
import { PipelinedReader } from "./connections/pipelined-reader.ts";
import { POOL_CONNECTIONS_MAX, RecordPool } from "./connections/pool.ts";
import { DatabaseReachability } from "./connections/reach.ts";
import { Semaphore } from "./connections/semaphore.ts";
import { PostgresFiles } from "./files.ts";
import { migrate } from "./migrate.ts";
import { previewOnReadingCopy } from "./preview-on-copy.ts";
import { PostgresRateLimits } from "./rate-limits.ts";
import { openPostgresSnapshot } from "./snapshot.ts";
import { runOnTemporaryTables } from "./temporary-tables.ts";
import { createVersionCounter } from "./unique-versions.ts";

const WRITERS_MAX = 1;
/** One connection is enough for all changes outside the lock, because their reads are pipelined. */
const OUTSIDE_MAX = 1;
/** Limit on the wait for a connection, and also on the wait for the lock: three seconds together. */
const REQUEST_WAIT_MILLISECONDS = 1500;
const WORK_WAIT_MILLISECONDS = 20_000;
/**
 * Limit on the time of a group of changes. It is short, because other instances wait for the writers'
 * lock.
 */
const CHANGES_MILLISECONDS_MAX = 50;

export interface PostgresRecordOptions {
  /** `postgres://…`; the database must exist, its tables need not. */
  url: string;
  /** Path of this instance's reading copy. */
  file: string;
  /** Public origin. If it has changed, opening first rebuilds the reading copy. */
  origin: string;
  /** Whether to keep the reading copy up to date. Commands that only write do not need it. */
  follows: boolean;
  log: Log | null;
  /**
   * How to treat an existing reading copy that was built for another origin. `keep` uses the copy's origin,
   * for commands that possibly do not know the server's origin. The default is `rebuild`.
   */
  otherOrigin?: "rebuild" | "keep";
  onProgress?: OnProgress;
  /** Aborted shortly before the record closes, so that a hung database cannot delay the shutdown. */
  stopSignal?: AbortSignal;
}

/**
 * Opens the record in a PostgreSQL database and brings its tables up to date. Any number of instances
 * can share it: an advisory lock serialises their writing transactions, and reads never wait for it.
 *
 * @throws {AppError} `unavailable` if the database cannot be used, or a newer version of this program
 * has changed it.
 */
export async function openPostgresRecord(given: PostgresRecordOptions): Promise<OpenRecord> {
  const options = { ...given, origin: originFor(given) };
  const { url, origin, follows, log, stopSignal } = options;
  const pool = await openCurrent(url, stopSignal);
  const reach = new DatabaseReachability(log);
  const watch = new HangDetector(url);
  const { reader, writer, requestWriter } = databasesOn({ pool, reach, watch });
  const unpooledParts = await openUnpooledParts(options, { reach, watch }).catch(
    async (error: unknown) => {
      await pool.close();
      throw error;
    },
  );
  const { listening, rateLimits, changeLog, follower } = unpooledParts;
  const projection = loggedProjection({ origin });
  const shared = {
    origin,
    projection,
    declared: new SettingsCache(),
    version: follows ? openKeyNotifications(listening).version : createVersionCounter(),
  };
  const workConnections = createPerChangeConnections(reader, writer);
  const commit = withLogEntry(workConnections, { projection, follower });
  const connections = createClosableConnections({
    reader,
    transact: async (change) => {
      const { result, untilAnswerable } = await commit(change);
      await untilAnswerable();
      return result;
    },
  });
  // A command waits longer for a connection, because it has no client that would retry.
  const requestConnections = follows
    ? createPerChangeConnections(reader, requestWriter)
    : workConnections;
  const changes = requestedChanges({
    ...{ reach, shared, projection, follows },
    outsideReader: new PipelinedReader({ pool, reach, watch }),
    transact: withLogEntry(requestConnections, { projection, follower }),
  });
  const overlay = new ReadingOverlay(options.file, origin);
  const close = runOnce(async () => {
    connections.close();
    await changes.close();
    await overlay.close();
    await writer.destroy();
    await unpooledParts.close();
    await pool.close();
  });
  return {
    ...createRecordStores({ ...connections, ...shared }),
    origin,
    siteId: () => readSiteId(reader),
    rateLimits,
    files: new PostgresFiles(reader),
    atomically: (change) => renderLargeTextsFirst(() => changes.atomically(change)),
    preview: (change, look) =>
      previewOnReadingCopy({ reader, origin, follower, overlay }, { change, look }),
    dryRun: (change) => runOnTemporaryTables(reader, origin, change),
    replica: follower,
    changeLog,
    backlog: () => readQueueBacklog(reader),
    rebuildReadingCopy: async () => await follower?.rebuild("It is damaged"),
    checkRows: () => checkRecordRows(reader),
    snapshot: () => openPostgresSnapshot(reader),
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Shared = Pick<StoreDependencies, "version" | "declared"> & {
  origin: string;
  projection: LoggedProjection;
};

interface RequestedParts {
  outsideReader: PipelinedReader;
  reach: DatabaseReachability;
  shared: Shared;
  projection: LoggedProjection;
  follows: boolean;
  transact: ReturnType<typeof withLogEntry>;
}

/** Runs clients' changes: several in one transaction or, if the database is far, outside the writers' lock. */
function requestedChanges({
  outsideReader,
  reach,
  shared,
  projection,
  follows,
  transact,
}: RequestedParts) {
  const commits = new GroupCommit({
    millisecondsMax: CHANGES_MILLISECONDS_MAX,
    transact,
    // PostgreSQL needs no check: once a transaction is lost, its next statement fails.
    isInTransaction: () => true,
    mark: () => projection.mark(),
  });
  const optimistic = new OptimisticChangeRunner({ transact, include: projection.include });
  const atomically: OpenRecord["atomically"] = async (change) => {
    const inTransaction = () => commits.run((db) => runChangeInTransaction(db, shared, change));
    if (!follows || !reach.isFar()) return await inTransaction();
    return await optimistic.run(
      () => attemptChangeOutsideLock(outsideReader, runOutside(shared, change)),
      inTransaction,
    );
  };
  const close = async () => {
    await Promise.all([optimistic.close(), commits.close()]);
  };
  return { atomically, close };
}

/** Returns a function that runs a change without a transaction and collects its public changes. */
function runOutside<T>(shared: Shared, change: (stores: RecordStores) => Promise<T>) {
  return async (db: Kysely<RecordTables>) => {
    const projection = loggedProjection({ origin: shared.origin });
    const result = await runChangeInTransaction(db, { ...shared, projection }, change);
    return { result, changes: projection.take() };
  };
}

/**
 * Returns a function that runs a change in a transaction. The last statement of the transaction appends the
 * change to the log. `untilAnswerable` in the result resolves once reads of this process see the change.
 */
function withLogEntry(
  { transact }: Connections,
  { projection, follower }: { projection: LoggedProjection; follower: Follower | null },
) {
  return async <T>(change: (db: Kysely<RecordTables>) => Promise<T>) => {
    const { result, sequence } = await transact(async (db) => {
      projection.begin(db);
      const result = await change(db);
      return { result, sequence: await projection.append() };
    });
    const untilAnswerable = async () => {
      if (sequence !== null) await follower?.untilApplied(sequence);
    };
    return { result, untilAnswerable };
  };
}

function originFor({ file, origin, otherOrigin }: PostgresRecordOptions): string {
  if (otherOrigin !== "keep" || !existsSync(file)) return origin;
  using db = new DatabaseSync(file, { readOnly: true });
  return readOriginOfReadingCopy(db) ?? origin;
}

async function openCurrent(url: string, stopSignal?: AbortSignal): Promise<RecordPool> {
  const pool = new RecordPool(url, { stopSignal });
  try {
    await migrate(pool);
    return pool;
  } catch (error) {
    await pool.close();
    throw error instanceof AppError ? error : cannotOpenDatabaseError(url, error);
  }
}

/** Opens the parts that have their own connections. They keep working when the pool is exhausted. */
async function openUnpooledParts(
  { url, file, origin, follows, log, onProgress, stopSignal }: PostgresRecordOptions,
  { reach, watch }: { reach: DatabaseReachability; watch: HangDetector },
) {
  const listening = openNotificationListener(url, log);
  const rateLimits = follows ? new PostgresRateLimits({ url, log }) : null;
  const changeLog = openChangeLog({ url, listening, reach, watch, stopSignal });
  const closeLog = async () => {
    await Promise.all([changeLog.close(), listening.close(), rateLimits?.close()]);
  };
  try {
    const replica = { file, origin, source: changeLog, log, onProgress };
    const follower = follows ? await openFollower(replica) : null;
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

function databasesOn(parts: Pick<RecordDialectConfig, "pool" | "reach" | "watch">) {
  const databaseOn = (rest: Omit<RecordDialectConfig, "pool" | "reach" | "watch">) =>
    new Kysely<RecordTables>({ dialect: new PostgresRecordDialect({ ...parts, ...rest }) });
  const readPermits = new Semaphore(POOL_CONNECTIONS_MAX - WRITERS_MAX - OUTSIDE_MAX);
  const writePermits = new Semaphore(WRITERS_MAX);
  return {
    reader: databaseOn({
      use: "read",
      permits: readPermits,
      waitMilliseconds: REQUEST_WAIT_MILLISECONDS,
    }),
    writer: databaseOn({
      use: "write",
      permits: writePermits,
      waitMilliseconds: WORK_WAIT_MILLISECONDS,
    }),
    requestWriter: databaseOn({
      use: "write",
      permits: writePermits,
      waitMilliseconds: REQUEST_WAIT_MILLISECONDS,
    }),
  };
}
