import type { AuditEntry } from "../access/audit.ts";
import { applyDeliveryOutcome, type DeliveryOutcome } from "./attempts.ts";
import {
  createEventMessage,
  createPingMessage,
  type EventMessage,
  matchesEventPatterns,
} from "./events.ts";
import type { ClaimedDelivery, Delivery, Webhook, WebhookReader, WebhookStore } from "./webhook.ts";

/** Backpressure: a webhook with this many waiting deliveries gets no new ones. */
const WAITING_MAX = 1000;
/** Audit entries per webhook and transaction. */
const ENTRIES_MAX = 500;
const KEPT_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
const KEPT_MAX = 10_000;

/** Queues deliveries for audit entries that webhooks have not seen. */
export async function queueDeliveries(webhooks: WebhookStore, now: Date): Promise<void> {
  while (await webhooks.hasUnseenEntries(WAITING_MAX)) await queueBatch(webhooks, now);
}

async function queueBatch(webhooks: WebhookStore, now: Date): Promise<void> {
  await webhooks.write(async (transaction) => {
    const unseen = await transaction.takeUnseenEntries({
      waitingMax: WAITING_MAX,
      entriesMax: ENTRIES_MAX,
    });
    for (const { webhook, entries } of unseen) {
      for (const entry of entries) {
        if (!matchesEventPatterns(webhook.events, entry.action)) continue;
        await transaction.queue({
          webhookId: webhook.id,
          event: entry.action,
          auditNumber: entry.number,
          itemId: await transaction.itemIdOf(entry),
          at: now,
        });
      }
    }
  });
}

/** The payload as JSON, identical in every attempt. */
export async function createDeliveryPayload(
  webhooks: WebhookReader,
  delivery: Delivery,
  origin: string,
): Promise<string> {
  const subject = await webhooks.subject(delivery);
  const message: EventMessage =
    subject === null
      ? createPingMessage(delivery)
      : createEventMessage(subject.entry, subject.item, origin);
  return JSON.stringify(message);
}

/**
 * Stores the outcome of an attempt, unless its claim was lost. Disables a webhook that answered 410 Gone or
 * has failed for days.
 */
export async function storeAttemptOutcome(
  webhooks: WebhookStore,
  claimed: ClaimedDelivery,
  outcome: DeliveryOutcome,
  random: number,
): Promise<void> {
  await webhooks.write(async (transaction) => {
    const before = await transaction.webhook(claimed.webhook.id);
    if (before === null) return;
    const after = applyDeliveryOutcome(
      { delivery: claimed.delivery, webhook: before },
      outcome,
      random,
    );
    if (!(await transaction.settle(claimed, after.delivery))) return;
    const isDisabled = before.state === "enabled" && after.webhook.state === "disabled";
    await transaction.update(
      after.webhook,
      isDisabled ? disabledEntry(after.webhook, outcome.at) : null,
    );
    if (isDisabled) {
      await transaction.dropWaiting(before.id, `Not sent: ${after.webhook.disabledWhy}`);
    }
  });
}

/** Removes deliveries that ended over 30 days ago, and all but the latest 10,000 of each webhook. */
export async function pruneDeliveries(webhooks: WebhookStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MILLISECONDS);
  await webhooks.write((transaction) => transaction.forget({ before, keptMax: KEPT_MAX }));
}

function disabledEntry({ id }: Webhook, at: Date): AuditEntry {
  return {
    at: at.toISOString(),
    actor: "clock",
    action: "webhook.disable",
    target: id,
    revisionBefore: null,
    revisionAfter: null,
    requestId: null,
  };
}
