import { randomUUID } from "node:crypto";
import type { AuditEntry, NumberedAuditEntry } from "../../../access/audit.ts";
import type {
  ClaimedDelivery,
  Delivery,
  NewDelivery,
  Webhook,
  WebhookSecrets,
  WebhookStore,
  WebhookTransaction,
} from "../../../webhooks/webhook.ts";
import { auditEntryFromRow, readLastAuditNumber, writeAuditEntry } from "../access/audit.ts";
import type { Connections } from "../connections.ts";
import { isDueSql, latestLeaseExpiry } from "./due.ts";
import type { WebhookRow } from "./queue-rows.ts";
import { WebhookQueries } from "./webhook-queries.ts";
import {
  deliveryChangesToRow,
  deliveryFromRow,
  webhookFromRow,
  webhookSecretsFromRow,
  webhookToRow,
} from "./webhook-rows.ts";

export class KyselyWebhookStore extends WebhookQueries implements WebhookStore {
  readonly #transact: Connections["transact"];

  constructor({ reader, transact }: Connections) {
    super(reader);
    this.#transact = transact;
  }

  async write<T>(change: (transaction: WebhookTransaction) => Promise<T>): Promise<T> {
    return await this.#transact((db) => change(new KyselyWebhookTransaction(db)));
  }
}

class KyselyWebhookTransaction extends WebhookQueries implements WebhookTransaction {
  async insert(webhook: Webhook, secret: string, entry: AuditEntry): Promise<void> {
    await writeAuditEntry(this.db, entry);
    await this.db
      .insertInto("webhooks")
      .values({
        ...webhookToRow(webhook),
        secret,
        former_secret: null,
        former_secret_until: null,
        position: await readLastAuditNumber(this.db),
      })
      .execute();
  }

  async update(webhook: Webhook, entry: AuditEntry | null): Promise<void> {
    const { id, ...changing } = webhookToRow(webhook);
    await this.db.updateTable("webhooks").set(changing).where("id", "=", id).execute();
    if (entry !== null) await writeAuditEntry(this.db, entry);
  }

  async updateSecrets(
    id: string,
    { secret, former }: WebhookSecrets,
    entry: AuditEntry,
  ): Promise<void> {
    await this.db
      .updateTable("webhooks")
      .set({
        secret,
        former_secret: former?.secret ?? null,
        former_secret_until: former?.until ?? null,
      })
      .where("id", "=", id)
      .execute();
    await writeAuditEntry(this.db, entry);
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await this.db.deleteFrom("webhook_deliveries").where("webhook_id", "=", id).execute();
    await this.db.deleteFrom("webhooks").where("id", "=", id).execute();
    await writeAuditEntry(this.db, entry);
  }

  async skipToNow(id: string): Promise<void> {
    await this.#moveTo(id, await readLastAuditNumber(this.db));
  }

  async dropWaiting(id: string, why: string): Promise<void> {
    await this.db
      .updateTable("webhook_deliveries")
      .set({ state: "failed", claimed_until: null, error: why })
      .where("webhook_id", "=", id)
      .where("state", "=", "waiting")
      .execute();
  }

  async queue({ at, webhookId, event, auditNumber, itemId }: NewDelivery): Promise<Delivery> {
    const row = await this.db
      .insertInto("webhook_deliveries")
      .values({
        webhook_id: webhookId,
        message_id: `msg_${randomUUID()}`,
        event,
        audit_number: auditNumber,
        item_id: itemId,
        created_at: at.toISOString(),
        state: "waiting",
        due_at: at.toISOString(),
        attempts: 0,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return deliveryFromRow(row);
  }

  async updateDelivery(delivery: Delivery): Promise<void> {
    await this.db
      .updateTable("webhook_deliveries")
      .set(deliveryChangesToRow(delivery))
      .where("number", "=", delivery.number)
      .execute();
  }

  async noteChange(entry: AuditEntry): Promise<void> {
    await writeAuditEntry(this.db, entry);
  }

  async takeUnseenEntries({
    waitingMax,
    entriesMax,
  }: {
    waitingMax: number;
    entriesMax: number;
  }): Promise<{ webhook: Webhook; entries: NumberedAuditEntry[] }[]> {
    const unseen: { webhook: Webhook; entries: NumberedAuditEntry[] }[] = [];
    for (const row of await this.webhooksBehind()) {
      if ((await this.waitingCount(row.id)) >= waitingMax) continue;
      const entries = await this.#entriesAfter(row.position, entriesMax);
      await this.#moveTo(row.id, entries.at(-1)?.number ?? row.position);
      unseen.push({ webhook: webhookFromRow(row), entries });
    }
    return unseen;
  }

  async itemIdOf(entry: NumberedAuditEntry): Promise<string | null> {
    if (entry.revisionAfter === null) return null;
    const claimants = this.db
      .selectFrom("path_claims")
      .select("item_id")
      .where("path", "=", entry.target);
    // Searches the items too, because a deleted item that was never public still has its path, but no claim
    // to it.
    const holders = this.db.selectFrom("items").select("id as item_id");
    const row = await this.db
      .selectFrom("revisions")
      .select("item_id")
      .where("item_id", "in", claimants.union(holders.where("path", "=", entry.target)))
      .where("revision", "=", entry.revisionAfter)
      .where("at", "=", entry.at)
      .executeTakeFirst();
    return row?.item_id ?? null;
  }

  async claim(
    now: Date,
    { until, limit, perWebhook }: { until: Date; limit: number; perWebhook: number },
  ): Promise<ClaimedDelivery[]> {
    const enabled = await this.db
      .selectFrom("webhooks")
      .selectAll()
      .where("state", "=", "enabled")
      .execute();
    const claimed: ClaimedDelivery[] = [];
    for (const row of enabled) {
      const claimable = Math.min(
        limit - claimed.length,
        perWebhook - (await this.#inFlight(row.id, now)),
      );
      if (claimable > 0)
        claimed.push(...(await this.#claimDue(row, now, { until, limit: claimable })));
    }
    return claimed;
  }

  async settle({ claimedUntil }: ClaimedDelivery, delivery: Delivery): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable("webhook_deliveries")
      .set(deliveryChangesToRow(delivery))
      .where("number", "=", delivery.number)
      .where("claimed_until", "=", claimedUntil)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async forget({ before, keptMax }: { before: Date; keptMax: number }): Promise<void> {
    await this.db
      .deleteFrom("webhook_deliveries")
      .where("state", "!=", "waiting")
      .where("created_at", "<", before.toISOString())
      .execute();
    for (const { id } of await this.list()) {
      const [oldest] = await this.db
        .selectFrom("webhook_deliveries")
        .select("number")
        .where("webhook_id", "=", id)
        .orderBy("number", "desc")
        .offset(keptMax)
        .limit(1)
        .execute();
      if (oldest === undefined) continue;
      await this.db
        .deleteFrom("webhook_deliveries")
        .where("webhook_id", "=", id)
        .where("state", "!=", "waiting")
        .where("number", "<=", oldest.number)
        .execute();
    }
  }

  async #moveTo(id: string, position: number): Promise<void> {
    await this.db.updateTable("webhooks").set({ position }).where("id", "=", id).execute();
  }

  async #entriesAfter(position: number, limit: number): Promise<NumberedAuditEntry[]> {
    const rows = await this.db
      .selectFrom("audit")
      .selectAll()
      .where("number", ">", position)
      .orderBy("number")
      .limit(limit)
      .execute();
    return rows.map(auditEntryFromRow);
  }

  /** Number of deliveries in progress, in any process. */
  async #inFlight(webhookId: string, now: Date): Promise<number> {
    const row = await this.db
      .selectFrom("webhook_deliveries")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("webhook_id", "=", webhookId)
      .where("state", "=", "waiting")
      .where("claimed_until", ">", now.toISOString())
      .where("claimed_until", "<=", latestLeaseExpiry(now))
      .executeTakeFirst();
    return row?.count ?? 0;
  }

  async #claimDue(
    row: WebhookRow,
    now: Date,
    { until, limit }: { until: Date; limit: number },
  ): Promise<ClaimedDelivery[]> {
    const due = await this.db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("webhook_id", "=", row.id)
      .where("state", "=", "waiting")
      .where(isDueSql("due_at", now))
      .where(({ eb, or }) =>
        or([
          eb("claimed_until", "is", null),
          eb("claimed_until", "<=", now.toISOString()),
          eb("claimed_until", ">", latestLeaseExpiry(now)),
        ]),
      )
      .orderBy("due_at")
      .orderBy("number")
      .limit(limit)
      .execute();
    if (due.length === 0) return [];
    const claimedUntil = until.toISOString();
    await this.db
      .updateTable("webhook_deliveries")
      .set({ claimed_until: claimedUntil })
      .where(
        "number",
        "in",
        due.map(({ number }) => number),
      )
      .execute();
    const webhook = webhookFromRow(row);
    const secrets = webhookSecretsFromRow(row);
    return due.map((found) => ({
      delivery: deliveryFromRow(found),
      webhook,
      secrets,
      claimedUntil,
    }));
  }
}
