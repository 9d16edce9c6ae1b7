import type { Kysely } from "kysely";
import type { DueMail, Mail, MailDeliveryState, Outbox } from "../../../mail/outbox.ts";
import { newId } from "../../../new-id.ts";
import type { Connections } from "../connections.ts";
import type { RecordTables } from "../tables.ts";
import { isDueSql } from "./due.ts";
import type { MailRow } from "./queue-rows.ts";

export class KyselyOutbox implements Outbox {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async put(mail: Mail, now: Date): Promise<void> {
    const at = now.toISOString();
    const row: MailRow = {
      id: newId(now),
      kind: mail.kind,
      about: mail.about,
      recipient: mail.to,
      reply_to_name: mail.replyTo?.name ?? null,
      reply_to_email: mail.replyTo?.email ?? null,
      subject: mail.subject,
      text: mail.text,
      state: "waiting",
      attempts: 0,
      created_at: at,
      sent_at: null,
      next_attempt_at: at,
      fault: null,
    };
    await this.#connections.transact(async (db) => {
      await db.insertInto("mails").values(row).execute();
    });
  }

  async withdraw(about: string, kind: Mail["kind"]): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .updateTable("mails")
        .set({ state: "withdrawn", text: "", next_attempt_at: null })
        .where("about", "=", about)
        .where("kind", "=", kind)
        .where("state", "=", "waiting")
        .execute();
    });
  }

  async statesAbout(about: string): Promise<MailDeliveryState[]> {
    const rows = await this.#connections.reader
      .selectFrom("mails")
      .selectAll()
      .where("about", "=", about)
      .orderBy("id")
      .execute();
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      to: row.recipient,
      state: row.state,
      attempts: row.attempts,
      createdAt: row.created_at,
      sentAt: row.sent_at,
      nextAttemptAt: row.next_attempt_at,
      fault: row.fault,
    }));
  }

  async takeDue(now: Date, until: Date): Promise<DueMail | null> {
    if ((await dueMail(this.#connections.reader, now)) === undefined) return null;
    return await this.#connections.transact(async (db) => {
      const row = await dueMail(db, now);
      if (row === undefined) return null;
      const attempts = row.attempts + 1;
      const claimed = { attempts, next_attempt_at: until.toISOString() };
      await db.updateTable("mails").set(claimed).where("id", "=", row.id).execute();
      return { ...mailOf(row), attempts };
    });
  }

  async sent(id: string, now: Date): Promise<void> {
    await this.#settle(id, {
      state: "sent",
      text: "",
      sent_at: now.toISOString(),
      next_attempt_at: null,
      fault: null,
    });
  }

  async failed(id: string, fault: string, nextAttemptAt: Date): Promise<void> {
    await this.#settle(id, { fault, next_attempt_at: nextAttemptAt.toISOString() });
  }

  async giveUp(id: string, fault: string): Promise<void> {
    await this.#settle(id, { state: "given_up", text: "", fault, next_attempt_at: null });
  }

  async giveUpOld(since: Date, fault: string): Promise<number> {
    const waiting = this.#connections.reader
      .selectFrom("mails")
      .select("id")
      .where("state", "=", "waiting")
      .where("created_at", "<", since.toISOString());
    const rows = await waiting.limit(100).execute();
    for (const { id } of rows) await this.giveUp(id, fault);
    return rows.length;
  }

  async forget(about: string, kind?: Mail["kind"]): Promise<void> {
    await this.#connections.transact(async (db) => {
      const mails = db.deleteFrom("mails").where("about", "=", about);
      await (kind === undefined ? mails : mails.where("kind", "=", kind)).execute();
    });
  }

  /** A mail that was withdrawn while it was being sent can only become `sent`. */
  async #settle(id: string, change: Partial<MailRow>): Promise<void> {
    await this.#connections.transact(async (db) => {
      const update = db.updateTable("mails").set(change).where("id", "=", id);
      await (change.state === "sent" ? update : update.where("state", "=", "waiting")).execute();
    });
  }
}

async function dueMail(db: Kysely<RecordTables>, now: Date): Promise<MailRow | undefined> {
  return await db
    .selectFrom("mails")
    .selectAll()
    .where("state", "=", "waiting")
    .where(isDueSql("next_attempt_at", now))
    .orderBy("next_attempt_at")
    .limit(1)
    .executeTakeFirst();
}

function mailOf(row: MailRow): DueMail {
  const { reply_to_name: name, reply_to_email: email } = row;
  return {
    id: row.id,
    kind: row.kind,
    about: row.about,
    to: row.recipient,
    replyTo: name === null || email === null ? null : { name, email },
    subject: row.subject,
    text: row.text,
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}
