import type { AuditEntry } from "../../../../access/audit.ts";
import type { Session, SessionStore } from "../../../../access/people/people-stores.ts";
import type { Connections } from "../../connections.ts";
import { runChangeWithAudit } from "../audit.ts";
import type { SessionRow } from "./people-rows.ts";

export class KyselySessionStore implements SessionStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async byHash(hash: string): Promise<Session | null> {
    const row = await this.#connections.reader
      .selectFrom("sessions")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    return row === undefined ? null : sessionOf(row);
  }

  async ofAdmin(adminId: string): Promise<Session[]> {
    const rows = await this.#connections.reader
      .selectFrom("sessions")
      .selectAll()
      .where("admin_id", "=", adminId)
      .orderBy("id")
      .execute();
    return rows.map(sessionOf);
  }

  async insert(session: Session, hash: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db
        .insertInto("sessions")
        .values({ ...sessionRow(session), hash })
        .execute(),
    );
  }

  async noteUse(id: string, usedAt: string): Promise<void> {
    await this.#set(id, { used_at: usedAt });
  }

  async noteConfirmed(id: string, confirmedAt: string): Promise<void> {
    await this.#set(id, { confirmed_at: confirmedAt });
  }

  async remove(id: string, entry: AuditEntry | null): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.deleteFrom("sessions").where("id", "=", id).execute(),
    );
  }

  async removeOf(adminId: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("sessions").where("admin_id", "=", adminId).execute();
    });
  }

  async removeExpired(now: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.deleteFrom("sessions").where("expires_at", "<=", now.toISOString()).execute();
    });
  }

  async #set(id: string, change: Partial<SessionRow>): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.updateTable("sessions").set(change).where("id", "=", id).execute();
    });
  }
}

function sessionOf(row: SessionRow): Session {
  return {
    id: row.id,
    adminId: row.admin_id,
    stage: row.stage,
    device: row.device,
    network: row.network,
    createdAt: row.created_at,
    usedAt: row.used_at,
    confirmedAt: row.confirmed_at,
    expiresAt: row.expires_at,
  };
}

function sessionRow(session: Session): Omit<SessionRow, "hash"> {
  return {
    id: session.id,
    admin_id: session.adminId,
    stage: session.stage,
    device: session.device,
    network: session.network,
    created_at: session.createdAt,
    used_at: session.usedAt,
    confirmed_at: session.confirmedAt,
    expires_at: session.expiresAt,
  };
}
