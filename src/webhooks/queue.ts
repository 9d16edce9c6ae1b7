import type { AuditEntry } from "../access/audit.ts";
import { type Chances, type Outcome, settle } from "./attempts.ts";
import { type EventMessage, eventMessage, isHeard, pingMessage } from "./events.ts";
import type { ClaimedDelivery, Delivery, Webhook, WebhookReader, WebhookStore } from "./webhook.ts";

/** A webhook with that many deliveries waiting is told of more once they are done. */
const WAITING_MAX = 1000;
/** Audit entries looked at in one transaction for one webhook. */
const ENTRIES_MAX = 500;
const LOG_MILLISECONDS = 30 * 24 * 60 * 60 * 1000;
const LOG_ENTRIES_MAX = 10_000;

/** Turns audit entries that webhooks have not seen into deliveries for those that want them. */
export async function queueNews(webhooks: WebhookStore, now: Date): Promise<void> {
  while (await webhooks.hasNews(WAITING_MAX)) await queueBlock(webhooks, now);
}

async function queueBlock(webhooks: WebhookStore, now: Date): Promise<void> {
  await webhooks.write(async (transaction) => {
    const news = await transaction.takeNews({ waitingMax: WAITING_MAX, entriesMax: ENTRIES_MAX });
    for (const { webhook, entries } of news) {
      for (const entry of entries) {
        if (!isHeard(webhook.events, entry.action)) continue;
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

/** What is to be sent, as JSON; every attempt sends the same. */
export async function messageOf(
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
 * Notes how an attempt ended, and disables a webhook whose address is gone or has failed for days.
 * An attempt whose claim was lost meanwhile is not noted.
 */
export async function settleAttempt(
  webhooks: WebhookStore,
  claimed: ClaimedDelivery,
  outcome: Outcome,
  chances: Chances,
): Promise<void> {
  await webhooks.write(async (transaction) => {
    const before = await transaction.webhook(claimed.webhook.id);
    if (before === null) return;
    const after = settle({ delivery: claimed.delivery, webhook: before }, outcome, chances);
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

/** Forgets notes older than 30 days, and the oldest of a webhook that has very many. */
export async function forgetDeliveries(webhooks: WebhookStore, now: Date): Promise<void> {
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
