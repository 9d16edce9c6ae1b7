import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { AppError } from "../../../errors.ts";
import { isReadingCopyIntact } from "../../integrity/checks.ts";
import { embeddedProjection, readOriginOfReadingCopy } from "../../projection.ts";
import { ReadingOverlay } from "../../reading/overlay.ts";
import { renderLargeTextsFirst } from "../../reading/rendering/render-large-texts-first.ts";
import { removeReadingTablesFromSchema } from "../../reading/schema.ts";
import { DamageError } from "../../sqlite/damage.ts";
import {
  createPerCallDataVersionReader,
  createPerTurnKeysVersionReader,
} from "../../sqlite/data-version.ts";
import { asDamageError } from "../../sqlite/sqlite-errors.ts";
import type { OnProgress } from "../../whole-content.ts";
import { type Connections, createClosableConnections } from "../connections.ts";
import { ContentQueries, SettingsCache } from "../content/content-queries.ts";
import { GroupCommit } from "../group-commit.ts";
import { runOnce } from "../once.ts";
import { previewPublicChanges } from "../preview.ts";
import { readQueueBacklog } from "../queues/backlog.ts";
import { readSiteId } from "../site-id.ts";
import {
  createRecordStores,
  type OpenRecord,
  runChangeInTransaction,
  type StoreDependencies,
} from "../stores.ts";
import type { RecordTables } from "../tables.ts";
import { createDeferredProjection, type DeferredProjection } from "./deferred-projection.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import { openSqliteSnapshot } from "./snapshot.ts";
import { runOnStoreCopy } from "./store-copy.ts";
import { TransactionRunner } from "./transactions.ts";
import { WalCheckpointer } from "./wal-checkpointer.ts";
import { WalSync } from "./wal-sync.ts";
import { damagedStoreError, openStoreForWriting } from "./write-connection.ts";

/**
 * Limit on the time of a group of changes. It is short, because the changes run synchronously and block
 * the event loop.
 */
const GROUP_MILLISECONDS_MAX = 10;

export interface SqliteRecordOptions {
  /** Path of `commonplace.db`; created with its folder if missing. */
  file: string;
  /** Public origin. A reading copy that was built for another origin is rebuilt before it is used. */
  origin: string;
  /**
   * How to treat an existing reading copy that was built for another origin. `keep` uses the copy's origin,
   * for commands that possibly do not know the server's origin. The default is `rebuild`.
   */
  otherOrigin?: "rebuild" | "keep";
  /**
   * True if this process will delete the store in the end. Commits and checkpoints are then not synced to
   * disk.
   */
  isTemporary?: boolean;
  onProgress?: OnProgress;
}

/**
 * Opens the record in an SQLite file and brings its tables and reading copy up to date. Other processes may
 * use the file at the same time. All writes of this process use one connection, one after another. Reads
 * use a second connection. They never wait, and see only committed data.
 *
 * @throws {AppError} `unavailable` when the file cannot be opened or was changed by a newer version.
 */
export async function openSqliteRecord({
  file,
  origin,
  otherOrigin = "rebuild",
  isTemporary = false,
  onProgress = () => {},
}: SqliteRecordOptions): Promise<OpenRecord> {
  const writeConnection = openStoreForWriting(file, { isTemporary });
  const readConnection = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const checkpointer = new WalCheckpointer(writeConnection, file, { syncs: !isTemporary });
  const logSync = new WalSync(file, { syncs: !isTemporary });
  const transactions = new TransactionRunner(writeConnection, { checkpointer, log: logSync });
  const reader = kyselyOn(readConnection);
  const copyOrigin =
    otherOrigin === "keep" ? (readOriginOfReadingCopy(writeConnection) ?? origin) : origin;
  const projection = createDeferredProjection(embeddedProjection(writeConnection, copyOrigin));
  await refreshReading(file, { writeConnection, transactions, projection, onProgress });
  const shared = {
    projection,
    declared: new SettingsCache(createPerCallDataVersionReader(writeConnection)),
    version: createPerTurnKeysVersionReader({ writeConnection, readConnection }),
  };
  const { commit, transact } = withProjection(transactions, shared);
  const overlay = new ReadingOverlay(file, copyOrigin);
  const previewed = { origin: copyOrigin, declared: new SettingsCache() };
  const commits = new GroupCommit({
    millisecondsMax: GROUP_MILLISECONDS_MAX,
    transact: async (change) => {
      // Readers of the file see the commit at once. The callers whose changes are in the commit wait
      // until it is synced to disk.
      const { untilDurable } = await commit(change);
      return { untilAnswerable: untilDurable };
    },
    isInTransaction: () => writeConnection.isTransaction,
    mark: () => markInMemory(shared),
  });
  const direct = createClosableConnections({ reader, transact });
  const close = runOnce(async () => {
    direct.close();
    await commits.close();
    await transactions.close();
    await logSync.close();
    await overlay.close();
    await checkpointer.close();
    for (const db of [readConnection, writeConnection]) db.close();
  });
  return {
    ...createRecordStores({ ...direct, ...shared }),
    origin: copyOrigin,
    siteId: () => readSiteId(reader),
    rateLimits: null,
    files: null,
    atomically: (change) =>
      renderLargeTextsFirst(() => commits.run((db) => runChangeInTransaction(db, shared, change))),
    preview: (change, look) =>
      overlay.run(async ({ db, apply }) => {
        const changes = await previewPublicChanges(kyselyOn(db), previewed, change);
        return await look(await apply({ numbers: {}, changes }));
      }),
    dryRun: (change) =>
      runOnStoreCopy(
        file,
        (copy) => openSqliteRecord({ file: copy, origin: copyOrigin, isTemporary: true }),
        change,
      ),
    replica: null,
    changeLog: null,
    backlog: () => readQueueBacklog(reader),
    rebuildReadingCopy: async () =>
      await rebuildReadingCopy({ writeConnection, transactions, projection }),
    checkRows: null,
    snapshot: () => openSqliteSnapshot(file),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function kyselyOn(db: DatabaseSync): Kysely<RecordTables> {
  return new Kysely({ dialect: new NodeSqliteDialect(db) });
}

/** Updates the reading copy at startup. Rebuilds the copy if it is too damaged for an update. */
async function refreshReading(
  file: string,
  {
    writeConnection,
    transactions,
    projection,
    onProgress,
  }: {
    writeConnection: DatabaseSync;
    transactions: TransactionRunner;
    projection: DeferredProjection;
    onProgress: OnProgress;
  },
): Promise<void> {
  const refresh = async (prepare = () => {}) =>
    await transactions.run(async (db) => {
      prepare();
      await projection.refresh(new ContentQueries(db, new SettingsCache()), db, onProgress);
    });
  try {
    await refresh();
  } catch (error) {
    const isFault = error instanceof AppError && !(error instanceof DamageError);
    if (isFault) throw error;
    if (isReadingCopyIntact(writeConnection))
      throw error instanceof DamageError ? damagedStoreError(file, error) : error;
    await refresh(() => removeReadingTablesFromSchema(writeConnection));
  }
}

/** Rebuilds a damaged reading copy. Tables that cannot be dropped leave unused pages behind. */
async function rebuildReadingCopy({
  writeConnection,
  transactions,
  projection,
}: {
  writeConnection: DatabaseSync;
  transactions: TransactionRunner;
  projection: DeferredProjection;
}): Promise<void> {
  const rebuild = async () =>
    await transactions.run(async (db) => {
      if (isReadingCopyIntact(writeConnection)) return;
      await projection.rebuild(new ContentQueries(db, new SettingsCache()), db);
    });
  try {
    await rebuild();
    if (isReadingCopyIntact(writeConnection)) return;
  } catch (error) {
    if (asDamageError(error, "reading copy") === null) throw error;
  }
  await transactions.run(async (db) => {
    removeReadingTablesFromSchema(writeConnection);
    await projection.refresh(new ContentQueries(db, new SettingsCache()), db, () => {});
  });
}

type InMemoryState = Pick<StoreDependencies, "declared"> & { projection: DeferredProjection };

/** Returns functions that run a change and update the reading copy in the same transaction. */
function withProjection(transactions: TransactionRunner, { projection, declared }: InMemoryState) {
  const commit = async <T>(change: (db: Kysely<RecordTables>) => Promise<T>) => {
    try {
      return await transactions.commit(async (db) => {
        projection.begin(db);
        const result = await change(db);
        await projection.finish();
        return result;
      });
    } catch (error) {
      declared.forget();
      throw error;
    }
  };
  const transact: Connections["transact"] = async (change) => {
    const { result, untilDurable } = await commit(change);
    await untilDurable();
    return result;
  };
  return { commit, transact };
}

/** Marks the in-memory state at a savepoint. @returns a function that restores it. */
function markInMemory({ projection, declared }: InMemoryState): () => void {
  const undo = projection.mark();
  return () => {
    declared.forget();
    undo();
  };
}
