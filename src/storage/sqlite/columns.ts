import type { SQLOutputValue } from "node:sqlite";

/** A row; its values are accessed by column name or by index. */
export type Row = Record<string, SQLOutputValue>;

type Column = string | number;

/** Reads a TEXT NOT NULL column. */
export function textOf(row: Row, column: Column): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`Column ${column} is not text`);
  return value;
}

export function textOrNull(row: Row, column: Column): string | null {
  return row[column] === null ? null : textOf(row, column);
}

/** Reads an INTEGER NOT NULL or REAL NOT NULL column. */
export function numberOf(row: Row, column: Column): number {
  const value = row[column];
  if (typeof value !== "number") throw new TypeError(`Column ${column} is not a number`);
  return value;
}

export function numberOrNull(row: Row, column: Column): number | null {
  return row[column] === null ? null : numberOf(row, column);
}

/** Returns SQL that tests whether a column contains one of these row numbers. */
export function rowInListSql(
  column: string,
  rows: readonly number[],
): { test: string; parameter: number | string } {
  const [row, ...others] = rows;
  if (row !== undefined && others.length === 0) return { test: `${column} = ?`, parameter: row };
  const test = `${column} IN (SELECT value FROM json_each(?))`;
  return { test, parameter: JSON.stringify(rows) };
}
