import type { SQLInputValue } from "node:sqlite";

/** The rows that transactions wrote, stored with `v8.serialize`. */
export interface RecordedWrites {
  statements: string[];
  transactions: [statement: number, values: SQLInputValue[]][][];
}
