import { createHash } from "node:crypto";
import { isNumbered, KEYED_TABLES, type KeyedTable } from "../record/keyed-tables.ts";
import { blocksOf, columnsOf, countRows, keyOf, type OnRows } from "./reading-tables.ts";
import type { Row, Side } from "./sides.ts";

const DIFFERENCES_MAX = 10;
/** Rows compared between two reports of progress. */
const REPORT_ROWS = 1000;

export interface SideOfTable {
  rows: number;
  /** SHA-256 of all rows in key order, one JSON line each. */
  checksum: string;
}

export interface ComparedTable {
  table: string;
  source: SideOfTable;
  target: SideOfTable;
  /** Number of rows that differ. */
  differing: number;
  /** Descriptions of the first ten, by keys and column names, never other values. */
  differences: readonly string[];
}

export async function compareTables(
  source: Side,
  target: Side,
  onRows: OnRows,
): Promise<ComparedTable[]> {
  const total = await countRows(source);
  let before = 0;
  const compared: ComparedTable[] = [];
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
  source: Side;
  target: Side;
  table: KeyedTable;
}

async function compareTable(
  { source, target, table }: ComparedSides,
  onRows: (rows: number) => void,
): Promise<ComparedTable> {
  const columns = await columnsOf(source, target, table);
  const here = new RowsOfSide(source, table, columns);
  const there = new RowsOfSide(target, table, columns);
  const differences: string[] = [];
  let differing = 0;
  const report = (text: string) => {
    differing += 1;
    if (differences.length < DIFFERENCES_MAX) differences.push(text);
  };
  for (;;) {
    const [left, right] = await Promise.all([here.present(), there.present()]);
    if (left === undefined && right === undefined) break;
    const order = orderOf(table, left?.row, right?.row);
    if (order !== 0 || left?.text !== right?.text) {
      report(describe(table, { order, left: left?.row, right: right?.row }));
    }
    if (order <= 0) here.pass();
    if (order >= 0) there.pass();
    if (here.rows % REPORT_ROWS === 0) onRows(here.rows);
  }
  onRows(here.rows);
  for (const text of await numberDifferences({ source, target, table })) report(text);
  return {
    table: table.name,
    source: here.result(),
    target: there.result(),
    differing,
    differences,
  };
}

/** Reports a target that would assign a number of the source a second time. */
async function numberDifferences({ source, target, table }: ComparedSides): Promise<string[]> {
  if (!isNumbered(table)) return [];
  const [here, there] = [await source.lastNumber(table), await target.lastNumber(table)];
  if (there >= here) return [];
  return [`${table.name}: the next row would get the number ${there + 1}, not ${here + 1}`];
}

/** Iterates over the rows of a table on one side, and holds one batch of them in memory. */
class RowsOfSide {
  readonly #blocks: AsyncGenerator<Row[], undefined>;
  readonly #hash = createHash("sha256");
  #block: readonly { row: Row; text: string }[] = [];
  #at = 0;
  #rows = 0;

  constructor(side: Side, table: KeyedTable, columns: readonly string[]) {
    this.#blocks = blocksOf(side, table, columns);
  }

  /** Number of rows passed. */
  get rows(): number {
    return this.#rows;
  }

  /** The current row with its JSON; undefined at the end. */
  async present(): Promise<{ row: Row; text: string } | undefined> {
    if (this.#at === this.#block.length) {
      const { value = [] } = await this.#blocks.next();
      this.#block = value.map((row) => ({ row, text: JSON.stringify(row) }));
      this.#at = 0;
    }
    return this.#block[this.#at];
  }

  pass(): void {
    this.#hash.update(`${this.#block[this.#at]?.text}\n`);
    this.#at += 1;
    this.#rows += 1;
  }

  result(): SideOfTable {
    return { rows: this.#rows, checksum: this.#hash.digest("hex") };
  }
}

/** Compares two rows by key as both engines sort them: numbers by value, texts by UTF-8 bytes. */
function orderOf(table: KeyedTable, left: Row | undefined, right: Row | undefined): number {
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  const others = keyOf(table, right);
  for (const [place, value] of keyOf(table, left).entries()) {
    const other = others[place];
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
  { order, left, right }: { order: number; left: Row | undefined; right: Row | undefined },
): string {
  const row = (order > 0 ? right : left) ?? {};
  const name = [table.name, ...keyOf(table, row)].join(" ");
  if (order < 0) return `${name} is missing in the target`;
  if (order > 0) return `${name} is in the target only`;
  const columns = Object.keys(row).filter((column) => left?.[column] !== right?.[column]);
  return `${name} differs in ${columns.join(", ")}`;
}
