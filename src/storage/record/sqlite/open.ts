import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import { AppError } from "../../../errors.ts";
import { makeFolder } from "../../../files/durable-files.ts";
import { isReadingWhole } from "../../integrity/checks.ts";
import { embeddedProjection, projectedOrigin } from "../../projection.ts";
import { abandonReadingTables } from "../../reading/schema.ts";
import { currentDataVersion, keysVersionOf } from "../../sqlite/data-version.ts";
import { damageOf, isBusy } from "../../sqlite/sqlite-faults.ts";
import type { OnProgress } from "../../whole-content.ts";
import type { Connections } from "../connections.ts";
import { ContentQueries, DeclaredTypes } from "../content/content-queries.ts";
import { requireWholeFile } from "../moved-from.ts";
import { once } from "../once.ts";
import { countBacklog } from "../queues/backlog.ts";
import { rehearse } from "../rehearsal.ts";
import { SharedCommits } from "../shared-commits.ts";
import { readSiteId } from "../site-id.ts";
import { changeWithin, type OpenRecord, recordStores, type StoreParts } from "../stores.ts";
import type { RecordTables } from "../tables.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import { type HeldProjection, heldProjection } from "./held-projection.ts";
import { LogCopying } from "./log-copying.ts";
import { migrate } from "./migrate.ts";
import { openSqliteSnapshot } from "./snapshot.ts";
import { tryOnStoreCopy } from "./store-copy.ts";
import { Transactions } from "./transactions.ts";

/** Another process may be starting, and bring the tables up to date. */
const LOCK_WAIT_SECONDS_MAX = 10;
/** Between them nobody else has the processor. */
const CHANGES_MILLISECONDS_MAX = 10;

export interface SqliteRecordOptions {
  /** The store, `commonplace.db` in the data folder; created with its folder when missing. */
  file: string;
  /** Public origin; when it changed, the reading copy is made anew before this resolves. */
  origin: string;
  /**
   * A command beside a server may know no better origin than a default: `keep` has it write into the
   * reading copy as it is.
   */
  otherOrigin?: "remake" | "keep";
  onProgress?: OnProgress;
}

/**
 * Opens the record in an SQLite file and brings its tables and the reading copy beside them up to
 * date. Other processes may have the file open and write to it. All writes of this process go
 * through one connection, one transaction after the other; reads of what is committed go through
 * another, so that they never wait and never see half a change.
 *
 * @throws {AppError} `unavailable` when the file cannot be used, or a newer version of this program
 * has changed it.
 */
export async function openSqliteRecord({
  file,
  origin,
  otherOrigin = "remake",
  onProgress = () => {},
}: SqliteRecordOptions): Promise<OpenRecord> {
  const writing = openWriting(file);
  const reading = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const copying = new LogCopying(writing, file);
  const transactions = new Transactions(writing, () => copying.committed());
  const reader = new Kysely<RecordTables>({ dialect: new NodeSqliteDialect(reading) });
  const madeFor = otherOrigin === "keep" ? (projectedOrigin(writing) ?? origin) : origin;
  const projection = heldProjection(embeddedProjection(writing, madeFor));
  await transactions.run(async (transaction) => {
    const content = new ContentQueries(transaction, new DeclaredTypes());
    await projection.refresh(content, transaction, onProgress);
  });
  const shared = {
    projection,
    declared: new DeclaredTypes(currentDataVersion(writing)),
    version: keysVersionOf({ writing, reading }),
  };
  const transact: Connections["transact"] = (change) => transactions.run(change);
  const connections = projecting({ reader, transact }, shared);
  const requested = projecting(
    { reader, transact: (change) => transactions.runForRequest(change) },
    shared,
  );
  const commits = new SharedCommits({
    millisecondsMax: CHANGES_MILLISECONDS_MAX,
    transact: (change) => shownAtOnce(connections.transact(change)),
    isInTransaction: () => writing.isTransaction,
    mark: () => marked(shared),
  });
  const close = once(async () => {
    await commits.ended();
    await transactions.close();
    await reader.destroy();
    await copying.close();
    reading.close();
    writing.close();
  });
  return {
    ...recordStores({ ...connections, ...shared }),
    origin: madeFor,
    siteId: () => readSiteId(reader),
    rateLimits: null,
    files: null,
    atomically: (change) => commits.run((db) => changeWithin(db, shared, change)),
    rehearse: async (change, look) =>
      await rehearse(
        requested,
        (db) => changeWithin(db, shared, change),
        async () => {
          await projection.finish();
          return await look(projection.present());
        },
      ),
    dryRun: (change) =>
      tryOnStoreCopy(file, (copy) => openSqliteRecord({ file: copy, origin: madeFor }), change),
    following: null,
    changeLog: null,
    backlog: () => countBacklog(reader),
    remakeReading: async () => await remakeReading(file, { writing, transactions, projection }),
    checkRows: null,
    snapshot: () => openSqliteSnapshot(file),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Where even the tables cannot be dropped, they are taken out of the schema, and their pages are lost. */
async function remakeReading(
  file: string,
  {
    writing,
    transactions,
    projection,
  }: { writing: DatabaseSync; transactions: Transactions; projection: HeldProjection },
): Promise<void> {
  const remake = async () =>
    await transactions.run(async (db) => {
      if (isReadingWhole(writing)) return;
      await projection.remake(new ContentQueries(db, new DeclaredTypes()), db);
    });
  try {
    await remake();
  } catch (error) {
    if (damageOf(error, "reading copy") === null) throw error;
    abandonReadingTables(file);
    await remake();
  }
}

type Kept = Pick<StoreParts, "declared"> & { projection: HeldProjection };

/** Transactions that tell the projection of all that is changed in them. */
function projecting(
  { reader, transact }: Connections,
  { projection, declared }: Kept,
): Connections {
  return {
    reader,
    async transact(change) {
      try {
        return await transact(async (db) => {
          projection.begin(db);
          const result = await change(db);
          await projection.finish();
          return result;
        });
      } catch (error) {
        declared.forget();
        throw error;
      }
    },
  };
}

/** @returns what undoes all that a part of a transaction leaves beside the tables from now on. */
function marked({ projection, declared }: Kept): () => void {
  const undo = projection.mark();
  return () => {
    declared.forget();
    undo();
  };
}

async function shownAtOnce(commit: Promise<void>): Promise<{ shown(): Promise<void> }> {
  await commit;
  return { shown: async () => {} };
}

/**
 * `synchronous = FULL`: what a caller was told is done survives a power cut. Pages that loads change
 * again and again are kept in 32 MB of memory. What {@link LogCopying} has not copied into the file when
 * the log has grown to 128 MB is copied at once.
 */
function openWriting(file: string): DatabaseSync {
  try {
    makeFolder(dirname(file));
    const timeout = LOCK_WAIT_SECONDS_MAX * 1000;
    const db = new DatabaseSync(file, { timeout, enableForeignKeyConstraints: true });
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    // SQLite has just undone what a killed process left half written; it ignores an empty journal.
    rmSync(`${file}-journal`, { force: true });
    db.exec("PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 32000");
    requireWholeFile(db, file);
    migrate(db);
    // From here on the dialect waits for the write lock, without blocking the process.
    db.exec("PRAGMA busy_timeout = 0");
    return db;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = reasonOf(error);
    throw new AppError("unavailable", `Cannot open the store ${file}: ${reason}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (isBusy(error)) {
    return `another process has kept it to itself for ${LOCK_WAIT_SECONDS_MAX} seconds. If that is migrate-to, do not start again until it has ended: what it moves is not to change`;
  }
  return error instanceof Error ? error.message : String(error);
}
