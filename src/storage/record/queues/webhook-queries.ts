import type { Kysely } from "kysely";
import type { NumberedAuditEntry } from "../../../access/audit.ts";
import type { Item } from "../../../content/items/item.ts";
import type {
  Delivery,
  Webhook,
  WebhookReader,
  WebhookSecrets,
} from "../../../webhooks/webhook.ts";
import { auditEntryFromRow, readLastAuditNumber } from "../access/audit.ts";
import { ContentQueries, SettingsCache } from "../content/content-queries.ts";
import type { RecordTables } from "../tables.ts";
import { isDueSql } from "./due.ts";
import { deliveryFromRow, webhookFromRow, webhookSecretsFromRow } from "./webhook-rows.ts";

export class WebhookQueries implements WebhookReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async webhook(id: string): Promise<Webhook | null> {
    const row = await this.db
      .selectFrom("webhooks")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : webhookFromRow(row);
  }

  async secrets(id: string): Promise<WebhookSecrets | null> {
    const row = await this.db
      .selectFrom("webhooks")
      .select(["secret", "former_secret", "former_secret_until"])
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : webhookSecretsFromRow(row);
  }

  async list(): Promise<Webhook[]> {
    const rows = await this.db.selectFrom("webhooks").selectAll().orderBy("id").execute();
    return rows.map(webhookFromRow);
  }

  async delivery(webhookId: string, number: number): Promise<Delivery | null> {
    const row = await this.db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("webhook_id", "=", webhookId)
      .where("number", "=", number)
      .executeTakeFirst();
    return row === undefined ? null : deliveryFromRow(row);
  }

  async deliveries(
    webhookId: string,
    { before, limit }: { before?: number; limit: number },
  ): Promise<Delivery[]> {
    const latest = this.db
      .selectFrom("webhook_deliveries")
      .selectAll()
      .where("webhook_id", "=", webhookId)
      .orderBy("number", "desc")
      .limit(limit);
    const rows = await (before === undefined
      ? latest
      : latest.where("number", "<", before)
    ).execute();
    return rows.map(deliveryFromRow);
  }

  async hasUnseenEntries(waitingMax: number): Promise<boolean> {
    const behind = await this.webhooksBehind();
    for (const { id } of behind) {
      if ((await this.waitingCount(id)) < waitingMax) return true;
    }
    return false;
  }

  async isDue(now: Date): Promise<boolean> {
    const row = await this.db
      .selectFrom("webhooks")
      .innerJoin("webhook_deliveries", "webhook_deliveries.webhook_id", "webhooks.id")
      .select("number")
      .where("webhooks.state", "=", "enabled")
      .where("webhook_deliveries.state", "=", "waiting")
      .where(isDueSql("due_at", now))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async subject({
    auditNumber,
    itemId,
  }: Delivery): Promise<{ entry: NumberedAuditEntry; item: Item | null } | null> {
    if (auditNumber === null) return null;
    const row = await this.db
      .selectFrom("audit")
      .selectAll()
      .where("number", "=", auditNumber)
      .executeTakeFirst();
    if (row === undefined) return null;
    const entry = auditEntryFromRow(row);
    const item = itemId === null ? null : await this.itemAfter(entry, itemId);
    return { entry, item };
  }

  /**
   * The item as it was after the change that an audit entry records; null if the entry names no
   * revision, or the revision is gone.
   */
  protected async itemAfter(entry: NumberedAuditEntry, itemId: string): Promise<Item | null> {
    if (entry.revisionAfter === null) return null;
    const content = new ContentQueries(this.db, new SettingsCache());
    const revision = await content.revision(itemId, entry.revisionAfter);
    return revision === null ? null : revision.item;
  }

  /** Enabled webhooks that have not seen the latest audit entry. */
  protected async webhooksBehind() {
    return await this.db
      .selectFrom("webhooks")
      .selectAll()
      .where("state", "=", "enabled")
      .where("position", "<", await readLastAuditNumber(this.db))
      .orderBy("id")
      .execute();
  }

  protected async waitingCount(webhookId: string): Promise<number> {
    const row = await this.db
      .selectFrom("webhook_deliveries")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("webhook_id", "=", webhookId)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    return row?.count ?? 0;
  }
}
