import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Kysely } from "kysely";
import type { AdminStore } from "../../access/admins.ts";
import type { AuditLog } from "../../access/audit.ts";
import type { KeptAnswers } from "../../access/kept-answers.ts";
import type { KeyRequestStore } from "../../access/key-requests.ts";
import type { KeyUseStore } from "../../access/key-use.ts";
import type { KeyStore } from "../../access/keys.ts";
import type { MessageStore } from "../../access/messages.ts";
import type { RateWindowStore } from "../../access/rate-limits.ts";
import type { ContentDesk } from "../../content/desk.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type { MediaStore } from "../../content/media.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { SearchStore } from "../../content/search-record.ts";
import { AppError } from "../../errors.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { JobStore } from "../../transfer/job.ts";
import type { Snapshot } from "../../transfer/snapshot.ts";
import type { WebhookStore } from "../../webhooks/webhook.ts";
import { dataVersionOf } from "../data-version.ts";
import {
  embeddedProjection,
  type OnProgress,
  type Projection,
  projectedOrigin,
} from "../projection.ts";
import { KyselyAdminStore } from "./admins.ts";
import { KyselyAuditLog } from "./audit.ts";
import { type Connections, connectionsOf, connectionsWithin } from "./connections.ts";
import { KyselyContentRecord } from "./content.ts";
import { KyselyContentDesk } from "./content-desk.ts";
import { ContentQueries, DeclaredTypes } from "./content-queries.ts";
import { KyselyContentTransaction } from "./content-transaction.ts";
import { KyselyJobStore } from "./jobs.ts";
import { KyselyKeptAnswers } from "./kept-answers.ts";
import { KyselyKeyRequestStore } from "./key-requests.ts";
import { KyselyKeyUseStore } from "./key-use.ts";
import { KyselyKeyStore } from "./keys.ts";
import { KyselyMediaStore } from "./media.ts";
import { KyselyMessageStore } from "./messages.ts";
import { KyselyOutbox } from "./outbox.ts";
import { KyselyRateWindowStore } from "./rate-windows.ts";
import { rehearse } from "./rehearsal.ts";
import { KyselySearchStore } from "./searches.ts";
import { KyselySecretStore } from "./secrets.ts";
import { openSnapshot } from "./snapshot.ts";
import { NodeSqliteDialect } from "./sqlite/dialect.ts";
import { LogCopying } from "./sqlite/log-copying.ts";
import { migrate } from "./sqlite/migrate.ts";
import type { RecordTables } from "./tables.ts";
import { KyselyWebhookStore } from "./webhooks.ts";

/** Everything the service must not lose, a store for each noun. */
export interface RecordStores {
  content: ContentRecord;
  desk: ContentDesk;
  media: MediaStore;
  keys: KeyStore;
  keyUse: KeyUseStore;
  admins: AdminStore;
  searches: SearchStore;
  audit: AuditLog;
  keptAnswers: KeptAnswers;
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  outbox: Outbox;
  secrets: KyselySecretStore;
  rateWindows: RateWindowStore;
  webhooks: WebhookStore;
  jobs: JobStore;
}

/** Closing waits for the writes under way. */
export interface OpenRecord extends RecordStores, AsyncDisposable {
  /**
   * Runs changes of several stores as one transaction: use only the stores it is given. If it throws,
   * nothing of it remains. It holds the lock of all writing, so wait for nothing else in it.
   */
  atomically<T>(change: (stores: RecordStores) => Promise<T>): Promise<T>;
  /**
   * Makes changes as {@link OpenRecord.atomically} does, looks at what the public would then see, and
   * undoes them.
   */
  rehearse<T>(
    change: (stores: RecordStores) => Promise<unknown>,
    look: (reading: ReadingCopy) => Promise<T>,
  ): Promise<T>;
  /** Public origin for which the reading copy is made. */
  origin: string;
  /** All content as it is now. */
  snapshot(): Snapshot;
  close(): Promise<void>;
}

export interface RecordOptions {
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
export async function openRecord({
  file,
  origin,
  otherOrigin = "remake",
  onProgress = () => {},
}: RecordOptions): Promise<OpenRecord> {
  const writing = openWriting(file);
  const reading = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const copying = new LogCopying(writing, file);
  const writer = new Kysely<RecordTables>({
    dialect: new NodeSqliteDialect(writing, () => copying.committed()),
  });
  const reader = new Kysely<RecordTables>({ dialect: new NodeSqliteDialect(reading) });
  const madeFor = otherOrigin === "keep" ? (projectedOrigin(writing) ?? origin) : origin;
  const projection = embeddedProjection(writing, madeFor);
  await writer.transaction().execute(async (transaction) => {
    const content = new ContentQueries(transaction, new DeclaredTypes());
    await projection.refresh(content, transaction, onProgress);
  });
  const closeOnce = async () => {
    await writer.connection().execute(async () => {});
    await writer.destroy();
    await reader.destroy();
    await copying.close();
    reading.close();
    writing.close();
  };
  let closing: Promise<void> | null = null;
  const close = async () => {
    closing ??= closeOnce();
    await closing;
  };
  const declared = new DeclaredTypes();
  const connections = connectionsOf(reader, writer);
  const version = dataVersionOf(reading);
  const runOn = async <T>(
    db: Kysely<RecordTables>,
    change: (stores: RecordStores) => Promise<T>,
  ): Promise<T> => {
    const content = new KyselyContentTransaction(db, { projection, declared });
    const within = { ...connectionsWithin(db), version, projection, declared };
    const result = await change({ content, ...storesOn(within) });
    await content.finish();
    return result;
  };
  return {
    content: new KyselyContentRecord({ ...connections, projection, declared }),
    ...storesOn({ ...connections, version, projection, declared }),
    origin: madeFor,
    atomically: async (change) => await connections.transact((db) => runOn(db, change)),
    rehearse: async (change, look) =>
      await rehearse(
        connections,
        (db) => runOn(db, change),
        () => look(projection.present()),
      ),
    snapshot: () => openSnapshot(file),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function storesOn(
  connections: Connections & {
    version: () => number;
    projection: Projection;
    declared: DeclaredTypes;
  },
): Omit<RecordStores, "content"> {
  return {
    desk: new KyselyContentDesk(connections.reader),
    media: new KyselyMediaStore(connections),
    keys: new KyselyKeyStore(connections),
    keyUse: new KyselyKeyUseStore(connections),
    admins: new KyselyAdminStore(connections),
    searches: new KyselySearchStore(connections),
    audit: new KyselyAuditLog(connections.reader),
    keptAnswers: new KyselyKeptAnswers(connections),
    keyRequests: new KyselyKeyRequestStore(connections),
    messages: new KyselyMessageStore(connections),
    outbox: new KyselyOutbox(connections),
    secrets: new KyselySecretStore(connections),
    rateWindows: new KyselyRateWindowStore(connections),
    webhooks: new KyselyWebhookStore(connections),
    jobs: new KyselyJobStore(connections),
  };
}

/**
 * `synchronous = FULL`: what a caller was told is done survives a power cut. Pages that loads change
 * again and again are kept in 32 MB of memory. What {@link LogCopying} has not copied into the file when
 * the log has grown to 128 MB is copied at once.
 */
function openWriting(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const db = new DatabaseSync(file, { timeout: 10_000, enableForeignKeyConstraints: true });
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    db.exec("PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 32000");
    migrate(db);
    // From here on the dialect waits for the write lock, without blocking the process.
    db.exec("PRAGMA busy_timeout = 0");
    return db;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppError("unavailable", `Cannot open the store ${file}: ${reason}`, { cause: error });
  }
}
