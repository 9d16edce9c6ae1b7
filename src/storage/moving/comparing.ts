import { createHash } from "node:crypto";
import { columnsOf, countRows, type OnRows } from "./copying.ts";
import { Differences } from "./differences.ts";
import type { Row, Side } from "./sides.ts";
import { keyOf, TableReading } from "./table-reading.ts";
import { isNumbered, MOVED_TABLES, type MovedTable } from "./tables.ts";

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
  /** Descriptions of the first ones: keys and column names, never other values. */
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
  for (const table of MOVED_TABLES) {
    const columns = await columnsOf(source, target, table);
    const here = new RowsOfSide(source, table, columns);
    const there = new RowsOfSide(target, table, columns);
    const differences = new Differences(table);
    do {
      await Promise.all([here.load(), there.load()]);
      compareLoaded(table, { here, there, differences });
      onRows(before + here.passed, total, table.name);
    } while (!here.isAtEnd || !there.isAtEnd);
    before += here.passed;
    if (isNumbered(table)) {
      differences.compareNumbers(await source.lastNumber(table), await target.lastNumber(table));
    }
    compared.push({
      table: table.name,
      source: here.result(),
      target: there.result(),
      differing: differences.count,
      differences: differences.told,
    });
  }
  return compared;
}

/** Compares loaded rows until one side must load more. */
function compareLoaded(
  table: MovedTable,
  { here, there, differences }: { here: RowsOfSide; there: RowsOfSide; differences: Differences },
): void {
  while (!here.isWaiting && !there.isWaiting) {
    const left = here.present;
    const right = there.present;
    if (left === undefined && right === undefined) return;
    const order = orderOf(table, left?.row, right?.row);
    if (order !== 0 || left?.text !== right?.text) differences.add(order, left?.row, right?.row);
    if (order <= 0) here.pass();
    if (order >= 0) there.pass();
  }
}

/** Iterates over a table of one side, holding one block in memory. */
class RowsOfSide {
  readonly #reading: TableReading;
  readonly #hash = createHash("sha256");
  #loaded: readonly { row: Row; text: string }[] = [];
  #at = 0;
  #passed = 0;
  #isAtEnd = false;

  constructor(side: Side, table: MovedTable, columns: readonly string[]) {
    this.#reading = new TableReading(side, table, { columns, after: null });
  }

  /** Must the next block be loaded? */
  get isWaiting(): boolean {
    return this.#at === this.#loaded.length && !this.#isAtEnd;
  }

  get present(): { row: Row; text: string } | undefined {
    return this.#loaded[this.#at];
  }

  get isAtEnd(): boolean {
    return this.#isAtEnd;
  }

  get passed(): number {
    return this.#passed;
  }

  async load(): Promise<void> {
    if (this.#isAtEnd || this.#at < this.#loaded.length) return;
    const rows = await this.#reading.next();
    this.#loaded = rows.map((row) => ({ row, text: JSON.stringify(row) }));
    this.#at = 0;
    this.#isAtEnd = rows.length === 0;
  }

  pass(): void {
    this.#hash.update(`${this.#loaded[this.#at]?.text}\n`);
    this.#at += 1;
    this.#passed += 1;
  }

  result(): SideOfTable {
    return { rows: this.#passed, checksum: this.#hash.digest("hex") };
  }
}

/** Key order of both engines: numbers by value, texts by UTF-8 bytes. */
function orderOf(table: MovedTable, left: Row | undefined, right: Row | undefined): number {
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
