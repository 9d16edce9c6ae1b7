import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
import type {
  AuditEntry,
  AuditEntryWithActorName,
  AuditFilter,
  AuditLog,
  NumberedAuditEntry,
} from "../../../access/audit.ts";
import type { Connections } from "../connections.ts";
import type { AuditRow, RecordTables } from "../tables.ts";

/**
 * Number of entries that a search scans before other work may run, which takes about a millisecond.
 * Searches scan entries, because only entry numbers are indexed. More indexes would slow down every
 * write.
 */
const ENTRIES_PER_STEP = 10_000;
/** An export scans fewer entries per step than a search, because it returns most of them. */
const EXPORTED_PER_STEP = 1000;

export class KyselyAuditLog implements AuditLog {
  readonly #db: Kysely<RecordTables>;

  constructor(db: Kysely<RecordTables>) {
    this.#db = db;
  }

  async entries({
    before = Number.MAX_SAFE_INTEGER,
    limit,
    ...filter
  }: AuditFilter & { before?: number; limit: number }): Promise<AuditEntryWithActorName[]> {
    const found: NumberedAuditEntry[] = [];
    let end = Math.min(before, (await readLastAuditNumber(this.#db)) + 1);
    while (end > 1 && found.length < limit) {
      const start = Math.max(1, end - ENTRIES_PER_STEP);
      const rows = await this.#matching(filter, start, end)
        .orderBy("number", "desc")
        .limit(limit - found.length)
        .execute();
      found.push(...rows.map(auditEntryFromRow));
      end = start;
      if (found.length < limit) await yieldToEventLoop();
    }
    return await withNames(this.#db, found);
  }

  async *streamAll(filter: AuditFilter): AsyncIterable<AuditEntryWithActorName> {
    const end = (await readLastAuditNumber(this.#db)) + 1;
    for (let start = 1; start < end; start += EXPORTED_PER_STEP) {
      const stepEnd = Math.min(end, start + EXPORTED_PER_STEP);
      const rows = await this.#matching(filter, start, stepEnd).orderBy("number").execute();
      yield* await withNames(this.#db, rows.map(auditEntryFromRow));
      await yieldToEventLoop();
    }
  }

  #matching({ actor, action, target, since, until }: AuditFilter, start: number, end: number) {
    let query = this.#db
      .selectFrom("audit")
      .selectAll()
      .where("number", ">=", start)
      .where("number", "<", end);
    if (actor !== undefined) query = query.where("actor", "=", actor);
    if (target !== undefined) query = query.where("target", "=", target);
    if (since !== undefined) query = query.where("at", ">=", since);
    if (until !== undefined) query = query.where("at", "<=", until);
    if (action === undefined) return query;
    return query.where(sql`substr(action, 1, ${action.length})`, "=", action);
  }
}

/** @returns 0 for an empty log. */
export async function readLastAuditNumber(db: Kysely<RecordTables>): Promise<number> {
  const row = await db
    .selectFrom("audit")
    .select("number")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? 0;
}

export function auditEntryFromRow(row: Selectable<AuditRow>): NumberedAuditEntry {
  return {
    number: row.number,
    at: row.at,
    actor: row.actor,
    action: row.action,
    target: row.target,
    revisionBefore: row.revision_before,
    revisionAfter: row.revision_after,
    requestId: row.request_id,
    detail: row.detail,
  };
}

/** Adds the current names of actors. The permanent log itself contains no names of people. */
async function withNames(
  db: Kysely<RecordTables>,
  entries: readonly NumberedAuditEntry[],
): Promise<AuditEntryWithActorName[]> {
  const actors = [...new Set(entries.map(({ actor }) => actor))];
  const people = await namesOf(db, "admins", idsAfter("person:", actors));
  const keys = await namesOf(db, "keys", idsAfter("key:", actors));
  return entries.map((entry) => {
    const [kind, id = ""] = entry.actor.split(":");
    const names = kind === "person" ? people : keys;
    return { ...entry, actorName: names.get(id) ?? null };
  });
}

async function namesOf(
  db: Kysely<RecordTables>,
  table: "admins" | "keys",
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom(table).select(["id", "name"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function idsAfter(prefix: string, actors: readonly string[]): string[] {
  return actors
    .filter((actor) => actor.startsWith(prefix))
    .map((actor) => actor.slice(prefix.length));
}

/** Runs a change and writes its audit entry, if any, in one transaction. */
export async function runChangeWithAudit(
  { transact }: Pick<Connections, "transact">,
  entry: AuditEntry | null,
  change: (db: Kysely<RecordTables>) => Promise<unknown>,
): Promise<void> {
  await transact(async (db) => {
    await change(db);
    if (entry !== null) await writeAuditEntry(db, entry);
  });
}

/** Writes an audit entry. Call in the transaction of the change. */
export async function writeAuditEntry(db: Kysely<RecordTables>, entry: AuditEntry): Promise<void> {
  await db.insertInto("audit").values(auditEntryToRow(entry)).execute();
}

export function auditEntryToRow(entry: AuditEntry): Insertable<AuditRow> {
  return {
    at: entry.at,
    actor: entry.actor,
    action: entry.action,
    target: entry.target,
    revision_before: entry.revisionBefore,
    revision_after: entry.revisionAfter,
    request_id: entry.requestId,
    detail: entry.detail ?? null,
  };
}
