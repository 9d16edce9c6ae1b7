import type { AuditEntry, NumberedAuditEntry } from "../access/audit.ts";
import type { Item } from "../content/items/item.ts";

/** A receiver of events about changes. */
export interface Webhook {
  id: string;
  url: string;
  /** Patterns of audit actions: `content.publish`, `content.*`, `*`. */
  events: readonly string[];
  description: string;
  state: "enabled" | "disabled";
  disabledWhy: string | null;
  /** Time since which every attempt has failed, by a trusted clock: ISO 8601, UTC. Null: not failing. */
  failingSince: string | null;
  /** Failed attempts since the last success. */
  failures: number;
  createdAt: string;
  createdBy: string;
  updatedAt: string;
}

/** Signing secrets. Unlike keys, they are stored in plain text, because signing needs them. */
export interface WebhookSecrets {
  secret: string;
  /** The secret before the last rotation, also used for signing until `until`. */
  former: { secret: string; until: string } | null;
}

/** One event for one webhook, with its outcome. */
export interface Delivery {
  number: number;
  webhookId: string;
  /** The id is the same in every attempt, so that receivers can detect repeats. */
  messageId: string;
  /** An audit action, or `ping`. */
  event: string;
  /** Null for a ping. */
  auditNumber: number | null;
  itemId: string | null;
  createdAt: string;
  state: "waiting" | "delivered" | "failed";
  /** When the next attempt is due; only meaningful while waiting. */
  dueAt: string;
  attempts: number;
  /** The outcome of the last attempt. */
  last: { at: string; status: number | null; milliseconds: number; error: string | null } | null;
}

export type NewDelivery = Pick<Delivery, "webhookId" | "event" | "auditNumber" | "itemId"> & {
  at: Date;
};

/** A delivery claimed by this process. */
export interface ClaimedDelivery {
  delivery: Delivery;
  webhook: Webhook;
  secrets: WebhookSecrets;
  claimedUntil: string;
}

export interface WebhookReader {
  webhook(id: string): Promise<Webhook | null>;
  secrets(id: string): Promise<WebhookSecrets | null>;
  /** Lists all webhooks in order of creation. */
  list(): Promise<Webhook[]>;
  delivery(webhookId: string, number: number): Promise<Delivery | null>;
  /** Lists deliveries, newest first, with numbers below `before`. */
  deliveries(
    webhookId: string,
    options: { before?: number; limit: number },
  ): Promise<readonly Delivery[]>;
  /**
   * Whether at least one webhook with fewer than `waitingMax` waiting deliveries has unseen audit entries.
   */
  hasUnseenEntries(waitingMax: number): Promise<boolean>;
  isDue(now: Date): Promise<boolean>;
  /**
   * The audit entry that a delivery reports, and the item as it was after the change that the entry
   * records.
   */
  subject(delivery: Delivery): Promise<{ entry: NumberedAuditEntry; item: Item | null } | null>;
}

export interface WebhookStore extends WebhookReader {
  /** Runs one transaction; inside it, use only the `transaction` argument. */
  write<T>(change: (transaction: WebhookTransaction) => Promise<T>): Promise<T>;
}

export interface WebhookTransaction extends WebhookReader {
  /** Stores a webhook. The webhook receives the events after its own audit entry. */
  insert(webhook: Webhook, secret: string, entry: AuditEntry): Promise<void>;
  update(webhook: Webhook, entry: AuditEntry | null): Promise<void>;
  updateSecrets(id: string, secrets: WebhookSecrets, entry: AuditEntry): Promise<void>;
  /** Removes a webhook and its deliveries. */
  remove(id: string, entry: AuditEntry): Promise<void>;
  /** Marks all events so far as seen by a webhook, so that they are not delivered to it. */
  skipToNow(id: string): Promise<void>;
  /** Marks all waiting deliveries of a webhook as failed. `why`: the reason to show. */
  dropWaiting(id: string, why: string): Promise<void>;
  queue(delivery: NewDelivery): Promise<Delivery>;
  /** Updates a delivery that is not claimed. */
  updateDelivery(delivery: Delivery): Promise<void>;
  noteChange(entry: AuditEntry): Promise<void>;
  /**
   * Returns enabled webhooks with their unseen audit entries, oldest first, and marks the entries as seen.
   */
  takeUnseenEntries(limits: {
    waitingMax: number;
    entriesMax: number;
  }): Promise<{ webhook: Webhook; entries: readonly NumberedAuditEntry[] }[]>;
  /** Id of the item that the entry names by its path; null if the path no longer leads to that item. */
  itemIdOf(entry: NumberedAuditEntry): Promise<string | null>;
  /** Claims due deliveries until `until`, oldest first. */
  claim(
    now: Date,
    options: { until: Date; limit: number; perWebhook: number },
  ): Promise<ClaimedDelivery[]>;
  /** @returns false if the claim was lost, or the delivery removed. */
  settle(claimed: ClaimedDelivery, delivery: Delivery): Promise<boolean>;
  /**
   * Removes deliveries that ended before a time. Also removes each webhook's oldest deliveries beyond
   * `keptMax`.
   */
  forget(options: { before: Date; keptMax: number }): Promise<void>;
}
