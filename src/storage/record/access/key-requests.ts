import type { Kysely } from "kysely";
import type { AuditEntry } from "../../../access/audit.ts";
import type {
  KeyRequest,
  KeyRequestState,
  KeyRequestStore,
} from "../../../access/submissions/key-requests.ts";
import type { Connections } from "../connections.ts";
import type { KeyRequestRow, RecordTables } from "../tables.ts";
import { uuidv7 } from "../uuid.ts";
import { writeAudit } from "./audit.ts";

export class KyselyKeyRequestStore implements KeyRequestStore {
  readonly #db: Kysely<RecordTables>;
  readonly #transact: Connections["transact"];

  constructor({ reader, transact }: Connections) {
    this.#db = reader;
    this.#transact = transact;
  }

  newId(now: Date): string {
    return uuidv7(now.getTime());
  }

  async byId(id: string): Promise<KeyRequest | null> {
    const row = await this.#requests().where("id", "=", id).executeTakeFirst();
    return row === undefined ? null : requestOf(row);
  }

  async byCodeHash(hash: string): Promise<KeyRequest | null> {
    const row = await this.#requests().where("code_hash", "=", hash).executeTakeFirst();
    return row === undefined ? null : requestOf(row);
  }

  async list({
    state,
    before,
    limit,
  }: {
    state: KeyRequestState | null;
    before: string | null;
    limit: number;
  }): Promise<KeyRequest[]> {
    let query = this.#requests().orderBy("id", "desc").limit(limit);
    if (state !== null) query = query.where("state", "=", state);
    if (before !== null) query = query.where("id", "<", before);
    return (await query.execute()).map(requestOf);
  }

  async lapsed(now: Date, limit: number): Promise<KeyRequest[]> {
    const rows = await this.#requests()
      .where("code_expires_at", "<=", now.toISOString())
      .limit(limit)
      .execute();
    return rows.map(requestOf);
  }

  async unchangedSince(since: Date, limit: number): Promise<KeyRequest[]> {
    const rows = await this.#requests()
      .where("erased_at", "is", null)
      .where("changed_at", "<", since.toISOString())
      .limit(limit)
      .execute();
    return rows.map(requestOf);
  }

  async insert(request: KeyRequest, entry: AuditEntry): Promise<void> {
    await this.#transact(async (db) => {
      await db.insertInto("key_requests").values(requestRow(request)).execute();
      await writeAudit(db, entry);
    });
  }

  async update(request: KeyRequest, entry: AuditEntry): Promise<void> {
    await this.#transact(async (db) => {
      const { id, ...changing } = requestRow(request);
      await db.updateTable("key_requests").set(changing).where("id", "=", id).execute();
      await writeAudit(db, entry);
    });
  }

  #requests() {
    return this.#db.selectFrom("key_requests").selectAll();
  }
}

export function requestOf(row: KeyRequestRow): KeyRequest {
  return {
    id: row.id,
    state: row.state,
    name: row.name,
    email: row.email,
    organisation: row.organisation,
    task: row.task,
    data: row.data,
    access: row.access,
    receivedAt: row.received_at,
    changedAt: row.changed_at,
    revision: row.revision,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    note: row.note,
    reason: row.reason,
    terms: row.terms === null ? null : JSON.parse(row.terms),
    code:
      row.code_hash === null || row.code_expires_at === null
        ? null
        : { hash: row.code_hash, expiresAt: row.code_expires_at },
    keyId: row.key_id,
    claimedAt: row.claimed_at,
    erasedAt: row.erased_at,
  };
}

function requestRow(request: KeyRequest): KeyRequestRow {
  return {
    id: request.id,
    state: request.state,
    name: request.name,
    email: request.email,
    organisation: request.organisation,
    task: request.task,
    data: request.data,
    access: request.access,
    received_at: request.receivedAt,
    changed_at: request.changedAt,
    revision: request.revision,
    decided_at: request.decidedAt,
    decided_by: request.decidedBy,
    note: request.note,
    reason: request.reason,
    terms: request.terms === null ? null : JSON.stringify(request.terms),
    code_hash: request.code?.hash ?? null,
    code_expires_at: request.code?.expiresAt ?? null,
    key_id: request.keyId,
    claimed_at: request.claimedAt,
    erased_at: request.erasedAt,
  };
}
