import type { SQLInputValue } from "node:sqlite";

/** What transactions wrote, row by row; kept in files as `v8.serialize` writes it. */
export interface RecordedWrites {
  statements: string[];
  transactions: [statement: number, values: SQLInputValue[]][][];
}
