import type { AuditEntry } from "../../../../access/audit.ts";
import type {
  Passkey,
  PasskeyChallenge,
  PasskeyStore,
} from "../../../../access/people/people-stores.ts";
import type { Connections } from "../../connections.ts";
import { runChangeWithAudit } from "../audit.ts";
import type { PasskeyRow } from "./people-rows.ts";

export class KyselyPasskeyStore implements PasskeyStore {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  async ofAdmin(adminId: string): Promise<Passkey[]> {
    const rows = await this.#connections.reader
      .selectFrom("passkeys")
      .selectAll()
      .where("admin_id", "=", adminId)
      .orderBy("id")
      .execute();
    return rows.map(passkeyFromRow);
  }

  async holdersAmong(adminIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (adminIds.length === 0) return new Set();
    const rows = await this.#connections.reader
      .selectFrom("passkeys")
      .select("admin_id")
      .distinct()
      .where("admin_id", "in", adminIds)
      .execute();
    return new Set(rows.map((row) => row.admin_id));
  }

  async byCredential(credentialId: string): Promise<Passkey | null> {
    const row = await this.#connections.reader
      .selectFrom("passkeys")
      .selectAll()
      .where("credential_id", "=", credentialId)
      .executeTakeFirst();
    return row === undefined ? null : passkeyFromRow(row);
  }

  async insert(passkey: Passkey, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.insertInto("passkeys").values(passkeyRow(passkey)).execute(),
    );
  }

  async noteUse(
    id: string,
    { counter, isBackedUp, usedAt }: Pick<Passkey, "counter" | "isBackedUp" | "usedAt">,
  ): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .updateTable("passkeys")
        .set({ counter, is_backed_up: isBackedUp ? 1 : 0, used_at: usedAt })
        .where("id", "=", id)
        .execute();
    });
  }

  async remove(id: string, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.#connections, entry, (db) =>
      db.deleteFrom("passkeys").where("id", "=", id).execute(),
    );
  }

  async putChallenge({ hash, adminId, expiresAt }: PasskeyChallenge): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .insertInto("passkey_challenges")
        .values({ hash, admin_id: adminId, expires_at: expiresAt })
        .execute();
    });
  }

  async takeChallenge(hash: string): Promise<PasskeyChallenge | null> {
    return await this.#connections.transact(async (db) => {
      const row = await db
        .deleteFrom("passkey_challenges")
        .where("hash", "=", hash)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return null;
      return { hash, adminId: row.admin_id, expiresAt: row.expires_at };
    });
  }

  async removeExpiredChallenges(now: Date): Promise<void> {
    await this.#connections.transact(async (db) => {
      await db
        .deleteFrom("passkey_challenges")
        .where("expires_at", "<=", now.toISOString())
        .execute();
    });
  }
}

function passkeyFromRow(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    adminId: row.admin_id,
    name: row.name,
    credentialId: row.credential_id,
    publicKey: row.public_key,
    counter: row.counter,
    isBackedUp: row.is_backed_up === 1,
    host: row.host,
    createdAt: row.created_at,
    usedAt: row.used_at,
  };
}

function passkeyRow(passkey: Passkey): PasskeyRow {
  return {
    id: passkey.id,
    admin_id: passkey.adminId,
    name: passkey.name,
    credential_id: passkey.credentialId,
    public_key: passkey.publicKey,
    counter: passkey.counter,
    is_backed_up: passkey.isBackedUp ? 1 : 0,
    host: passkey.host,
    created_at: passkey.createdAt,
    used_at: passkey.usedAt,
  };
}
