import type { Kysely } from "kysely";
import type { AuditEntry } from "../../access/audit.ts";
import type { RecordTables } from "./tables.ts";

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
