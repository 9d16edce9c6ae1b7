import type { Kysely } from "kysely";
import type { AdminStore } from "../../access/admins.ts";
import type { AuditLog } from "../../access/audit.ts";
import type { IdempotentReplies } from "../../access/idempotent-replies.ts";
import type { KeyUseStore } from "../../access/keys/key-use.ts";
import type { KeyStore } from "../../access/keys/keys.ts";
import type { RateLimiter, RateWindowStore } from "../../access/rate-limits.ts";
import type { KeyRequestStore } from "../../access/submissions/key-requests.ts";
import type { MessageStore } from "../../access/submissions/messages.ts";
import type { ContentDesk } from "../../content/editing/desk.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type { MediaStore } from "../../content/media/media.ts";
import type { ContentRecord, DryRun } from "../../content/record.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { SearchStore } from "../../search/search-log.ts";
import type { JobStore } from "../../transfer/job.ts";
import type { Snapshot } from "../../transfer/snapshot.ts";
import type { WebhookStore } from "../../webhooks/webhook.ts";
import type { SeenTimeStore } from "../../work/trusted-time.ts";
import type { Projection } from "../projection.ts";
import type { SharedFiles } from "../shared-files.ts";
import type { DamagedPlace } from "../sqlite/damage.ts";
import { KyselyAdminStore } from "./access/admins.ts";
import { KyselyAuditLog } from "./access/audit.ts";
import { KyselyIdempotentReplies } from "./access/kept-answers.ts";
import { KyselyKeyRequestStore } from "./access/key-requests.ts";
import { KyselyKeyUseStore } from "./access/key-use.ts";
import { KyselyKeyStore } from "./access/keys.ts";
import { KyselyMessageStore } from "./access/messages.ts";
import { KyselyRateWindowStore } from "./access/rate-windows.ts";
import { KyselySearchStore } from "./access/searches.ts";
import { KyselySecretStore } from "./access/secrets.ts";
import { type Connections, connectionsWithin } from "./connections.ts";
import { KyselyContentRecord } from "./content/content.ts";
import { KyselyContentDesk } from "./content/content-desk.ts";
import type { DeclaredTypes } from "./content/content-queries.ts";
import { KyselyContentTransaction } from "./content/content-transaction.ts";
import { KyselyMediaStore } from "./content/media.ts";
import type { Backlog } from "./queues/backlog.ts";
import { KyselyJobStore } from "./queues/jobs.ts";
import { KyselyOutbox } from "./queues/outbox.ts";
import { KyselyWebhookStore } from "./queues/webhooks.ts";
import { KyselySeenTimeStore } from "./seen-time.ts";
import type { RecordTables } from "./tables.ts";

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
  idempotentReplies: IdempotentReplies;
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  outbox: Outbox;
  secrets: KyselySecretStore;
  seenTime: SeenTimeStore;
  rateWindows: RateWindowStore;
  webhooks: WebhookStore;
  jobs: JobStore;
}

/** What the service asks of a reading copy that follows a record elsewhere. */
interface Following {
  state(): { position: number; isCurrent: boolean; lagSeconds: number; isReachable: boolean };
  /** Resolves once everything committed until now is in it, or after a few seconds. */
  current(): Promise<void>;
}

/** Closing waits for the writes under way. */
export interface OpenRecord extends RecordStores, AsyncDisposable {
  /**
   * Runs changes of several stores as one transaction: use only the stores it is given. If it throws,
   * nothing of it remains. It holds the lock of all writing, so wait for nothing else in it. It may run
   * more than once, so it must have no effect but on these stores.
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
  /** Writers of the record do not wait for it, however long it takes. */
  dryRun: DryRun;
  /** Public origin for which the reading copy is made. */
  origin: string;
  /** Tells the site from all others, wherever its record is moved; null: there is no site yet. */
  siteId(): Promise<string | null>;
  /** Decides for all instances on the database together; null: the process counts for itself. */
  rateLimits: RateLimiter | null;
  /** Where every instance finds the site's files; null: in the data folder. */
  files: SharedFiles | null;
  /** How the reading copy of this process follows the record; null: it stands beside it. */
  following: Following | null;
  /** What may be let go now and then; null: nothing. */
  changeLog: { letGo(): Promise<void> } | null;
  backlog(): Promise<Backlog>;
  /**
   * Makes the reading copy of this process again from the record, while it goes on being read; writes
   * wait meanwhile. Does nothing where another process has done so.
   */
  remakeReading(): Promise<void>;
  /**
   * Compares every row of the record that has a hash with it; yields null where the caller may pause.
   * Null: the record is in a file, which is checked as a whole.
   */
  checkRows: (() => AsyncGenerator<DamagedPlace | null>) | null;
  /** All content as it is now. */
  snapshot(): Snapshot;
  close(): Promise<void>;
}

/** What the stores of an engine work with. */
export interface StoreParts extends Connections {
  /** Changes whenever a key may have changed, also by another process. */
  version: () => number;
  projection: Projection;
  declared: DeclaredTypes;
}

/** For the record of an engine: each change of a store is a transaction of its own. */
export function recordStores(parts: StoreParts): RecordStores {
  return storesOn(parts, new KyselyContentRecord(parts));
}

/** Runs changes of several stores as parts of the transaction that `db` is in. */
export async function changeWithin<T>(
  db: Kysely<RecordTables>,
  { version, projection, declared }: Pick<StoreParts, "version" | "projection" | "declared">,
  change: (stores: RecordStores) => Promise<T>,
): Promise<T> {
  const content = new KyselyContentTransaction(db, { projection, declared });
  const { reader, transact } = connectionsWithin(db);
  const within = { reader, transact, version, projection, declared };
  const result = await change(storesOn(within, content));
  content.finish();
  return result;
}

function storesOn(connections: StoreParts, content: ContentRecord): RecordStores {
  return {
    content,
    desk: new KyselyContentDesk(connections.reader),
    media: new KyselyMediaStore(connections),
    keys: new KyselyKeyStore(connections),
    keyUse: new KyselyKeyUseStore(connections),
    admins: new KyselyAdminStore(connections),
    searches: new KyselySearchStore(connections),
    audit: new KyselyAuditLog(connections.reader),
    idempotentReplies: new KyselyIdempotentReplies(connections),
    keyRequests: new KyselyKeyRequestStore(connections),
    messages: new KyselyMessageStore(connections),
    outbox: new KyselyOutbox(connections),
    secrets: new KyselySecretStore(connections),
    seenTime: new KyselySeenTimeStore(connections),
    rateWindows: new KyselyRateWindowStore(connections),
    webhooks: new KyselyWebhookStore(connections),
    jobs: new KyselyJobStore(connections),
  };
}
