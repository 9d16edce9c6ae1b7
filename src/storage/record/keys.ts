import type { Kysely } from "kysely";
import type { AuditEntry } from "../../access/audit.ts";
import type { Key, KeyReader, KeyStore, KeyTransaction, ProvableKey } from "../../access/keys.ts";
import { writeAudit } from "./audit.ts";
import type { Connections } from "./connections.ts";
import type { KeyRow, RecordTables } from "./tables.ts";
import { uuidv7 } from "./uuid.ts";

/** Some 10 MB of them. */
const KNOWN_KEYS_MAX = 10_000;
const USE_KEPT_EVERY_MILLISECONDS = 60_000;

class KeyQueries implements KeyReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async byHash(hash: string): Promise<ProvableKey | null> {
    const row = await this.db
      .selectFrom("keys")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    return row === undefined ? null : { key: keyOf(row), hash: row.hash };
  }

  async byId(id: string): Promise<Key | null> {
    const row = await this.db
      .selectFrom("keys")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : keyOf(row);
  }

  async page({ after, limit }: { after: string | null; limit: number }): Promise<Key[]> {
    const keys = this.db.selectFrom("keys").selectAll().orderBy("id").limit(limit);
    const rows = await (after === null ? keys : keys.where("id", ">", after)).execute();
    return rows.map(keyOf);
  }
}

class KyselyKeyTransaction extends KeyQueries implements KeyTransaction {
  newId(now: Date): string {
    return uuidv7(now.getTime());
  }

  async insert({ key, hash }: ProvableKey, entry: AuditEntry): Promise<void> {
    await this.db
      .insertInto("keys")
      .values({ ...keyRow(key), hash })
      .execute();
    await writeAudit(this.db, entry);
  }

  async update(key: Key, entry: AuditEntry): Promise<void> {
    await this.db.updateTable("keys").set(keyRow(key)).where("id", "=", key.id).execute();
    await writeAudit(this.db, entry);
  }
}

export interface KeyConnections extends Connections {
  /** Changes whenever anything in the store may have changed, also by another process. */
  version: () => number;
}

/** Keys by their hash are remembered until any key changes, so that a request costs no query. */
export class KyselyKeyStore extends KeyQueries implements KeyStore {
  readonly #transact: Connections["transact"];
  readonly #version: () => number;
  readonly #known = new Map<string, ProvableKey>();
  readonly #unsavedUse = new Map<string, Date>();
  readonly #savedUse = new Map<string, number>();
  #storeVersion = -1;
  #keysVersion = -1;

  constructor({ reader, transact, version }: KeyConnections) {
    super(reader);
    this.#transact = transact;
    this.#version = version;
  }

  override async byHash(hash: string): Promise<ProvableKey | null> {
    const version = this.#version();
    if (version !== this.#storeVersion) await this.#forgetChanged(version);
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const key = await super.byHash(hash);
    if (key === null || version !== this.#version()) return key;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= KNOWN_KEYS_MAX && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(hash, key);
    return key;
  }

  async #forgetChanged(storeVersion: number): Promise<void> {
    const { version } = await this.db
      .selectFrom("key_state")
      .select("version")
      .executeTakeFirstOrThrow();
    if (version !== this.#keysVersion) this.#known.clear();
    this.#keysVersion = version;
    this.#storeVersion = storeVersion;
  }

  async write<T>(change: (transaction: KeyTransaction) => Promise<T>): Promise<T> {
    return await this.#transact((db) => change(new KyselyKeyTransaction(db)));
  }

  used(keyId: string, now: Date): void {
    const savedAt = this.#savedUse.get(keyId);
    if (savedAt !== undefined && now.getTime() - savedAt < USE_KEPT_EVERY_MILLISECONDS) return;
    this.#unsavedUse.set(keyId, now);
  }

  async saveUse(): Promise<void> {
    const uses = [...this.#unsavedUse];
    if (uses.length === 0) return;
    this.#unsavedUse.clear();
    try {
      await this.#transact((transaction) => keepUse(transaction, uses));
    } catch (error) {
      for (const [keyId, usedAt] of uses) {
        if (!this.#unsavedUse.has(keyId)) this.#unsavedUse.set(keyId, usedAt);
      }
      throw error;
    }
    for (const [keyId, usedAt] of uses) this.#savedUse.set(keyId, usedAt.getTime());
  }
}

async function keepUse(
  db: Kysely<RecordTables>,
  uses: readonly (readonly [keyId: string, usedAt: Date])[],
): Promise<void> {
  for (const [keyId, usedAt] of uses) {
    await db
      .updateTable("keys")
      .set({ last_used_at: usedAt.toISOString() })
      .where("id", "=", keyId)
      .execute();
  }
}

function keyOf(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    owner: row.owner,
    contact: row.contact,
    purpose: row.purpose,
    scopes: JSON.parse(row.scopes),
    ratePerMinute: row.rate_per_minute,
    networks: JSON.parse(row.networks),
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    createdBy: row.created_by,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    revokedWhy: row.revoked_why,
    rotatedFrom: row.rotated_from,
  };
}

function keyRow(key: Key): Omit<KeyRow, "hash"> {
  return {
    id: key.id,
    name: key.name,
    owner: key.owner,
    contact: key.contact,
    purpose: key.purpose,
    scopes: JSON.stringify(key.scopes),
    rate_per_minute: key.ratePerMinute,
    networks: JSON.stringify(key.networks),
    expires_at: key.expiresAt,
    created_at: key.createdAt,
    created_by: key.createdBy,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    revoked_why: key.revokedWhy,
    rotated_from: key.rotatedFrom,
  };
}
