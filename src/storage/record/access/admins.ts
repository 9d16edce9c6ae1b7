import type { Kysely } from "kysely";
import { z } from "zod";
import {
  ADMIN_STATES,
  type Admin,
  type AdminReader,
  type AdminStore,
  type AdminTransaction,
  roleSchema,
} from "../../../access/admins.ts";
import type { AuditEntry } from "../../../access/audit.ts";
import type { PasswordHash } from "../../../access/passwords.ts";
import type { Connections } from "../connections.ts";
import type { AdminRow, RecordTables } from "../tables.ts";
import { uuidv7 } from "../uuid.ts";
import { writeAudit } from "./audit.ts";

const stateSchema = z.enum(ADMIN_STATES);

class AdminQueries implements AdminReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async byId(id: string): Promise<Admin | null> {
    return await this.#one("id", id);
  }

  async byEmail(email: string): Promise<Admin | null> {
    return await this.#one("email", email);
  }

  async page({ after, limit }: { after: string | null; limit: number }): Promise<Admin[]> {
    const admins = this.db.selectFrom("admins").selectAll().orderBy("id").limit(limit);
    const rows = await (after === null ? admins : admins.where("id", ">", after)).execute();
    return rows.map(adminOf);
  }

  async activeOwners(): Promise<number> {
    const rows = await this.db
      .selectFrom("admins")
      .select("id")
      .where("role", "=", "owner")
      .where("state", "=", "active")
      .execute();
    return rows.length;
  }

  async #one(column: "id" | "email", value: string): Promise<Admin | null> {
    const row = await this.db
      .selectFrom("admins")
      .selectAll()
      .where(column, "=", value)
      .executeTakeFirst();
    return row === undefined ? null : adminOf(row);
  }
}

class KyselyAdminTransaction extends AdminQueries implements AdminTransaction {
  newId(now: Date): string {
    return uuidv7(now.getTime());
  }

  async insert(admin: Admin, { phc }: PasswordHash, entry: AuditEntry): Promise<void> {
    await this.db
      .insertInto("admins")
      .values({ ...adminRow(admin), password_hash: phc })
      .execute();
    await writeAudit(this.db, entry);
  }

  async update(admin: Admin, password: PasswordHash | null, entry: AuditEntry): Promise<void> {
    await this.db
      .updateTable("admins")
      .set({
        ...adminRow(admin),
        ...(password === null ? {} : { password_hash: password.phc }),
      })
      .where("id", "=", admin.id)
      .execute();
    await writeAudit(this.db, entry);
  }
}

export class KyselyAdminStore extends AdminQueries implements AdminStore {
  readonly #transact: Connections["transact"];

  constructor({ reader, transact }: Connections) {
    super(reader);
    this.#transact = transact;
  }

  async write<T>(change: (transaction: AdminTransaction) => Promise<T>): Promise<T> {
    return await this.#transact((db) => change(new KyselyAdminTransaction(db)));
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
