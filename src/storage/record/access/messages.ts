import type { AuditEntry } from "../../../access/audit.ts";
import type { Message, MessageStore } from "../../../access/submissions/messages.ts";
import type { MessageRow } from "../tables.ts";
import { runChangeWithAudit } from "./audit.ts";
import { KyselySubmissionStore } from "./submissions.ts";

export class KyselyMessageStore
  extends KyselySubmissionStore<Message, MessageRow>
  implements MessageStore
{
  async insert(message: Message, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.connections, entry, (db) =>
      db.insertInto("messages").values(messageRow(message)).execute(),
    );
  }

  async update(message: Message, entry: AuditEntry): Promise<void> {
    const { id, ...changing } = messageRow(message);
    await runChangeWithAudit(this.connections, entry, (db) =>
      db.updateTable("messages").set(changing).where("id", "=", id).execute(),
    );
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.connections, entry, (db) =>
      db.deleteFrom("messages").where("id", "=", id).execute(),
    );
  }

  protected rows() {
    return this.connections.reader.selectFrom("messages").selectAll();
  }

  /**
   * Returns all rows. Each has personal data, because a removed message has no row. An erased key
   * request, in contrast, keeps its row.
   */
  protected personalRows() {
    return this.rows();
  }

  protected submissionOf(row: MessageRow): Message {
    return messageFromRow(row);
  }
}

export function messageFromRow(row: MessageRow): Message {
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
