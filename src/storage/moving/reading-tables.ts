import { KEYED_TABLES, type KeyedTable } from "../record/keyed-tables.ts";
import type { ReadableRecord, RecordRow, RecordValue } from "./readable-record.ts";

const BATCH_ROWS_MAX = 1000;
/**
 * Limit on the bytes of a batch. The row that exceeds the limit is the last row of the batch. A limit
 * on the number of rows would not bound the memory, because row sizes vary widely.
 */
const BATCH_BYTES = 8_000_000;

/** Reports the number of rows done, their total, and the current table or step. */
export type OnRowProgress = (done: number, total: number, table: string) => void;

/** Reads a table in key order, in batches of at least one row. */
export async function* readRowBatches(
  side: ReadableRecord,
  table: KeyedTable,
  columns: readonly string[],
): AsyncGenerator<RecordRow[], undefined> {
  const size = { rowsMax: BATCH_ROWS_MAX, bytes: BATCH_BYTES };
  let rows = await side.read(table, { columns, after: null, ...size });
  for (let last = rows.at(-1); last !== undefined; last = rows.at(-1)) {
    yield rows;
    rows = await side.read(table, { columns, after: rowKey(table, last), ...size });
  }
}

export function rowKey({ key }: KeyedTable, row: RecordRow): RecordValue[] {
  return key.map((column) => row[column] ?? null);
}

/**
 * Returns the columns of a table, which must be the same in source and target.
 * @throws if they differ. That would be a bug, because both sides have all migrations.
 */
export async function requireSameColumns(
  source: ReadableRecord,
  target: ReadableRecord,
  table: KeyedTable,
): Promise<readonly string[]> {
  const [sourceColumns, targetColumns] = [await source.columns(table), await target.columns(table)];
  if (sourceColumns.join() === targetColumns.join() && sourceColumns.length > 0)
    return sourceColumns;
  throw new Error(
    `${table.name} has ${sourceColumns.join()} in the source and ${targetColumns.join()} in the target`,
  );
}

/** Total number of rows in all tables. */
export async function countRecordRows(side: ReadableRecord): Promise<number> {
  let rows = 0;
  for (const table of KEYED_TABLES) rows += await side.count(table);
  return rows;
}
