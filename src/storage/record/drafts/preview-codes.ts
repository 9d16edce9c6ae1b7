import type { AuditEntry } from "../../../access/audit.ts";
import type { PreviewCode, PreviewCodeStore } from "../../../content/drafts/preview-codes.ts";
import { runChangeWithAudit } from "../access/audit.ts";
import type { Connections } from "../connections.ts";
import type { PreviewCodeRow } from "../tables.ts";

export class KyselyPreviewCodeStore implements PreviewCodeStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async byId(id: string): Promise<PreviewCode | null> {
    return await this.#by("id", id);
  }

  async byHash(hash: string): Promise<PreviewCode | null> {
    return await this.#by("hash", hash);
  }

  async ofDraft(draftId: string): Promise<PreviewCode[]> {
    const rows = await this.#connections.reader
      .selectFrom("preview_codes")
      .selectAll()
      .where("draft_id", "=", draftId)
      .orderBy("id")
      .execute();
    return rows.map(codeOf);
  }

  async insert(code: PreviewCode, hash: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db
        .insertInto("preview_codes")
        .values({
          id: code.id,
          hash,
          draft_id: code.draftId,
          note: code.note,
          created_at: code.createdAt,
          created_by: code.createdBy,
          expires_at: code.expiresAt,
          used_at: code.usedAt,
        })
        .execute(),
    );
  }

  async noteUse(id: string, usedAt: string, entry: AuditEntry | null): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.updateTable("preview_codes").set({ used_at: usedAt }).where("id", "=", id).execute(),
    );
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.deleteFrom("preview_codes").where("id", "=", id).execute(),
    );
  }

  async removeExpired(now: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("preview_codes").where("expires_at", "<=", now.toISOString()).execute();
    });
  }

  async #by(column: "id" | "hash", value: string): Promise<PreviewCode | null> {
    const row = await this.#connections.reader
      .selectFrom("preview_codes")
      .selectAll()
      .where(column, "=", value)
      .executeTakeFirst();
    return row === undefined ? null : codeOf(row);
  }
}

function codeOf(row: PreviewCodeRow): PreviewCode {
  return {
    id: row.id,
    draftId: row.draft_id,
    note: row.note,
    createdAt: row.created_at,
    createdBy: row.created_by,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
  };
}
