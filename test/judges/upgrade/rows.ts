import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Tables whose rows change with an upgrade or with the requests after it, and why that loses nothing. */
const CHANGED_TABLES: readonly [name: RegExp, reason: string][] = [
  [/^reading_/, "the reading copy is rebuilt from the record; the addresses are judged instead"],
  [/^sqlite_/, "the engine's own"],
  [/^(rate_windows|accepted_requests)$/, "requests of the last minute"],
  [/^key_state$/, "a number that rises whenever a key changes"],
];

/** The same of columns, by `table.column`. */
const CHANGED_COLUMNS: Readonly<Record<string, string>> = {
  "keys.last_used_at": "the drill uses its key after the upgrade",
  "key_use.count": "counts what the drill does with its key after the upgrade",
  "sessions.used_at": "the drill opens a screen after the upgrade",
};

/** The same of single rows: what compared rows of a table fulfil, in SQL. */
const COMPARED_ROWS: Readonly<Record<string, string>> = {
  // The last time that the clock was seen to be right.
  settings: "name <> 'clock.seen'",
};

/** Tables that a restore empties, so that no access comes back that has ended since. */
export const EMPTIED_BY_RESTORE: ReadonlySet<string> = new Set(["sessions", "admin_codes"]);

/** The rows of each table of a store as JSON of the columns that are compared. */
export type Rows = Map<string, { columns: readonly string[]; rows: ReadonlySet<string> }>;

/**
 * Reads every table of a copy of a store that no process uses, including its log.
 *
 * @param like reads the tables and columns of these rows as far as they still exist.
 */
export function readRows(dataDir: string, like?: Rows): Rows {
  const folder = mkdtempSync(join(tmpdir(), "commonplace-rows-"));
  try {
    cpSync(dataDir, folder, { recursive: true });
    using db = new DatabaseSync(join(folder, "commonplace.db"));
    const tables = tablesIn(db).filter((table) => like?.has(table) ?? true);
    return new Map(
      tables.map((table) => {
        const present = columnsIn(db, table);
        const columns =
          like?.get(table)?.columns.filter((name) => present.includes(name)) ?? present;
        return [table, { columns, rows: new Set(rowsIn(db, table, columns)) }];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tablesIn(db: DatabaseSync): string[] {
  return db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((table) => !CHANGED_TABLES.some(([name]) => name.test(table)));
}

function columnsIn(db: DatabaseSync, table: string): string[] {
  return db
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => String(name))
    .filter((column) => CHANGED_COLUMNS[`${table}.${column}`] === undefined);
}

function rowsIn(db: DatabaseSync, table: string, columns: readonly string[]): string[] {
  const names = columns.map((name) => `"${name}"`).join(", ");
  return db
    .prepare(`SELECT ${names} FROM "${table}" WHERE ${COMPARED_ROWS[table] ?? "true"}`)
    .all()
    .map((row) => JSON.stringify(row));
}

/** Tables and columns that are gone, and rows that are gone or changed. */
export function lostRows(
  before: Rows,
  after: Rows,
  emptied: ReadonlySet<string> = new Set(),
): string[] {
  return [...before].flatMap(([table, { columns, rows }]) => {
    if (emptied.has(table)) return [];
    const now = after.get(table);
    if (now === undefined) return `the table ${table} is gone`;
    const gone = columns.filter((name) => !now.columns.includes(name));
    if (gone.length > 0) return `${table} has no longer the columns ${gone.join(", ")}`;
    return [...rows]
      .filter((row) => !now.rows.has(row))
      .map((row) => `${table}: ${row.slice(0, 300)}`);
  });
}

/** Rows of a table as objects. */
export function rowsOf(rows: Rows, table: string): Record<string, unknown>[] {
  return [...(rows.get(table)?.rows ?? [])].map((row) => JSON.parse(row));
}

/** The number of rows and of tables, and the names of those without any. */
export function describeRows(rows: Rows): string {
  const empty = [...rows].filter(([, table]) => table.rows.size === 0).map(([name]) => name);
  const count = [...rows.values()].reduce((sum, table) => sum + table.rows.size, 0);
  const without = empty.length === 0 ? "" : `, none in ${empty.join(", ")}`;
  return `${count} rows in ${rows.size} tables${without}`;
}
