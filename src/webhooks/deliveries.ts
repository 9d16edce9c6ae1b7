import { z } from "zod";
import { type Actor, requireScope } from "../access/actor.ts";
import type { ChangeContext } from "../access/audit.ts";
import { auditEntryForChange } from "../access/audit.ts";
import { decodeCursor, toCursorPage } from "../content/lists/cursor.ts";
import { AppError } from "../errors.ts";
import { PING_EVENT, requireReadableEvents } from "./events.ts";
import { requireWebhook } from "./managing.ts";
import type { Delivery, Webhook, WebhookReader, WebhookStore } from "./webhook.ts";

const deliveryNumberSchema = z.int().positive();

/**
 * The deliveries of a webhook, newest first.
 *
 * @throws {AppError} `not_found`; `invalid` for a cursor of another list; `forbidden` if the actor
 * may not read the webhook's events.
 */
export async function listDeliveries(
  webhooks: WebhookReader,
  actor: Actor,
  id: string,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: readonly Delivery[]; nextCursor: string | null }> {
  requireScope(actor, "webhooks:manage");
  const webhook = await requireWebhook(webhooks, id);
  requireReadableEvents(actor, webhook.events);
  const asked = ["webhook deliveries", id];
  const before =
    cursor === undefined ? undefined : decodeCursor(cursor, asked, deliveryNumberSchema);
  const found = await webhooks.deliveries(id, {
    limit: limit + 1,
    ...(before === undefined ? {} : { before }),
  });
  return toCursorPage(found, { limit, query: asked, positionOf: ({ number }) => number });
}

/** Queues a `ping`. @throws {AppError} `not_found`; `conflict` if the webhook is disabled. */
export async function pingWebhook(
  webhooks: WebhookStore,
  actor: Actor,
  id: string,
  options: ChangeContext,
): Promise<Delivery> {
  requireScope(actor, "webhooks:manage");
  return await webhooks.write(async (transaction) => {
    const webhook = await enabledWebhook(transaction, id);
    await transaction.noteChange(
      auditEntryForChange("webhook.test", webhook.id, { actor, ...options }),
    );
    const ping = { webhookId: id, event: PING_EVENT, auditNumber: null, itemId: null };
    return await transaction.queue({ ...ping, at: options.now });
  });
}

/**
 * Schedules an immediate retry of a delivery, with the same message id.
 *
 * @throws {AppError} `not_found`; `forbidden`; `conflict` if the webhook is disabled.
 */
export async function retryDelivery(
  webhooks: WebhookStore,
  actor: Actor,
  { id, number }: { id: string; number: number },
  options: ChangeContext,
): Promise<Delivery> {
  requireScope(actor, "webhooks:manage");
  return await webhooks.write(async (transaction) => {
    const webhook = await enabledWebhook(transaction, id);
    requireReadableEvents(actor, webhook.events);
    const before = await transaction.delivery(id, number);
    if (before === null) {
      throw new AppError("not_found", {
        en: `This webhook has no delivery with the number ${number}`,
        de: `Dieser Webhook hat keine Zustellung mit der Nummer ${number}`,
      });
    }
    const dueAt = options.now.toISOString();
    const delivery: Delivery = { ...before, state: "waiting", attempts: 0, dueAt };
    await transaction.updateDelivery(delivery);
    await transaction.noteChange(
      auditEntryForChange("webhook.retry", webhook.id, { actor, ...options }),
    );
    return delivery;
  });
}

async function enabledWebhook(webhooks: WebhookReader, id: string): Promise<Webhook> {
  const webhook = await requireWebhook(webhooks, id);
  if (webhook.state === "enabled") return webhook;
  throw new AppError("conflict", {
    en: "This webhook is disabled; enable it first",
    de: "Dieser Webhook ist ausgeschaltet: Schalten Sie ihn zuerst ein",
  });
}
