import type { AuditEntry } from "../../../../access/audit.ts";
import type { AdminCode, AdminCodeStore } from "../../../../access/people/people-stores.ts";
import type { Connections } from "../../connections.ts";
import { runChangeWithAudit } from "../audit.ts";

export class KyselyAdminCodeStore implements AdminCodeStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async byHash(hash: string): Promise<AdminCode | null> {
    const row = await this.#connections.reader
      .selectFrom("admin_codes")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    if (row === undefined) return null;
    return {
      id: row.id,
      adminId: row.admin_id,
      createdAt: row.created_at,
      createdBy: row.created_by,
      expiresAt: row.expires_at,
    };
  }

  async put(code: AdminCode, hash: string, entry: AuditEntry | null): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, async (db) => {
      await this.removeOf(code.adminId);
      await db
        .insertInto("admin_codes")
        .values({
          id: code.id,
          hash,
          admin_id: code.adminId,
          created_at: code.createdAt,
          created_by: code.createdBy,
          expires_at: code.expiresAt,
        })
        .execute();
    });
  }

  async removeOf(adminId: string | null): Promise<void> {
    await this.#connections.transact(async (db) => {
      const codes = db.deleteFrom("admin_codes");
      const codesOfAdmin =
        adminId === null
          ? codes.where("admin_id", "is", null)
          : codes.where("admin_id", "=", adminId);
      await codesOfAdmin.execute();
    });
  }

  async removeExpired(now: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("admin_codes").where("expires_at", "<=", now.toISOString()).execute();
    });
  }
}
