import { createHash } from "node:crypto";
import { hasSequenceKey, KEYED_TABLES, type KeyedTable } from "../record/keyed-tables.ts";
import type { ReadableRecord, RecordRow } from "./readable-record.ts";
import {
  countRecordRows,
  type OnRowProgress,
  readRowBatches,
  requireSameColumns,
  rowKey,
} from "./reading-tables.ts";

const DIFFERENCES_MAX = 10;
/** Number of rows compared between two progress reports. */
const REPORT_ROWS = 1000;

export interface TableSummary {
  rows: number;
  /** SHA-256 of all rows in key order, one JSON line each. */
  checksum: string;
}

export interface TableComparison {
  table: string;
  source: TableSummary;
  target: TableSummary;
  /** Number of rows that differ. */
  differing: number;
  /**
   * Descriptions of the first ten differing rows, with keys and column names but no other values.
   */
  differences: readonly string[];
}

export async function compareTables(
  source: ReadableRecord,
  target: ReadableRecord,
  onRows: OnRowProgress,
): Promise<TableComparison[]> {
  const total = await countRecordRows(source);
  let before = 0;
  const compared: TableComparison[] = [];
  for (const table of KEYED_TABLES) {
    const done = before;
    const result = await compareTable({ source, target, table }, (rows) =>
      onRows(done + rows, total, table.name),
    );
    before += result.source.rows;
    compared.push(result);
  }
  return compared;
}

interface ComparedSides {
  source: ReadableRecord;
  target: ReadableRecord;
  table: KeyedTable;
}

async function compareTable(
  { source, target, table }: ComparedSides,
  onRows: (rows: number) => void,
): Promise<TableComparison> {
  const columns = await requireSameColumns(source, target, table);
  const sourceRows = new RowsOfSide(source, table, columns);
  const targetRows = new RowsOfSide(target, table, columns);
  const differences: string[] = [];
  let differing = 0;
  const report = (text: string) => {
    differing += 1;
    if (differences.length < DIFFERENCES_MAX) differences.push(text);
  };
  for (;;) {
    const [left, right] = await Promise.all([sourceRows.current(), targetRows.current()]);
    if (left === undefined && right === undefined) break;
    const order = orderOf(table, left?.row, right?.row);
    if (order !== 0 || left?.text !== right?.text) {
      report(describe(table, { order, left: left?.row, right: right?.row }));
    }
    if (order <= 0) sourceRows.advance();
    if (order >= 0) targetRows.advance();
    if (sourceRows.rows % REPORT_ROWS === 0) onRows(sourceRows.rows);
  }
  onRows(sourceRows.rows);
  for (const text of await numberDifferences({ source, target, table })) report(text);
  return {
    table: table.name,
    source: sourceRows.result(),
    target: targetRows.result(),
    differing,
    differences,
  };
}

/** Reports a difference if the target could assign a number that the source has already assigned. */
async function numberDifferences({ source, target, table }: ComparedSides): Promise<string[]> {
  if (!hasSequenceKey(table)) return [];
  const [lastOfSource, lastOfTarget] = [
    await source.lastNumber(table),
    await target.lastNumber(table),
  ];
  if (lastOfTarget >= lastOfSource) return [];
  return [
    `${table.name}: the next row would get the number ${lastOfTarget + 1}, not ${lastOfSource + 1}`,
  ];
}

/** Iterates over the rows of a table on one side, with one batch in memory at a time. */
class RowsOfSide {
  readonly #batches: AsyncGenerator<RecordRow[], undefined>;
  readonly #hash = createHash("sha256");
  #batch: readonly { row: RecordRow; text: string }[] = [];
  #at = 0;
  #rows = 0;

  constructor(side: ReadableRecord, table: KeyedTable, columns: readonly string[]) {
    this.#batches = readRowBatches(side, table, columns);
  }

  /** Number of rows before the current one. */
  get rows(): number {
    return this.#rows;
  }

  /** The current row with its JSON; undefined at the end. */
  async current(): Promise<{ row: RecordRow; text: string } | undefined> {
    if (this.#at === this.#batch.length) {
      const { value = [] } = await this.#batches.next();
      this.#batch = value.map((row) => ({ row, text: JSON.stringify(row) }));
      this.#at = 0;
    }
    return this.#batch[this.#at];
  }

  advance(): void {
    this.#hash.update(`${this.#batch[this.#at]?.text}\n`);
    this.#at += 1;
    this.#rows += 1;
  }

  result(): TableSummary {
    return { rows: this.#rows, checksum: this.#hash.digest("hex") };
  }
}

/**
 * Compares two rows by key, in the order in which both engines sort: numbers by value, texts by
 * UTF-8 bytes. A missing row comes last.
 */
function orderOf(
  table: KeyedTable,
  left: RecordRow | undefined,
  right: RecordRow | undefined,
): number {
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  const rightKey = rowKey(table, right);
  for (const [index, value] of rowKey(table, left).entries()) {
    const other = rightKey[index];
    if (value === other) continue;
    if (typeof value === "number" && typeof other === "number") return value - other;
    return Buffer.compare(Buffer.from(String(value)), Buffer.from(String(other)));
  }
  return 0;
}

/**
 * Describes a difference without revealing contents. `order` is below 0 if the left row has no counterpart,
 * and above 0 if the right row has none.
 */
function describe(
  table: KeyedTable,
  {
    order,
    left,
    right,
  }: { order: number; left: RecordRow | undefined; right: RecordRow | undefined },
): string {
  const row = (order > 0 ? right : left) ?? {};
  const name = [table.name, ...rowKey(table, row)].join(" ");
  if (order < 0) return `${name} is missing in the target`;
  if (order > 0) return `${name} is in the target only`;
  const columns = Object.keys(row).filter((column) => left?.[column] !== right?.[column]);
  return `${name} differs in ${columns.join(", ")}`;
}
