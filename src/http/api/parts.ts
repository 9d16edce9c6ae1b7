import type { Actor } from "../../access/actor.ts";
import type { AuditLog } from "../../access/audit.ts";
import type { KeptAnswers } from "../../access/kept-answers.ts";
import type { KeyStore } from "../../access/keys.ts";
import type { RateLimits } from "../../access/rate-limits.ts";
import type { ContentDesk } from "../../content/desk.ts";
import type { ReadingCopy } from "../../content/library.ts";
import type { ContentRecord } from "../../content/record.ts";
import type { Log } from "../../log.ts";
import type { WebhookStore } from "../../webhooks/webhook.ts";

/** The parts of the record that administrators work on. */
export interface ApiStores {
  content: ContentRecord;
  desk: ContentDesk;
  keys: KeyStore;
  audit: AuditLog;
  keptAnswers: KeptAnswers;
  webhooks: WebhookStore;
}

/** What the administrative interface stands on. */
export interface ApiParts {
  stores: ApiStores;
  /** Runs changes of several stores as one transaction; it holds the lock of all writing. */
  atomically<T>(change: (stores: ApiStores) => Promise<T>): Promise<T>;
  reading: ReadingCopy;
  /** Scheme and host of every absolute URL. */
  origin: string;
  version: string;
  now: () => Date;
  log: Log;
  /** @throws {AppError} `unauthenticated` for a missing, wrong, expired or revoked key. */
  authenticate(authorization: string | undefined, address: string): Promise<Actor>;
  rateLimits: Pick<RateLimits, "take">;
  /** May webhooks lead into private networks, and be unencrypted? */
  webhookPrivateNetworks: boolean;
}
