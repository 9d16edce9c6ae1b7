import type { Kysely } from "kysely";
import type { AuditEntry, AuditLog, NumberedEntry } from "../../access/audit.ts";
import type { RecordTables } from "./tables.ts";

export class KyselyAuditLog implements AuditLog {
  readonly #db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.#db = db;
  }

  async entries({ before, limit }: { before?: number; limit: number }): Promise<NumberedEntry[]> {
    const latest = this.#db.selectFrom("audit").selectAll().orderBy("number", "desc").limit(limit);
    const rows = await (before === undefined
      ? latest
      : latest.where("number", "<", before)
    ).execute();
    return rows.map((row) => ({
      number: row.number,
      at: row.at,
      actor: row.actor,
      action: row.action,
      target: row.target,
      revisionBefore: row.revision_before,
      revisionAfter: row.revision_after,
      requestId: row.request_id,
    }));
  }
}

/** Call in the transaction of the change. */
export async function writeAudit(db: Kysely<RecordTables>, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit")
    .values({
      at: entry.at,
      actor: entry.actor,
      action: entry.action,
      target: entry.target,
      revision_before: entry.revisionBefore,
      revision_after: entry.revisionAfter,
      request_id: entry.requestId,
    })
    .execute();
}
