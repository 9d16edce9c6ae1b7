import type { Actor } from "../../access/actor.ts";
import type { AuditLog } from "../../access/audit.ts";
import type { IdempotentResponseStore } from "../../access/idempotent-responses.ts";
import type { KeyUseStore } from "../../access/keys/key-use.ts";
import type { KeyStore } from "../../access/keys/keys.ts";
import type { PeopleStores } from "../../access/people/people-stores.ts";
import type { PersonalDataStore } from "../../access/personal-data/stored-data.ts";
import type { RateLimiter } from "../../access/rate-limits.ts";
import type { SubmissionStores } from "../../access/submissions/submission-stores.ts";
import type { ViewCountStore } from "../../access/views.ts";
import type { DeskIndex } from "../../content/desk/desk-queries.ts";
import type { DraftStore } from "../../content/drafts/draft.ts";
import type { DraftNoteStore } from "../../content/drafts/notes.ts";
import type { PresenceStore } from "../../content/drafts/presence.ts";
import type { PreviewCodeStore } from "../../content/drafts/preview-codes.ts";
import type { ContentDesk } from "../../content/editing/desk.ts";
import type { RunPreview } from "../../content/editing/preview.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type {
  MediaFileStorage,
  MediaStore,
  ResizedPictureStore,
} from "../../content/media/media.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { LinkStore } from "../../links/link.ts";
import type { Log } from "../../log.ts";
import type { EmbeddingProgress } from "../../search/meaning/embedding.ts";
import type { SearchCountStore } from "../../search/search-log.ts";
import type { JobFiles, JobStore } from "../../transfer/job.ts";
import type { WebhookStore } from "../../webhooks/webhook.ts";
import type { ConcurrencyLimiter } from "../../work/work-limit.ts";

/** The stores that the admin API uses. */
export interface ApiStores extends SubmissionStores, PeopleStores {
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
  personalData: PersonalDataStore;
  idempotentResponses: IdempotentResponseStore;
  webhooks: WebhookStore;
  jobs: JobStore;
}

/** Dependencies of the admin API. */
export interface ApiDependencies {
  stores: ApiStores;
  /** Runs changes of several stores as one transaction, under the lock that serialises writers. */
  atomically<T>(change: (stores: ApiStores) => Promise<T>): Promise<T>;
  /** Limits the concurrent changes of all clients together. */
  changeLimit: Pick<ConcurrencyLimiter, "run">;
  /** Applies changes, shows the resulting site, and discards the changes. */
  preview: RunPreview;
  reading: ReadingCopy;
  /** Finds drafts, and items in every status. */
  deskIndex: DeskIndex;
  mediaFiles: MediaFileStorage;
  pictureSizes: ResizedPictureStore;
  /** Input files of imports and output files of exports. */
  jobFiles: JobFiles;
  /** Scheme and host of every absolute URL. */
  origin: string;
  version: string;
  now: () => Date;
  /** Aborted when the server stops, so that long requests end cleanly. */
  draining: AbortSignal;
  log: Log;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: RateLimiter;
  /** Counts key use in memory; a scheduled task saves it. */
  countUse(keyId: string, tool: string): void;
  /** Progress of embedding items for semantic search; null: no model is configured. */
  meaningProgress(): EmbeddingProgress | null;
  /**
   * Names of the MCP tools. They are injected, because the modules of the HTTP interface must not import
   * the tools.
   */
  toolNames: readonly string[];
  /** Whether the service can send mail. */
  sendsMail: boolean;
  /** Whether webhooks may use private networks and plain HTTP. */
  webhookPrivateNetworks: boolean;
}
