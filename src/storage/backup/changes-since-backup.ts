import { DatabaseSync } from "node:sqlite";
import { pathExists } from "../../files/durable-files.ts";
import { registerRowHash } from "../sqlite/row-hash.ts";

const ENTRIES_LISTED_MAX = 1000;

/**
 * Tables that can change without an audit entry. For each table, the columns whose values differ
 * between two states of a row.
 */
const UNAUDITED_TABLES = {
  messages: "id",
  key_requests: "id, revision",
  drafts: "id, version",
} as const;

/** Changes in a store that are newer than a backup of the store. */
export interface ChangesSinceBackup {
  /** Audited changes, oldest first, at most 1,000. */
  listed: { at: string; actor: string; action: string; target: string }[];
  changes: number;
  messages: number;
  /** Key requests that arrived or changed. */
  keyRequests: number;
  /** Drafts that were started or changed. */
  drafts: number;
}

/**
 * Compares a store with a backup. Both may have been written by earlier versions of the program.
 *
 * @returns null if the store is missing or unreadable, or the backup is not an earlier state of the
 * store.
 */
export async function readChangesSinceBackup(
  store: string,
  backup: string,
): Promise<ChangesSinceBackup | null> {
  if (!(await pathExists(store))) return null;
  try {
    using db = new DatabaseSync(store, { readOnly: true, timeout: 1000 });
    registerRowHash(db);
    db.prepare("ATTACH ? AS backup").run(backup);
    return compare(db);
  } catch {
    // Ignores any error, because the file may be damaged, or not be a store at all.
    return null;
  }
}

function compare(db: DatabaseSync): ChangesSinceBackup | null {
  const last = db.prepare("SELECT max(number) AS number FROM backup.audit").get()?.["number"];
  const lastKnown = Number(last ?? 0);
  if (lastKnown > 0 && !hasSameEntry(db, lastKnown)) return null;
  const listed = db
    .prepare(
      "SELECT at, actor, action, target FROM main.audit WHERE number > ? ORDER BY number LIMIT ?",
    )
    .all(lastKnown, ENTRIES_LISTED_MAX)
    .map(({ at, actor, action, target }) => ({
      at: String(at),
      actor: String(actor),
      action: String(action),
      target: String(target),
    }));
  const counted = db
    .prepare("SELECT count(*) AS count FROM main.audit WHERE number > ?")
    .get(lastKnown);
  return {
    listed,
    changes: Number(counted?.["count"]),
    messages: countNew(db, "messages"),
    keyRequests: countNew(db, "key_requests"),
    drafts: countNew(db, "drafts"),
  };
}

function hasSameEntry(db: DatabaseSync, number: number): boolean {
  const query = (schema: string) =>
    `SELECT at, actor, action, target FROM ${schema}.audit WHERE number = :number`;
  const same = db
    .prepare(`SELECT 1 FROM (${query("main")} INTERSECT ${query("backup")})`)
    .get({ number });
  return same !== undefined;
}

function countNew(db: DatabaseSync, table: keyof typeof UNAUDITED_TABLES): number {
  const columns = UNAUDITED_TABLES[table];
  const inStore = hasTable(db, { schema: "main", table });
  if (!inStore) return 0;
  const before = hasTable(db, { schema: "backup", table })
    ? ` EXCEPT SELECT ${columns} FROM backup.${table}`
    : "";
  const found = db
    .prepare(`SELECT count(*) AS count FROM (SELECT ${columns} FROM main.${table}${before})`)
    .get();
  return Number(found?.["count"]);
}

function hasTable(
  db: DatabaseSync,
  { schema, table }: { schema: "main" | "backup"; table: string },
): boolean {
  return (
    db.prepare(`SELECT 1 FROM ${schema}.sqlite_schema WHERE name = ?`).get(table) !== undefined
  );
}
