import { z } from "zod";
import type { AuditEntry } from "../../../../access/audit.ts";
import type { PasswordHash } from "../../../../access/people/passwords.ts";
import {
  ADMIN_STATES,
  type Admin,
  type AdminStore,
} from "../../../../access/people/people-stores.ts";
import { roleSchema } from "../../../../access/people/roles.ts";
import type { Connections } from "../../connections.ts";
import { runChangeWithAudit } from "../audit.ts";
import type { AdminRow } from "./people-rows.ts";

const stateSchema = z.enum(ADMIN_STATES);

export class KyselyAdminStore implements AdminStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async byId(id: string): Promise<Admin | null> {
    const row = await this.#row("id", id);
    return row === undefined ? null : adminOf(row);
  }

  async byEmail(email: string): Promise<Admin | null> {
    const row = await this.#row("email", email);
    return row === undefined ? null : adminOf(row);
  }

  async passwordOf(id: string): Promise<PasswordHash | null> {
    const row = await this.#row("id", id);
    return row === undefined ? null : { phc: row.password_hash };
  }

  async page({ after, limit }: { after: string | null; limit: number }): Promise<Admin[]> {
    const admins = this.#connections.reader
      .selectFrom("admins")
      .selectAll()
      .orderBy("id")
      .limit(limit);
    const rows = await (after === null ? admins : admins.where("id", ">", after)).execute();
    return rows.map(adminOf);
  }

  async activeOwners(): Promise<Admin[]> {
    const rows = await this.#connections.reader
      .selectFrom("admins")
      .selectAll()
      .where("role", "=", "owner")
      .where("state", "=", "active")
      .orderBy("id")
      .execute();
    return rows.map(adminOf);
  }

  async insert(admin: Admin, { phc }: PasswordHash, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db
        .insertInto("admins")
        .values({ ...adminRow(admin), password_hash: phc })
        .execute(),
    );
  }

  async update(admin: Admin, password: PasswordHash | null, entry: AuditEntry): Promise<void> {
    const hash = password === null ? {} : { password_hash: password.phc };
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db
        .updateTable("admins")
        .set({ ...adminRow(admin), ...hash })
        .where("id", "=", admin.id)
        .execute(),
    );
  }

  async noteLogin(id: string, at: string): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db.updateTable("admins").set({ last_login_at: at }).where("id", "=", id).execute();
    });
  }

  async #row(column: "id" | "email", value: string): Promise<AdminRow | undefined> {
    return await this.#connections.reader
      .selectFrom("admins")
      .selectAll()
      .where(column, "=", value)
      .executeTakeFirst();
  }
}

function adminOf(row: AdminRow): Admin {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: roleSchema.parse(row.role),
    state: stateSchema.parse(row.state),
    createdAt: row.created_at,
    createdBy: row.created_by,
    changedAt: row.changed_at,
    lastLoginAt: row.last_login_at,
  };
}

function adminRow(admin: Admin): Omit<AdminRow, "password_hash"> {
  return {
    id: admin.id,
    email: admin.email,
    name: admin.name,
    role: admin.role,
    state: admin.state,
    created_at: admin.createdAt,
    created_by: admin.createdBy,
    changed_at: admin.changedAt,
    last_login_at: admin.lastLoginAt,
  };
}
