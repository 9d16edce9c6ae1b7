import { sql } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type { PersonalDataStore, StoredMail } from "../../../access/personal-data/stored-data.ts";
import type { KeyRequest } from "../../../access/submissions/key-requests.ts";
import type { Message } from "../../../access/submissions/messages.ts";
import type { Connections } from "../connections.ts";
import { writeAuditEntry } from "./audit.ts";
import { keyRequestFromRow } from "./key-requests.ts";
import { messageFromRow } from "./messages.ts";

/** Scans whole tables, because they are small and requests for personal data are rare. */
export class KyselyPersonalDataStore implements PersonalDataStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async messages(email: string): Promise<Message[]> {
    const query = this.#connections.reader.selectFrom("messages").selectAll().orderBy("id");
    return (await query.where(sql`lower(email)`, "=", email).execute()).map(messageFromRow);
  }

  async keyRequests(email: string): Promise<KeyRequest[]> {
    const query = this.#connections.reader.selectFrom("key_requests").selectAll().orderBy("id");
    return (await query.where(sql`lower(email)`, "=", email).execute()).map(keyRequestFromRow);
  }

  async mails(email: string): Promise<StoredMail[]> {
    const rows = await this.#connections.reader
      .selectFrom("mails")
      .selectAll()
      .where((is) =>
        is.or([is(sql`lower(recipient)`, "=", email), is(sql`lower(reply_to_email)`, "=", email)]),
      )
      .orderBy("id")
      .execute();
    return rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      to: row.recipient,
      replyTo: row.reply_to_email,
      subject: row.subject,
      text: row.text,
      state: row.state,
      createdAt: row.created_at,
    }));
  }

  async removeMails(email: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .deleteFrom("mails")
        .where((is) =>
          is.or([
            is(sql`lower(recipient)`, "=", email),
            is(sql`lower(reply_to_email)`, "=", email),
          ]),
        )
        .execute();
    });
  }

  async eraseActor(actor: string, erasedName: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("presence").where("actor", "=", actor).execute();
      const jobs = db.selectFrom("jobs").select(["id", "actor"]).where("created_by", "=", actor);
      for (const job of await jobs.execute()) {
        const erased = JSON.stringify({ ...JSON.parse(job.actor), name: erasedName });
        await db.updateTable("jobs").set({ actor: erased }).where("id", "=", job.id).execute();
      }
    });
  }

  async writeEntry(entry: AuditEntry): Promise<void> {
    await this.#connections.transact(async (db) => await writeAuditEntry(db, entry));
  }
}
