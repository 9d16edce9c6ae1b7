import { DatabaseSync } from "node:sqlite";

type Row = Record<string, unknown>;

/** Reads what is committed in a file that processes use, without changing anything. */
export interface Reading extends Disposable {
  rows(sql: string, ...values: readonly (string | number)[]): Row[];
}

/** Keeps the file open. */
export function openReading(file: string): Reading {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  return {
    rows: (sql, ...values) => db.prepare(sql).all(...values),
    [Symbol.dispose]: () => db.close(),
  };
}

/** Opens the file for each read. A power cut would not leave alone a file that is kept open. */
export function lookInto(file: string): Reading {
  return {
    rows(sql, ...values) {
      using reading = openReading(file);
      return reading.rows(sql, ...values);
    },
    [Symbol.dispose]() {},
  };
}
