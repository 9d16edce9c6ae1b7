import type { Value } from "./move-note.ts";
import type { Row, Side } from "./sides.ts";
import type { MovedTable } from "./tables.ts";

const BLOCK_ROWS_MAX = 1000;
/** Row sizes vary widely: a block ends with the row that exceeds this. */
const BLOCK_BYTES = 8_000_000;

/** Reads a table of one side in blocks, in key order. */
export class TableReading {
  readonly #side: Side;
  readonly #table: MovedTable;
  readonly #columns: readonly string[];
  #after: readonly Value[] | null;

  constructor(
    side: Side,
    table: MovedTable,
    { columns, after }: { columns: readonly string[]; after: readonly Value[] | null },
  ) {
    this.#side = side;
    this.#table = table;
    this.#columns = columns;
    this.#after = after;
  }

  /** The next block; empty at the end. */
  async next(): Promise<Row[]> {
    const rows = await this.#side.read(this.#table, {
      columns: this.#columns,
      after: this.#after,
      rowsMax: BLOCK_ROWS_MAX,
      bytes: BLOCK_BYTES,
    });
    const last = rows.at(-1);
    if (last === undefined) return [];
    this.#after = keyOf(this.#table, last);
    return rows;
  }
}

export function keyOf({ key }: MovedTable, row: Row): Value[] {
  return key.map((column) => row[column] ?? null);
}
