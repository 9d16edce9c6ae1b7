import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type { Message, MessageState, MessageStore } from "../../../access/submissions/messages.ts";
import type { Connections } from "../connections.ts";
import type { MessageRow, RecordTables } from "../tables.ts";
import { uuidv7 } from "../uuid.ts";
import { writeAudit } from "./audit.ts";

export class KyselyMessageStore implements MessageStore {
  readonly #db: Kysely<RecordTables>;
  readonly #transact: Connections["transact"];

  constructor({ reader, transact }: Connections) {
    this.#db = reader;
    this.#transact = transact;
  }

  newId(now: Date): string {
    return uuidv7(now.getTime());
  }

  async byId(id: string): Promise<Message | null> {
    const row = await this.#messages().where("id", "=", id).executeTakeFirst();
    return row === undefined ? null : messageOf(row);
  }

  async list({
    state,
    before,
    limit,
  }: {
    state: MessageState | null;
    before: string | null;
    limit: number;
  }): Promise<Message[]> {
    let query = this.#messages().orderBy("id", "desc").limit(limit);
    if (state !== null) query = query.where("state", "=", state);
    if (before !== null) query = query.where("id", "<", before);
    return (await query.execute()).map(messageOf);
  }

  async unchangedSince(since: Date, limit: number): Promise<Message[]> {
    const rows = await this.#messages()
      .where("changed_at", "<", since.toISOString())
      .limit(limit)
      .execute();
    return rows.map(messageOf);
  }

  async insert(message: Message, entry: AuditEntry): Promise<void> {
    await this.#transact(async (db) => {
      await db.insertInto("messages").values(messageRow(message)).execute();
      await writeAudit(db, entry);
    });
  }

  async update(message: Message, entry: AuditEntry): Promise<void> {
    await this.#transact(async (db) => {
      const { id, ...changing } = messageRow(message);
      await db.updateTable("messages").set(changing).where("id", "=", id).execute();
      await writeAudit(db, entry);
    });
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await this.#transact(async (db) => {
      await db.deleteFrom("messages").where("id", "=", id).execute();
      await writeAudit(db, entry);
    });
  }

  #messages() {
    return this.#db.selectFrom("messages").selectAll();
  }
}

export function messageOf(row: MessageRow): Message {
  return {
    id: row.id,
    state: row.state,
    name: row.name,
    email: row.email,
    text: row.text,
    receivedAt: row.received_at,
    changedAt: row.changed_at,
    revision: row.revision,
    handledBy: row.handled_by,
  };
}

function messageRow(message: Message): MessageRow {
  return {
    id: message.id,
    state: message.state,
    name: message.name,
    email: message.email,
    text: message.text,
    received_at: message.receivedAt,
    changed_at: message.changedAt,
    revision: message.revision,
    handled_by: message.handledBy,
  };
}
