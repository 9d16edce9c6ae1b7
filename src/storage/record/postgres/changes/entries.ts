import { type Kysely, sql } from "kysely";
import {
  type ChangeLogEntry,
  itemIdsOfChange,
  type ReadingChange,
  serializeEntryAroundNumbers,
} from "../../../reading/writing/changes.ts";
import type { RecordTables } from "../../tables.ts";
import { sendWithCommit } from "../connections/statement-batch.ts";

/** PostgreSQL format of an entry's time. */
export const ENTRY_TIME_FORMAT = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** Builds the log entry of a transaction's changes. `db` must run in that transaction. */
export async function buildLogEntry(
  db: Kysely<RecordTables>,
  changes: readonly ReadingChange[],
  isContinued: boolean,
): Promise<ChangeLogEntry> {
  const { rows } = await sql<{ id: string; number: number }>`
    SELECT id, number FROM items WHERE id IN (SELECT json_array_elements_text(${idsIn(changes)}::json))
  `.execute(db);
  const numbers = Object.fromEntries(rows.map(({ id, number }) => [id, number]));
  return { numbers, changes, isContinued };
}

/**
 * Writes an entry with changes of a transaction to the log, in that transaction. If `isContinued`,
 * another entry of the transaction follows. Otherwise, the commit is sent together with this entry.
 * @returns the entry's sequence number.
 */
export async function writeLogEntry(
  db: Kysely<RecordTables>,
  changes: readonly ReadingChange[],
  isContinued: boolean,
): Promise<number> {
  const updatedAt = changes.map((change) => ("item" in change ? change.item.updatedAt : ""));
  const [before, after] = serializeEntryAroundNumbers({ changes, isContinued });
  const entry = sql<{ sequence: number }>`
    WITH numbers AS (
      SELECT coalesce(json_object_agg(id, number), '{}')::text AS json
      FROM items WHERE id IN (SELECT json_array_elements_text(${idsIn(changes)}::json))
    ), state AS (
      UPDATE change_state
      SET last = last + 1, updated_at = greatest(updated_at, ${updatedAt.sort().at(-1) ?? ""})
      RETURNING last
    ), written AS (
      INSERT INTO changes (sequence, at, changes)
      SELECT last, to_char(clock_timestamp() AT TIME ZONE 'UTC', ${sql.raw(ENTRY_TIME_FORMAT)}),
        ${before} || numbers.json || ${after}
      FROM state, numbers
      RETURNING sequence
    )
    SELECT sequence, pg_notify('commonplace_changes', sequence::text) FROM written
  `;
  const [written] = isContinued ? (await entry.execute(db)).rows : await sendWithCommit(db, entry);
  if (written === undefined) throw new Error("The log of changes has no state");
  return written.sequence;
}

function idsIn(changes: readonly ReadingChange[]): string {
  return JSON.stringify([...new Set(changes.flatMap(itemIdsOfChange))]);
}
