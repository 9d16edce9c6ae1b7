import type { AuditEntry } from "../../../access/audit.ts";
import type { KeyRequest, KeyRequestStore } from "../../../access/submissions/key-requests.ts";
import type { KeyRequestRow } from "../tables.ts";
import { runChangeWithAudit } from "./audit.ts";
import { KyselySubmissionStore } from "./submissions.ts";

export class KyselyKeyRequestStore
  extends KyselySubmissionStore<KeyRequest, KeyRequestRow>
  implements KeyRequestStore
{
  async byCodeHash(hash: string): Promise<KeyRequest | null> {
    const row = await this.rows().where("code_hash", "=", hash).executeTakeFirst();
    return row === undefined ? null : keyRequestFromRow(row);
  }

  async withExpiredCode(now: Date, limit: number): Promise<KeyRequest[]> {
    const rows = this.rows().where("code_expires_at", "<=", now.toISOString()).limit(limit);
    return (await rows.execute()).map(keyRequestFromRow);
  }

  async insert(request: KeyRequest, entry: AuditEntry): Promise<void> {
    await runChangeWithAudit(this.connections, entry, (db) =>
      db.insertInto("key_requests").values(requestRow(request)).execute(),
    );
  }

  async update(request: KeyRequest, entry: AuditEntry): Promise<void> {
    const { id, ...changing } = requestRow(request);
    await runChangeWithAudit(this.connections, entry, (db) =>
      db.updateTable("key_requests").set(changing).where("id", "=", id).execute(),
    );
  }

  protected rows() {
    return this.connections.reader.selectFrom("key_requests").selectAll();
  }

  protected personalRows() {
    return this.rows().where("erased_at", "is", null);
  }

  protected submissionOf(row: KeyRequestRow): KeyRequest {
    return keyRequestFromRow(row);
  }
}

export function keyRequestFromRow(row: KeyRequestRow): KeyRequest {
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
