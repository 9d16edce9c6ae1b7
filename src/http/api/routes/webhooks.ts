import { z } from "zod";
import { AppError, englishOnlyWording } from "../../../errors.ts";
import { listDeliveries, pingWebhook, retryDelivery } from "../../../webhooks/deliveries.ts";
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  inspectWebhook,
  listWebhooks,
  rotateWebhookSecret,
  webhookChangesSchema,
  webhookInputSchema,
} from "../../../webhooks/managing.ts";
import type { Delivery, Webhook } from "../../../webhooks/webhook.ts";
import { pageQueryShape } from "../page-query.ts";
import { type ApiCall, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";

const webhookResponseSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string(),
    state: z.enum(["enabled", "disabled"]),
    disabledWhy: z.string().nullable(),
    failingSince: z.string().nullable(),
    failures: z.int(),
    createdAt: z.string(),
    createdBy: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: "Webhook" });

const deliveryResponseSchema = z
  .object({
    number: z.int(),
    messageId: z.string(),
    event: z.string(),
    auditNumber: z.int().nullable(),
    state: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int(),
    createdAt: z.string(),
    nextAttemptAt: z.string().nullable(),
    lastAttemptAt: z.string().nullable(),
    status: z.int().nullable(),
    milliseconds: z.int().nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: "Delivery" });

const list = defineRoute({
  method: "GET",
  path: "/webhooks",
  scope: "webhooks:manage",
  summary: "List webhooks",
  query: z.strictObject(pageQueryShape),
  body: NO_BODY,
  response: z.object({ items: z.array(webhookResponseSchema), nextCursor: z.string().nullable() }),
  async answer({ actor, stores, query }) {
    return { body: await listWebhooks(stores.webhooks, actor, query) };
  },
});

const create = defineRoute({
  method: "POST",
  path: "/webhooks",
  scope: "webhooks:manage",
  summary: "Create a webhook; its secret is shown only once",
  query: NO_QUERY,
  body: webhookInputSchema,
  response: webhookResponseSchema.extend({ secret: z.string() }),
  async answer(call) {
    const { webhook, secret } = await createWebhook(call.stores.webhooks, call.actor, call.body, {
      ...optionsOf(call),
      privateNetworks: call.parts.webhookPrivateNetworks,
    });
    return {
      status: 201,
      body: { ...webhook, secret },
      state: stateOf(webhook),
      headers: { Location: `/api/v1/webhooks/${webhook.id}` },
    };
  },
});

const inspect = defineRoute({
  method: "GET",
  path: "/webhooks/{id}",
  scope: "webhooks:manage",
  summary: "Get a webhook, without its secret",
  query: NO_QUERY,
  body: NO_BODY,
  response: webhookResponseSchema,
  async answer(call) {
    const webhook = await webhookOf(call);
    return { body: webhook, state: stateOf(webhook) };
  },
});

const change = defineRoute({
  method: "PATCH",
  path: "/webhooks/{id}",
  scope: "webhooks:manage",
  summary: "Change a webhook, enable or disable it",
  query: NO_QUERY,
  body: webhookChangesSchema,
  response: webhookResponseSchema,
  stateToMatch: async (call) => stateOf(await webhookOf(call)),
  async answer(call) {
    const webhook = await changeWebhook(
      call.stores.webhooks,
      call.actor,
      call.pathParameter("id"),
      {
        ...optionsOf(call),
        changes: call.body,
        privateNetworks: call.parts.webhookPrivateNetworks,
      },
    );
    return { body: webhook, state: stateOf(webhook) };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/webhooks/{id}",
  scope: "webhooks:manage",
  summary: "Delete a webhook and the log of its deliveries",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  stateToMatch: async (call) => stateOf(await webhookOf(call)),
  async answer(call) {
    await deleteWebhook(
      call.stores.webhooks,
      call.actor,
      call.pathParameter("id"),
      optionsOf(call),
    );
    return { status: 204, body: null };
  },
});

const rotate = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/rotate-secret",
  scope: "webhooks:manage",
  summary:
    "Replace the secret of a webhook; the new one is shown only once, the old one also signs for a day",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({ secret: z.string(), formerSecretUntil: z.string() }),
  async answer(call) {
    const { stores, actor, pathParameter } = call;
    return {
      body: await rotateWebhookSecret(stores.webhooks, actor, pathParameter("id"), optionsOf(call)),
    };
  },
});

const test = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/test",
  scope: "webhooks:manage",
  summary: "Send a ping",
  query: NO_QUERY,
  body: NO_BODY,
  response: deliveryResponseSchema,
  async answer(call) {
    const { stores, actor, pathParameter } = call;
    const delivery = await pingWebhook(
      stores.webhooks,
      actor,
      pathParameter("id"),
      optionsOf(call),
    );
    return { status: 202, body: toResponse(delivery) };
  },
});

const deliveries = defineRoute({
  method: "GET",
  path: "/webhooks/{id}/deliveries",
  scope: "webhooks:manage",
  summary: "List deliveries with their outcome, latest first",
  query: z.strictObject(pageQueryShape),
  body: NO_BODY,
  response: z.object({ items: z.array(deliveryResponseSchema), nextCursor: z.string().nullable() }),
  async answer({ stores, actor, pathParameter, query }) {
    const page = await listDeliveries(stores.webhooks, actor, pathParameter("id"), query);
    return { body: { items: page.items.map(toResponse), nextCursor: page.nextCursor } };
  },
});

const retry = defineRoute({
  method: "POST",
  path: "/webhooks/{id}/deliveries/{n}/retry",
  scope: "webhooks:manage",
  summary: "Send a delivery again",
  query: NO_QUERY,
  body: NO_BODY,
  response: deliveryResponseSchema,
  async answer(call) {
    const { stores, actor, pathParameter } = call;
    const target = { id: pathParameter("id"), number: parseNumber(pathParameter("n")) };
    const delivery = await retryDelivery(stores.webhooks, actor, target, optionsOf(call));
    return { status: 202, body: toResponse(delivery) };
  },
});

export const webhookRoutes: readonly Route[] = [
  list,
  create,
  inspect,
  change,
  remove,
  rotate,
  test,
  deliveries,
  retry,
];

type WebhookCall = Pick<ApiCall, "stores" | "actor" | "pathParameter" | "now" | "requestId">;

async function webhookOf({ stores, actor, pathParameter }: WebhookCall): Promise<Webhook> {
  return await inspectWebhook(stores.webhooks, actor, pathParameter("id"));
}

function optionsOf({ now, requestId }: WebhookCall): { now: Date; requestId: string } {
  return { now, requestId };
}

/** The state for `If-Match`, without delivery results. */
function stateOf({ url, events, description, state }: Webhook): unknown {
  return { url, events, description, state };
}

function toResponse({
  last,
  dueAt,
  state,
  ...delivery
}: Delivery): z.output<typeof deliveryResponseSchema> {
  return {
    number: delivery.number,
    messageId: delivery.messageId,
    event: delivery.event,
    auditNumber: delivery.auditNumber,
    state,
    attempts: delivery.attempts,
    createdAt: delivery.createdAt,
    nextAttemptAt: state === "waiting" ? dueAt : null,
    lastAttemptAt: last?.at ?? null,
    status: last?.status ?? null,
    milliseconds: last?.milliseconds ?? null,
    error: last?.error ?? null,
  };
}

function parseNumber(part: string): number {
  if (/^\d{1,15}$/.test(part)) return Number(part);
  throw new AppError(
    "not_found",
    englishOnlyWording("Deliveries have whole numbers, as their log shows"),
  );
}
