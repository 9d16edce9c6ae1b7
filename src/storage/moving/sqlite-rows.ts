import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import type { KeyedTable } from "../record/keyed-tables.ts";
import type { RecordRow, RecordValue, RowRange } from "./readable-record.ts";

/** SQL for the rows after a key, in key order. Its parameters are the key and the limit. */
export function nextRowsSql(
  db: DatabaseSync,
  { name, key }: KeyedTable,
  { columns, after }: Pick<RowRange, "columns" | "after">,
): string {
  if (name === "items") return selectNextItems(db, { columns, after });
  const afterKey = after === null ? "" : `WHERE (${key.join()}) > (${key.map(() => "?").join()})`;
  const order = key.length === 0 ? "" : `ORDER BY ${key.join()}`;
  return `SELECT ${columns.join()} FROM ${name} ${afterKey} ${order} LIMIT ?`;
}

/** Items that were never public may have no number yet. They get numbers after all others. */
function selectNextItems(
  db: DatabaseSync,
  { columns, after }: Pick<RowRange, "columns" | "after">,
): string {
  const hasNumbers = tableNames(db).includes("reading_row");
  const number = hasNumbers
    ? "coalesce(row, items.rowid + (SELECT coalesce(max(row), 0) FROM reading_row))"
    : "items.rowid";
  const joined = hasNumbers ? "LEFT JOIN reading_row ON item_id = id" : "";
  const chosen = columns.map((column) => (column === "number" ? `${number} AS number` : column));
  const afterKey = after === null ? "" : "WHERE id > ?";
  return `SELECT ${chosen.join()} FROM items ${joined} ${afterKey} ORDER BY id LIMIT ?`;
}

export function takeRowsUpToByteLimit(
  bytes: number,
  found: Iterable<Record<string, SQLOutputValue>>,
): RecordRow[] {
  const rows: RecordRow[] = [];
  let size = 0;
  for (const row of found) {
    rows.push(rowOf(row));
    for (const value of Object.values(row)) if (typeof value === "string") size += value.length;
    if (size > bytes) break;
  }
  return rows;
}

/**
 * Replaces U+0000 with U+FFFD, because PostgreSQL cannot store U+0000. Comparisons use this
 * function too, so that both sides match.
 */
function rowOf(found: Record<string, SQLOutputValue>): RecordRow {
  const row: Record<string, RecordValue> = {};
  for (const [name, value] of Object.entries(found)) {
    if (typeof value === "string") {
      row[name] = value.includes("\0") ? value.replaceAll("\0", "\uFFFD") : value;
    } else if (typeof value === "number" || value === null) row[name] = value;
    else throw new Error(`The column ${name} holds a ${typeof value}`);
  }
  return row;
}

function tableNames(db: DatabaseSync): string[] {
  const rows = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return rows.map((row) => String(row["name"]));
}
