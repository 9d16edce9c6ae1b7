import type { Actor } from "../../access/actor.ts";
import type { AdminStore } from "../../access/admins.ts";
import type { AuditLog } from "../../access/audit.ts";
import type { KeptAnswers } from "../../access/kept-answers.ts";
import type { KeyUseStore } from "../../access/keys/key-use.ts";
import type { KeyStore } from "../../access/keys/keys.ts";
import type { RateLimiter } from "../../access/rate-limits.ts";
import type { SubmissionStores } from "../../access/submissions/submission-stores.ts";
import type { ContentDesk } from "../../content/editing/desk.ts";
import type { Rehearse } from "../../content/editing/preview.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type { MediaFiles, MediaStore } from "../../content/media/media.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { Log } from "../../log.ts";
import type { MeaningProgress } from "../../search/meaning/meaning.ts";
import type { SearchStore } from "../../search/search-log.ts";
import type { JobFiles, JobStore } from "../../transfer/job.ts";
import type { WebhookStore } from "../../webhooks/webhook.ts";

/** The parts of the record that administrators work on. */
export interface ApiStores extends SubmissionStores {
  content: ContentRecord;
  desk: ContentDesk;
  media: MediaStore;
  keys: KeyStore;
  keyUse: KeyUseStore;
  admins: AdminStore;
  searches: SearchStore;
  audit: AuditLog;
  keptAnswers: KeptAnswers;
  webhooks: WebhookStore;
  jobs: JobStore;
}

/** What the administrative interface stands on. */
export interface ApiParts {
  stores: ApiStores;
  /** Runs changes of several stores as one transaction; it holds the lock of all writing. */
  atomically<T>(change: (stores: ApiStores) => Promise<T>): Promise<T>;
  /** Shows what changes would make of the site, and undoes them. */
  rehearse: Rehearse;
  reading: ReadingCopy;
  mediaFiles: MediaFiles;
  /** What imports read and exports write. */
  jobFiles: JobFiles;
  /** Scheme and host of every absolute URL. */
  origin: string;
  version: string;
  now: () => Date;
  /** Aborted when the server stops: requests that may take long then end in order. */
  draining: AbortSignal;
  log: Log;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: RateLimiter;
  /** Counts what a key did, without a write; the clock keeps it. */
  countUse(keyId: string, tool: string): void;
  /** How many items can be found by what they mean; null: no model is named for it. */
  meaningProgress(): MeaningProgress | null;
  /** Can the service send mail? */
  sendsMail: boolean;
  /** May webhooks lead into private networks, and be unencrypted? */
  webhookPrivateNetworks: boolean;
}
