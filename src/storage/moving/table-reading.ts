import type { Value } from "./move-note.ts";
import type { Row, Side } from "./sides.ts";
import type { MovedTable } from "./tables.ts";

const BLOCK_ROWS_MAX = 1000;
const BLOCK_ROWS_FIRST = 100;
/** Rows differ much in size: the length of a block follows that of the block before it. */
const BLOCK_CHARACTERS = 4_000_000;

/** Reads a table from one side block by block, in the order of its key. */
export class TableReading {
  readonly #side: Side;
  readonly #table: MovedTable;
  readonly #columns: readonly string[];
  #after: readonly Value[] | null;
  #limit = BLOCK_ROWS_FIRST;

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

  /** Empty: there are no more. */
  async next(): Promise<Row[]> {
    const rows = await this.#side.read(this.#table, {
      columns: this.#columns,
      after: this.#after,
      limit: this.#limit,
    });
    const last = rows.at(-1);
    if (last === undefined) return [];
    this.#after = keyOf(this.#table, last);
    const average = Math.max(1, charactersIn(rows) / rows.length);
    this.#limit = Math.max(1, Math.min(BLOCK_ROWS_MAX, Math.floor(BLOCK_CHARACTERS / average)));
    return rows;
  }
}

export function keyOf({ key }: MovedTable, row: Row): Value[] {
  return key.map((column) => row[column] ?? null);
}

function charactersIn(rows: readonly Row[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const name in row) {
      const value = row[name];
      if (typeof value === "string") characters += value.length;
    }
  }
  return characters;
}
