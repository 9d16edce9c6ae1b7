import type { AuditEntry } from "../../../access/audit.ts";
import type { DraftNote, DraftNoteStore } from "../../../content/drafts/notes.ts";
import { runChangeWithAudit } from "../access/audit.ts";
import type { Connections } from "../connections.ts";
import type { DraftNoteRow } from "../tables.ts";

export class KyselyDraftNoteStore implements DraftNoteStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async byId(id: string): Promise<DraftNote | null> {
    const row = await this.#connections.reader
      .selectFrom("draft_notes")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : noteOf(row);
  }

  async ofDraft(draftId: string): Promise<DraftNote[]> {
    const rows = await this.#connections.reader
      .selectFrom("draft_notes")
      .selectAll()
      .where("draft_id", "=", draftId)
      .orderBy("id")
      .execute();
    return rows.map(noteOf);
  }

  async since(time: string, limit: number): Promise<DraftNote[]> {
    const rows = await this.#connections.reader
      .selectFrom("draft_notes")
      .selectAll()
      .where("created_at", ">", time)
      .orderBy("created_at", "desc")
      .limit(limit)
      .execute();
    return rows.map(noteOf);
  }

  async insert({ id, draftId, text, createdAt, createdBy }: DraftNote, entry: AuditEntry) {
    await runChangeWithAudit(this.#connections, entry, async (db) => {
      const row = { id, draft_id: draftId, text, created_at: createdAt, created_by: createdBy };
      await db.insertInto("draft_notes").values(row).execute();
    });
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.deleteFrom("draft_notes").where("id", "=", id).execute(),
    );
  }
}

function noteOf(row: DraftNoteRow): DraftNote {
  return {
    id: row.id,
    draftId: row.draft_id,
    text: row.text,
    createdAt: row.created_at,
    createdBy: row.created_by,
  };
}
