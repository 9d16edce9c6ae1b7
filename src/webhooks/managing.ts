import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { type Actor, actorName, requireScope } from "../access/actor.ts";
import { auditEntryForChange, type ChangeContext } from "../access/audit.ts";
import { createIssueMessage } from "../content/items/issue-messages.ts";
import { decodeCursor, toCursorPage } from "../content/lists/cursor.ts";
import { AppError } from "../errors.ts";
import { newId } from "../new-id.ts";
import { findWebhookUrlError } from "./destination.ts";
import { EVENT_PATTERN_REGEX, requireReadableEvents } from "./events.ts";
import type { Webhook, WebhookReader, WebhookStore } from "./webhook.ts";

const WEBHOOKS_MAX = 50;
const SECRET_BYTES = 32;
const FORMER_SECRET_MILLISECONDS = 24 * 60 * 60 * 1000;

const eventsSchema = z
  .array(
    z.string().regex(EVENT_PATTERN_REGEX, {
      error: createIssueMessage({
        en: "is not an event; write content.publish, content.* or *",
        de: "ist kein Ereignis wie content.publish, content.* oder *",
      }),
    }),
  )
  .min(1)
  .max(50);
const descriptionSchema = z.string().trim().max(300);

export const webhookInputSchema = z.strictObject({
  url: z.string(),
  events: eventsSchema,
  description: descriptionSchema.default(""),
});

export const webhookChangesSchema = z.strictObject({
  url: z.string().exactOptional(),
  events: eventsSchema.exactOptional(),
  description: descriptionSchema.nullable().exactOptional(),
  state: z.enum(["enabled", "disabled"]).exactOptional(),
});

export type WebhookInput = z.output<typeof webhookInputSchema>;
export type WebhookChanges = z.output<typeof webhookChangesSchema>;

interface DestinationOptions extends ChangeContext {
  /** Whether webhooks may use private networks and plain HTTP. */
  privateNetworks: boolean;
}

/**
 * Creates a webhook for events from now on. Only this call returns the webhook's secret.
 *
 * @throws {AppError} `invalid`; `forbidden` if the actor may not read the events; `conflict` at the
 * limit.
 */
export async function createWebhook(
  webhooks: WebhookStore,
  actor: Actor,
  input: WebhookInput,
  options: DestinationOptions,
): Promise<{ webhook: Webhook; secret: string }> {
  requireScope(actor, "webhooks:manage");
  requireReadableEvents(actor, input.events);
  checkDestination(input.url, options);
  return await webhooks.write(async (transaction) => {
    if ((await transaction.list()).length >= WEBHOOKS_MAX) {
      throw new AppError("conflict", {
        en: `Cannot make another webhook: there are ${WEBHOOKS_MAX} already; delete one first`,
        de: `Es gibt schon ${WEBHOOKS_MAX} Webhooks: Löschen Sie zuerst einen`,
      });
    }
    const at = options.now.toISOString();
    const webhook: Webhook = {
      id: newId(options.now),
      ...input,
      state: "enabled",
      disabledWhy: null,
      failingSince: null,
      failures: 0,
      createdAt: at,
      createdBy: actorName(actor),
      updatedAt: at,
    };
    const secret = mintSecret();
    await transaction.insert(
      webhook,
      secret,
      auditEntryForChange("webhook.create", webhook.id, { actor, ...options }),
    );
    return { webhook, secret };
  });
}

/** Lists webhooks in order of creation. @throws {AppError} `invalid` for a malformed cursor. */
export async function listWebhooks(
  webhooks: WebhookReader,
  actor: Actor,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ items: Webhook[]; nextCursor: string | null }> {
  requireScope(actor, "webhooks:manage");
  const asked = ["webhooks"];
  const after = cursor === undefined ? "" : decodeCursor(cursor, asked, z.string());
  const found = (await webhooks.list()).filter(({ id }) => id > after);
  return toCursorPage(found, { limit, query: asked, positionOf: ({ id }) => id });
}

/** @throws {AppError} `not_found`. */
export async function inspectWebhook(
  webhooks: WebhookReader,
  actor: Actor,
  id: string,
): Promise<Webhook> {
  requireScope(actor, "webhooks:manage");
  return await requireWebhook(webhooks, id);
}

/**
 * Changes a webhook. Enabling a webhook skips the events that it missed while it was disabled.
 * Disabling a webhook marks its waiting deliveries as failed.
 *
 * @throws {AppError} `not_found`; `invalid`; `forbidden` if the actor may not read the events.
 */
export async function changeWebhook(
  webhooks: WebhookStore,
  actor: Actor,
  id: string,
  { changes, ...options }: DestinationOptions & { changes: WebhookChanges },
): Promise<Webhook> {
  requireScope(actor, "webhooks:manage");
  return await webhooks.write(async (transaction) => {
    const before = await requireWebhook(transaction, id);
    const after: Webhook = {
      ...before,
      ...changes,
      description:
        changes.description === undefined ? before.description : (changes.description ?? ""),
      updatedAt: options.now.toISOString(),
      ...(changes.state === "enabled"
        ? { disabledWhy: null, failingSince: null, failures: 0 }
        : {}),
    };
    // Checks the former events as well as the new ones, because deliveries of former events are possibly
    // still waiting and would go to a new address.
    requireReadableEvents(actor, [...before.events, ...after.events]);
    if (changes.url !== undefined) checkDestination(changes.url, options);
    if (isDeepStrictEqual({ ...after, updatedAt: before.updatedAt }, before)) return before;
    await transaction.update(
      after,
      auditEntryForChange(auditAction(before, after), id, { actor, ...options }),
    );
    if (before.state === "disabled" && after.state === "enabled") await transaction.skipToNow(id);
    if (after.state === "disabled") await transaction.dropWaiting(id, "The webhook was disabled");
    return after;
  });
}

/** Deletes a webhook and its deliveries. @throws {AppError} `not_found`. */
export async function deleteWebhook(
  webhooks: WebhookStore,
  actor: Actor,
  id: string,
  options: ChangeContext,
): Promise<void> {
  requireScope(actor, "webhooks:manage");
  await webhooks.write(async (transaction) => {
    await requireWebhook(transaction, id);
    await transaction.remove(id, auditEntryForChange("webhook.delete", id, { actor, ...options }));
  });
}

/**
 * Replaces a webhook's secret. Only this call returns the new secret. For a day,
 * deliveries are signed with both the old and the new secret, so that the receiver can switch without
 * losing deliveries.
 *
 * @throws {AppError} `not_found`.
 */
export async function rotateWebhookSecret(
  webhooks: WebhookStore,
  actor: Actor,
  id: string,
  options: ChangeContext,
): Promise<{ secret: string; formerSecretUntil: string }> {
  requireScope(actor, "webhooks:manage");
  return await webhooks.write(async (transaction) => {
    await requireWebhook(transaction, id);
    const before = await transaction.secrets(id);
    const secret = mintSecret();
    const until = new Date(options.now.getTime() + FORMER_SECRET_MILLISECONDS).toISOString();
    const former = before === null ? null : { secret: before.secret, until };
    const entry = auditEntryForChange("webhook.rotate", id, { actor, ...options });
    await transaction.updateSecrets(id, { secret, former }, entry);
    return { secret, formerSecretUntil: until };
  });
}

/** @throws {AppError} `not_found`. */
export async function requireWebhook(webhooks: WebhookReader, id: string): Promise<Webhook> {
  const webhook = await webhooks.webhook(id);
  if (webhook === null)
    throw new AppError("not_found", {
      en: `There is no webhook with the id ${id}`,
      de: "Diesen Webhook gibt es nicht: Suchen Sie ihn in der Liste",
    });
  return webhook;
}

function auditAction(before: Webhook, after: Webhook): string {
  if (before.state === after.state) return "webhook.update";
  return after.state === "enabled" ? "webhook.enable" : "webhook.disable";
}

function checkDestination(url: string, { privateNetworks }: DestinationOptions): void {
  const fault = findWebhookUrlError(url, privateNetworks);
  if (fault === null) return;
  throw new AppError(
    "invalid",
    {
      en: `Cannot use this address: url ${fault.en}`,
      de: `Diese Adresse geht nicht: Sie ${fault.de}`,
    },
    {
      problems: [{ where: "url", message: fault }],
    },
  );
}

/** A new secret in the format of Standard Webhooks. */
function mintSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}
