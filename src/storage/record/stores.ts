import type { Kysely } from "kysely";
import type { AuditLog } from "../../access/audit.ts";
import type { IdempotentResponseStore } from "../../access/idempotent-responses.ts";
import type { KeyUseStore } from "../../access/keys/key-use.ts";
import type { KeyStore } from "../../access/keys/keys.ts";
import type { PeopleStores } from "../../access/people/people-stores.ts";
import type { PersonalDataStore } from "../../access/personal-data/stored-data.ts";
import type { RateLimiter, RateWindowStore } from "../../access/rate-limits.ts";
import type { KeyRequestStore } from "../../access/submissions/key-requests.ts";
import type { MessageStore } from "../../access/submissions/messages.ts";
import type { ViewCountStore } from "../../access/views.ts";
import type { DraftStore } from "../../content/drafts/draft.ts";
import type { DraftNoteStore } from "../../content/drafts/notes.ts";
import type { PresenceStore } from "../../content/drafts/presence.ts";
import type { PreviewCodeStore } from "../../content/drafts/preview-codes.ts";
import type { DraftStores } from "../../content/drafts/saving.ts";
import type { ContentDesk } from "../../content/editing/desk.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type { MediaStore } from "../../content/media/media.ts";
import type { ContentRecord, DryRunner } from "../../content/record.ts";
import type { QueueMeasurements } from "../../health/facts.ts";
import type { HealthStore } from "../../health/reporting.ts";
import type { LinkStore } from "../../links/link.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { SearchCountStore } from "../../search/search-log.ts";
import type { JobStore } from "../../transfer/job.ts";
import type { Snapshot } from "../../transfer/snapshot.ts";
import type { WebhookStore } from "../../webhooks/webhook.ts";
import type { SavedTimeStore } from "../../work/trusted-time.ts";
import type { Projection } from "../projection.ts";
import type { ChangeSource } from "../replica/change-source.ts";
import type { SharedFiles } from "../shared-files.ts";
import type { DamageLocation } from "../sqlite/damage.ts";
import { KyselyAuditLog } from "./access/audit.ts";
import { KyselyIdempotentResponseStore } from "./access/idempotent-responses.ts";
import { KyselyKeyRequestStore } from "./access/key-requests.ts";
import { KyselyKeyUseStore } from "./access/key-use.ts";
import { KyselyKeyStore } from "./access/keys.ts";
import { KyselyMessageStore } from "./access/messages.ts";
import { KyselyAdminCodeStore } from "./access/people/admin-codes.ts";
import { KyselyAdminStore } from "./access/people/admins.ts";
import { KyselyDigestStore } from "./access/people/digests.ts";
import { KyselyPasskeyStore } from "./access/people/passkeys.ts";
import { KyselySecondFactorStore } from "./access/people/second-factors.ts";
import { KyselySessionStore } from "./access/people/sessions.ts";
import { KyselySignInAttemptStore } from "./access/people/sign-in-attempts.ts";
import { KyselyPersonalDataStore } from "./access/personal-data.ts";
import { KyselyRateWindowStore } from "./access/rate-windows.ts";
import { KyselySearchCountStore } from "./access/searches.ts";
import { KyselySecretStore } from "./access/secrets.ts";
import { KyselyViewCountStore } from "./access/views.ts";
import { type Connections, createTransactionConnections } from "./connections.ts";
import { KyselyContentRecord } from "./content/content.ts";
import { KyselyContentDesk } from "./content/content-desk.ts";
import type { SettingsCache } from "./content/content-queries.ts";
import { KyselyContentTransaction } from "./content/content-transaction.ts";
import { KyselyMediaStore } from "./content/media.ts";
import { KyselyDraftStore } from "./drafts/drafts.ts";
import { KyselyDraftNoteStore } from "./drafts/notes.ts";
import { KyselyPresenceStore } from "./drafts/presence.ts";
import { KyselyPreviewCodeStore } from "./drafts/preview-codes.ts";
import { KyselyHealthStore } from "./health.ts";
import { KyselyJobStore } from "./queues/jobs.ts";
import { KyselyLinkStore } from "./queues/links.ts";
import { KyselyOutbox } from "./queues/outbox.ts";
import { KyselyWebhookStore } from "./queues/webhooks.ts";
import { KyselySavedTimeStore } from "./saved-time.ts";
import type { RecordTables } from "./tables.ts";

/** The stores of the record, one for each kind of data. */
export interface RecordStores extends PeopleStores {
  content: ContentRecord;
  drafts: DraftStore;
  draftNotes: DraftNoteStore;
  previewCodes: PreviewCodeStore;
  presence: PresenceStore;
  desk: ContentDesk;
  media: MediaStore;
  keys: KeyStore;
  keyUse: KeyUseStore;
  searches: SearchCountStore;
  views: ViewCountStore;
  links: LinkStore;
  audit: AuditLog;
  idempotentResponses: IdempotentResponseStore;
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  personalData: PersonalDataStore;
  outbox: Outbox;
  secrets: KyselySecretStore;
  seenTime: SavedTimeStore;
  health: HealthStore;
  rateWindows: RateWindowStore;
  webhooks: WebhookStore;
  jobs: JobStore;
}

/** A reading copy that follows a record in PostgreSQL. */
interface Replica {
  state(): { position: number; isCurrent: boolean; lagSeconds: number; isReachable: boolean };
  /** Resolves once the copy contains everything committed so far, or after a few seconds. */
  untilCurrent(): Promise<void>;
}

/** An open record. Closing it waits for writes in progress. */
export interface OpenRecord extends RecordStores, AsyncDisposable {
  /**
   * Runs changes to several stores in one transaction, and rolls back if `change` throws. `change` must use
   * only the stores it is given. While it runs, it holds the write lock, so it must not wait for anything
   * else. It can run more than once, so it must have no other side effects.
   */
  atomically<T>(change: (stores: RecordStores) => Promise<T>): Promise<T>;
  /**
   * Calls `look` with the public content as it would be after `change`. Stores nothing. Takes no lock, so
   * previews and writers do not wait for each other. `change` can run more than once.
   */
  preview<T>(
    change: (stores: DraftStores) => Promise<unknown>,
    look: (reading: ReadingCopy) => Promise<T>,
  ): Promise<T>;
  /** Runs changes on a temporary copy, without blocking writers. */
  dryRun: DryRunner;
  /** Public origin that the reading copy was built for. */
  origin: string;
  /**
   * Unique id of the site. It stays the same when the record moves to another store. Null if there is
   * no site.
   */
  siteId(): Promise<string | null>;
  /** Rate limits shared by all instances on the database; null: each process counts on its own. */
  rateLimits: RateLimiter | null;
  /** File storage shared by all instances; null: files are in the data folder. */
  files: SharedFiles | null;
  /** This process's reading copy; null: record and copy share a file, or this process follows no log. */
  replica: Replica | null;
  /** The log that feeds reading copies; null: record and copy share a file. */
  changeLog: (Pick<ChangeSource, "after"> & { prune(): Promise<void> }) | null;
  backlog(): Promise<QueueMeasurements>;
  /**
   * Rebuilds this process's reading copy from the record. Reads continue; writes wait. Does nothing if
   * another process that shares the copy has already rebuilt it.
   */
  rebuildReadingCopy(): Promise<void>;
  /**
   * Compares items, relations and revisions with their hashes. Yields the location of each damage, and
   * also null at points where the caller may pause. `checkRows` is null if the record is in a file,
   * because a file is checked as a whole.
   */
  checkRows: (() => AsyncGenerator<DamageLocation | null>) | null;
  /** Opens a snapshot of all content. */
  snapshot(): Snapshot;
  close(): Promise<void>;
}

/** Dependencies of the stores. */
export interface StoreDependencies extends Connections {
  /** Changes whenever any process may have changed a key. */
  version: () => number;
  projection: Projection;
  declared: SettingsCache;
}

/** Creates the stores of a record. Each write runs in its own transaction. */
export function createRecordStores(parts: StoreDependencies): RecordStores {
  return storesOn(parts, new KyselyContentRecord(parts));
}

/** Runs changes to several stores inside the transaction of `db`. */
export async function runChangeInTransaction<T>(
  db: Kysely<RecordTables>,
  { version, projection, declared }: Pick<StoreDependencies, "version" | "projection" | "declared">,
  change: (stores: RecordStores) => Promise<T>,
): Promise<T> {
  const content = new KyselyContentTransaction(db, { projection, declared });
  const { reader, transact } = createTransactionConnections(db);
  const parts = { reader, transact, version, projection, declared };
  const result = await change(storesOn(parts, content));
  content.finish();
  return result;
}

function storesOn(connections: StoreDependencies, content: ContentRecord): RecordStores {
  return {
    content,
    drafts: new KyselyDraftStore(connections),
    presence: new KyselyPresenceStore(connections),
    draftNotes: new KyselyDraftNoteStore(connections),
    previewCodes: new KyselyPreviewCodeStore(connections),
    desk: new KyselyContentDesk(connections.reader),
    media: new KyselyMediaStore(connections),
    keys: new KyselyKeyStore(connections),
    keyUse: new KyselyKeyUseStore(connections),
    admins: new KyselyAdminStore(connections),
    adminCodes: new KyselyAdminCodeStore(connections),
    sessions: new KyselySessionStore(connections),
    secondFactors: new KyselySecondFactorStore(connections),
    passkeys: new KyselyPasskeyStore(connections),
    digests: new KyselyDigestStore(connections),
    signInAttempts: new KyselySignInAttemptStore(connections),
    searches: new KyselySearchCountStore(connections),
    views: new KyselyViewCountStore(connections),
    links: new KyselyLinkStore(connections),
    audit: new KyselyAuditLog(connections.reader),
    idempotentResponses: new KyselyIdempotentResponseStore(connections),
    keyRequests: new KyselyKeyRequestStore(connections),
    messages: new KyselyMessageStore(connections),
    personalData: new KyselyPersonalDataStore(connections),
    outbox: new KyselyOutbox(connections),
    secrets: new KyselySecretStore(connections),
    seenTime: new KyselySavedTimeStore(connections),
    health: new KyselyHealthStore(connections),
    rateWindows: new KyselyRateWindowStore(connections),
    webhooks: new KyselyWebhookStore(connections),
    jobs: new KyselyJobStore(connections),
  };
}
