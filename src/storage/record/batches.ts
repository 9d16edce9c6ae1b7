import { setImmediate as nextTurn } from "node:timers/promises";
import { type CompiledQuery, type InsertObject, type Kysely, sql } from "kysely";
import type { RecordTables } from "./tables.ts";

/**
 * Limit on the values or rows of one query. A query of this size takes a millisecond or two. Other
 * requests run between queries.
 */
const SLICE_MAX = 200;

const UNREAD_RESULT_MARK = "/* result unread */";

/**
 * Marks a query whose result the caller does not read. PostgreSQL's connection then need not wait
 * for the answer. Use it as `query.modifyEnd(UNREAD_RESULT_HINT)`.
 */
export const UNREAD_RESULT_HINT = sql.raw(UNREAD_RESULT_MARK);

export function hasUnreadResultHint(sqlText: string): boolean {
  return sqlText.endsWith(UNREAD_RESULT_MARK);
}

/** Runs a query slice by slice over the values. @returns the rows of all slices. */
export async function queryInSlices<Value, Row>(
  values: readonly Value[],
  query: (slice: readonly Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const found: (readonly Row[])[] = [];
  for (let from = 0; from < values.length; from += SLICE_MAX) {
    if (from > 0) await nextTurn();
    found.push(await query(values.slice(from, from + SLICE_MAX)));
  }
  return found.flat();
}

/**
 * If at most this many rows remain, one statement inserts all of them. If more remain, the size of a
 * slice is a power of two or `SLICE_MAX`. The connection to SQLite caches a prepared statement for each
 * size. With few different sizes, there are few statements.
 */
const FEW_ROWS_MAX = 16;

/** Runs an insert slice by slice over the entries. */
export async function insertInSlices<Entry>(
  entries: readonly Entry[],
  insert: (slice: readonly Entry[]) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < entries.length; ) {
    if (from > 0) await nextTurn();
    const length = rowsInserted(entries.length - from);
    await insert(entries.slice(from, from + length));
    from += length;
  }
}

function rowsInserted(left: number): number {
  if (left <= FEW_ROWS_MAX) return left;
  return left >= SLICE_MAX ? SLICE_MAX : 2 ** Math.floor(Math.log2(left));
}

/**
 * Inserts a row for each entry. Compiles the query once for each number of rows.
 *
 * @throws {Error} if rows have different columns, or the same columns in another order.
 */
export async function insertRows<Table extends keyof RecordTables, Entry>(
  db: Kysely<RecordTables>,
  table: Table,
  {
    entries,
    rowOf,
  }: {
    entries: readonly Entry[];
    rowOf: (entry: Entry) => InsertObject<RecordTables, Table>;
  },
): Promise<void> {
  const compiled = new Map<number, CompiledQuery>();
  let columns: readonly string[] | null = null;
  await insertInSlices(entries, async (slice) => {
    const rows = slice.map(rowOf);
    const query = compiled.get(rows.length) ?? db.insertInto(table).values(rows).compile();
    compiled.set(rows.length, query);
    const parameters: unknown[] = [];
    for (const row of rows) {
      columns ??= Object.keys(row);
      if (!hasColumns(row, columns)) throw new Error(`Rows of ${table} differ in their columns`);
      parameters.push(...Object.values(row));
    }
    await db.executeQuery({ ...query, parameters });
  });
}

function hasColumns(row: object, columns: readonly string[]): boolean {
  const keys = Object.keys(row);
  return keys.length === columns.length && keys.every((key, at) => key === columns[at]);
}
