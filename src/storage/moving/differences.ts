import type { Row } from "./sides.ts";
import { keyOf } from "./table-reading.ts";
import type { MovedTable } from "./tables.ts";

const TOLD_MAX = 10;

/** Describes differences between two sides of a table without revealing its contents. */
export class Differences {
  readonly told: string[] = [];
  readonly #table: MovedTable;
  #count = 0;

  constructor(table: MovedTable) {
    this.#table = table;
  }

  get count(): number {
    return this.#count;
  }

  /** `order` compares the keys: below 0, the left key comes first. */
  add(order: number, left: Row | undefined, right: Row | undefined): void {
    if (order < 0) this.#tell(`${this.#named(left)} is missing in the target`);
    else if (order > 0) this.#tell(`${this.#named(right)} is in the target only`);
    else this.#tell(`${this.#named(left)} differs in ${columnsThatDiffer(left, right)}`);
  }

  /** A sequence number must never be assigned twice. */
  compareNumbers(source: number, target: number): void {
    if (target < source) {
      this.#tell(
        `${this.#table.name}: the next row would get the number ${target + 1}, not ${source + 1}`,
      );
    }
  }

  #tell(words: string): void {
    this.#count += 1;
    if (this.told.length < TOLD_MAX) this.told.push(words);
  }

  #named(row: Row | undefined): string {
    const key = row === undefined ? [] : keyOf(this.#table, row);
    return [this.#table.name, ...key].join(" ");
  }
}

function columnsThatDiffer(left: Row = {}, right: Row = {}): string {
  return Object.keys(left)
    .filter((name) => left[name] !== right[name])
    .join(", ");
}
