import type { SQLOutputValue } from "node:sqlite";

export type Row = Record<string, SQLOutputValue>;

/** A TEXT NOT NULL column of a row. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`Column ${column} is not text`);
  return value;
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

/** An INTEGER NOT NULL or REAL NOT NULL column of a row. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`Column ${column} is not a number`);
  return value;
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : numberOf(row, column);
}
