import { type Kysely, sql } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type {
  Key,
  KeyReader,
  KeyStore,
  KeyTransaction,
  KeyWithHash,
} from "../../../access/keys/keys.ts";
import type { Connections } from "../connections.ts";
import type { RecordTables } from "../tables.ts";
import { writeAuditEntry } from "./audit.ts";
import { KeyCache } from "./key-cache.ts";
import { keyFromRow, keyToRow } from "./key-rows.ts";

const ROWS_PER_STATEMENT = 200;
const SAVE_USE_EVERY_MILLISECONDS = 60_000;

class KeyQueries implements KeyReader {
  protected readonly db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.db = db;
  }

  async byHash(hash: string): Promise<KeyWithHash | null> {
    const row = await this.db
      .selectFrom("keys")
      .selectAll()
      .where("hash", "=", hash)
      .executeTakeFirst();
    return row === undefined ? null : { key: keyFromRow(row), hash: row.hash };
  }

  async byId(id: string): Promise<Key | null> {
    const row = await this.db
      .selectFrom("keys")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirst();
    return row === undefined ? null : keyFromRow(row);
  }

  async replacementsOf(id: string): Promise<Key[]> {
    const keys = this.db.selectFrom("keys").selectAll().where("rotated_from", "=", id);
    return (await keys.orderBy("id").execute()).map(keyFromRow);
  }

  async page({ after, limit }: { after: string | null; limit: number }): Promise<Key[]> {
    const keys = this.db.selectFrom("keys").selectAll().orderBy("id").limit(limit);
    const rows = await (after === null ? keys : keys.where("id", ">", after)).execute();
    return rows.map(keyFromRow);
  }

  async expiring({ after, until }: { after: Date; until: Date }, limit: number): Promise<Key[]> {
    const rows = await this.db
      .selectFrom("keys")
      .selectAll()
      .where("expires_at", ">", after.toISOString())
      .where("expires_at", "<=", until.toISOString())
      .where("revoked_at", "is", null)
      .where("reminded_at", "is", null)
      .limit(limit)
      .execute();
    return rows.map(keyFromRow);
  }
}

class KyselyKeyTransaction extends KeyQueries implements KeyTransaction {
  async insert({ key, hash }: KeyWithHash, entry: AuditEntry): Promise<void> {
    await this.db
      .insertInto("keys")
      .values({ ...keyToRow(key), hash })
      .execute();
    await writeAuditEntry(this.db, entry);
  }

  async update(key: Key, entry: AuditEntry): Promise<void> {
    await this.db.updateTable("keys").set(keyToRow(key)).where("id", "=", key.id).execute();
    await writeAuditEntry(this.db, entry);
  }
}

export interface KeyConnections extends Connections {
  /** Returns a number that changes whenever any process may have changed the store. */
  version: () => number;
}

export class KyselyKeyStore extends KeyQueries implements KeyStore {
  readonly #transact: Connections["transact"];
  readonly #version: () => number;
  #cache: KeyCache | null = null;
  readonly #unsavedUse = new Map<string, Date>();
  readonly #savedUse = new Map<string, number>();

  constructor({ reader, transact, version }: KeyConnections) {
    super(reader);
    this.#transact = transact;
    this.#version = version;
  }

  override async byHash(hash: string): Promise<KeyWithHash | null> {
    // Created on first use, because every transaction creates a key store and few of them look up
    // keys.
    this.#cache ??= keyCache(this.db, this.#version);
    return await this.#cache.find(hash);
  }

  async write<T>(change: (transaction: KeyTransaction) => Promise<T>): Promise<T> {
    return await this.#transact((db) => change(new KyselyKeyTransaction(db)));
  }

  used(keyId: string, now: Date): void {
    const savedAt = this.#savedUse.get(keyId);
    if (savedAt !== undefined && now.getTime() - savedAt < SAVE_USE_EVERY_MILLISECONDS) return;
    this.#unsavedUse.set(keyId, now);
  }

  async saveUse(): Promise<void> {
    const uses = [...this.#unsavedUse];
    if (uses.length === 0) return;
    this.#unsavedUse.clear();
    try {
      await this.#transact((transaction) => saveUses(transaction, uses));
    } catch (error) {
      for (const [keyId, usedAt] of uses) {
        if (!this.#unsavedUse.has(keyId)) this.#unsavedUse.set(keyId, usedAt);
      }
      throw error;
    }
    for (const [keyId, usedAt] of uses) this.#savedUse.set(keyId, usedAt.getTime());
  }
}

function keyCache(db: Kysely<RecordTables>, version: () => number): KeyCache {
  return new KeyCache({
    version,
    source: {
      keysVersion: async () => {
        const state = await db.selectFrom("key_state").select("version").executeTakeFirst();
        if (state === undefined) throw new Error("The store does not count changes of keys");
        return state.version;
      },
      byHashes: async (hashes) => {
        const keys = db.selectFrom("keys").selectAll().where("hash", "in", hashes);
        return (await keys.execute()).map((row) => ({ key: keyFromRow(row), hash: row.hash }));
      },
    },
  });
}

/** Saves the times at which keys were last used, unless another process has saved a later time. */
async function saveUses(
  db: Kysely<RecordTables>,
  uses: readonly (readonly [keyId: string, usedAt: Date])[],
): Promise<void> {
  for (let at = 0; at < uses.length; at += ROWS_PER_STATEMENT) {
    const rows = uses
      .slice(at, at + ROWS_PER_STATEMENT)
      .map(([keyId, usedAt]) => sql`(${keyId}, ${usedAt.toISOString()})`);
    await sql`
      with used (id, at) as (values ${sql.join(rows)})
      update keys set last_used_at = used.at from used
      where keys.id = used.id and (last_used_at is null or last_used_at < used.at)
    `.execute(db);
  }
}
