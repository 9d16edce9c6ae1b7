import type { AuditEntry } from "../access/audit.ts";
import { type Outcome, settle } from "./attempts.ts";
import { type EventMessage, eventMessage, isSubscribed, pingMessage } from "./events.ts";
import type { ClaimedDelivery, Delivery, Webhook, WebhookReader, WebhookStore } from "./webhook.ts";

/** Backpressure: a webhook with this many waiting deliveries gets no new ones. */
const WAITING_MAX = 1000;
/** Audit entries per webhook and transaction. */
const ENTRIES_MAX = 500;
const LOG_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
const LOG_ENTRIES_MAX = 10_000;

/** Queues deliveries for audit entries that webhooks have not seen. */
export async function queueDeliveries(webhooks: WebhookStore, now: Date): Promise<void> {
  while (await webhooks.hasUnseenEntries(WAITING_MAX)) await queueBlock(webhooks, now);
}

async function queueBlock(webhooks: WebhookStore, now: Date): Promise<void> {
  await webhooks.write(async (transaction) => {
    const news = await transaction.takeUnseenEntries({
      waitingMax: WAITING_MAX,
      entriesMax: ENTRIES_MAX,
    });
    for (const { webhook, entries } of news) {
      for (const entry of entries) {
        if (!isSubscribed(webhook.events, entry.action)) continue;
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
export async function payloadOf(
  webhooks: WebhookReader,
  delivery: Delivery,
  origin: string,
): Promise<string> {
  const subject = await webhooks.subject(delivery);
  const message: EventMessage =
    subject === null ? pingMessage(delivery) : eventMessage(subject.entry, subject.item, origin);
  return JSON.stringify(message);
}

/**
 * Stores the outcome of an attempt, unless its claim was lost. Disables a webhook that answered 410 Gone or
 * has failed for days.
 */
export async function settleAttempt(
  webhooks: WebhookStore,
  claimed: ClaimedDelivery,
  outcome: Outcome,
  random: number,
): Promise<void> {
  await webhooks.write(async (transaction) => {
    const before = await transaction.webhook(claimed.webhook.id);
    if (before === null) return;
    const after = settle({ delivery: claimed.delivery, webhook: before }, outcome, random);
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

/** Prunes deliveries that ended over 30 days ago, and the oldest ones of a webhook with more than 10,000. */
export async function pruneDeliveries(webhooks: WebhookStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LOG_MILLISECONDS);
  await webhooks.write((transaction) => transaction.forget({ before, keptMax: LOG_ENTRIES_MAX }));
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
