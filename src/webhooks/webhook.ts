import type { AuditEntry, NumberedEntry } from "../access/audit.ts";
import type { Item } from "../content/items/item.ts";

/** Somebody else's address that is told of changes. */
export interface Webhook {
  id: string;
  url: string;
  /** Patterns of actions of the audit log: `content.publish`, `content.*`, `*`. */
  events: readonly string[];
  description: string;
  state: "enabled" | "disabled";
  disabledWhy: string | null;
  /** Since when every attempt failed. ISO 8601, UTC, as all times. */
  failingSince: string | null;
  /** Attempts that failed since then. */
  failures: number;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
}

/** What signs the deliveries of a webhook: readable, unlike a key, for signing needs the secret. */
export interface WebhookSecrets {
  secret: string;
  /** The secret before the last rotation; signs as well until its time has come. */
  former: { secret: string; until: string } | null;
}

/** One event on its way to one webhook, and afterwards the note of how that went. */
export interface Delivery {
  number: number;
  webhookId: string;
  /** The same in every attempt, so that a receiver can tell a repeat. */
  messageId: string;
  /** An action of the audit log, or `ping`. */
  event: string;
  /** The entry of the audit log that is told; null for a ping. */
  auditNumber: number | null;
  itemId: string | null;
  createdAt: string;
  state: "waiting" | "delivered" | "failed";
  /** When the next attempt is due, as long as it waits. */
  dueAt: string;
  attempts: number;
  /** How the last attempt ended. */
  last: { at: string; status: number | null; milliseconds: number; error: string | null } | null;
}

export type NewDelivery = Pick<Delivery, "webhookId" | "event" | "auditNumber" | "itemId"> & {
  at: Date;
};

/** A delivery that this process alone may attempt until the claim ends. */
export interface ClaimedDelivery {
  delivery: Delivery;
  webhook: Webhook;
  secrets: WebhookSecrets;
  claimedUntil: string;
}

export interface WebhookReader {
  webhook(id: string): Promise<Webhook | null>;
  secrets(id: string): Promise<WebhookSecrets | null>;
  /** In the order in which they were made. */
  list(): Promise<Webhook[]>;
  delivery(webhookId: string, number: number): Promise<Delivery | null>;
  /** Latest first, those before a number. */
  deliveries(
    webhookId: string,
    options: { before?: number; limit: number },
  ): Promise<readonly Delivery[]>;
  /** Is there a webhook with fewer deliveries waiting that has not seen the latest audit entry? */
  hasNews(waitingMax: number): Promise<boolean>;
  isDue(now: Date): Promise<boolean>;
  /** What a delivery tells of, as it was at that time. */
  subject(delivery: Delivery): Promise<{ entry: NumberedEntry; item: Item | null } | null>;
}

export interface WebhookStore extends WebhookReader {
  /** One transaction; inside it use only what it is given. */
  write<T>(change: (transaction: WebhookTransaction) => Promise<T>): Promise<T>;
}

export interface WebhookTransaction extends WebhookReader {
  newId(now: Date): string;
  /** Keeps a new webhook; it hears of what comes after its own audit entry. */
  insert(webhook: Webhook, secret: string, entry: AuditEntry): Promise<void>;
  update(webhook: Webhook, entry: AuditEntry | null): Promise<void>;
  updateSecrets(id: string, secrets: WebhookSecrets, entry: AuditEntry): Promise<void>;
  /** Takes the log of its deliveries with it. */
  remove(id: string, entry: AuditEntry): Promise<void>;
  /** Passes over what happened while a webhook was not listening. */
  skipToNow(id: string): Promise<void>;
  /** Ends what still waits as failed. */
  dropWaiting(id: string, why: string): Promise<void>;
  queue(delivery: NewDelivery): Promise<Delivery>;
  /** A change of a delivery nobody is attempting. */
  updateDelivery(delivery: Delivery): Promise<void>;
  noteChange(entry: AuditEntry): Promise<void>;
  /** Enabled webhooks with the audit entries they have not seen, oldest first, and mark these seen. */
  takeNews(limits: {
    waitingMax: number;
    entriesMax: number;
  }): Promise<{ webhook: Webhook; entries: readonly NumberedEntry[] }[]>;
  /** The item that an entry about content speaks of; null when its path no longer leads there. */
  itemIdOf(entry: NumberedEntry): Promise<string | null>;
  /** Due deliveries, oldest first, which nobody else gets before `until`. */
  claim(
    now: Date,
    options: { until: Date; limit: number; perWebhook: number },
  ): Promise<ClaimedDelivery[]>;
  /** @returns false when the claim ended before and was lost to somebody else, or all was removed. */
  settle(claimed: ClaimedDelivery, delivery: Delivery): Promise<boolean>;
  /** Removes notes of deliveries that ended before a time, and the oldest beyond a number. */
  forget(options: { before: Date; keptMax: number }): Promise<void>;
}
