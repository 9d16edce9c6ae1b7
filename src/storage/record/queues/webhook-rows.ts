import type { Insertable, Selectable } from "kysely";
import type { Delivery, Webhook, WebhookSecrets } from "../../../webhooks/webhook.ts";
import type { WebhookDeliveryRow, WebhookRow } from "./queue-rows.ts";

export function webhookFromRow(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events),
    description: row.description,
    state: row.state,
    disabledWhy: row.disabled_why,
    failingSince: row.failing_since,
    failures: row.failures,
    createdAt: row.created_at,
    createdBy: row.created_by,
    updatedAt: row.updated_at,
  };
}

type SecretColumns = "secret" | "former_secret" | "former_secret_until";

export function webhookToRow(webhook: Webhook): Omit<WebhookRow, SecretColumns | "position"> {
  return {
    id: webhook.id,
    url: webhook.url,
    events: JSON.stringify(webhook.events),
    description: webhook.description,
    state: webhook.state,
    disabled_why: webhook.disabledWhy,
    failing_since: webhook.failingSince,
    failures: webhook.failures,
    created_at: webhook.createdAt,
    created_by: webhook.createdBy,
    updated_at: webhook.updatedAt,
  };
}

export function webhookSecretsFromRow(row: Pick<WebhookRow, SecretColumns>): WebhookSecrets {
  const { secret, former_secret, former_secret_until } = row;
  const hasFormer = former_secret !== null && former_secret_until !== null;
  return {
    secret,
    former: hasFormer ? { secret: former_secret, until: former_secret_until } : null,
  };
}

export function deliveryFromRow(row: Selectable<WebhookDeliveryRow>): Delivery {
  const { last_at, status, milliseconds, error } = row;
  return {
    number: row.number,
    webhookId: row.webhook_id,
    messageId: row.message_id,
    event: row.event,
    auditNumber: row.audit_number,
    itemId: row.item_id,
    createdAt: row.created_at,
    state: row.state,
    dueAt: row.due_at,
    attempts: row.attempts,
    last: last_at === null ? null : { at: last_at, status, milliseconds: milliseconds ?? 0, error },
  };
}

/** The columns that an attempt or a retry changes. Saving them also releases the claim. */
export function deliveryChangesToRow({
  state,
  dueAt,
  attempts,
  last,
}: Delivery): Partial<Insertable<WebhookDeliveryRow>> {
  return {
    state,
    due_at: dueAt,
    claimed_until: null,
    attempts,
    last_at: last?.at ?? null,
    status: last?.status ?? null,
    milliseconds: last?.milliseconds ?? null,
    error: last?.error ?? null,
  };
}
