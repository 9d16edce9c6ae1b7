import { DatabaseSync } from "node:sqlite";

type Row = Record<string, unknown>;

/** Reads what is committed in a file that processes are using, and changes nothing of it. */
export interface Reading extends Disposable {
  rows(sql: string, ...values: readonly (string | number)[]): Row[];
}

/** Holds the file open. */
export function openReading(file: string): Reading {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  return {
    rows: (sql, ...values) => db.prepare(sql).all(...values),
    [Symbol.dispose]: () => db.close(),
  };
}

/** Opens the file for each look, as one that is held open would not be left alone by a power cut. */
export function lookInto(file: string): Reading {
  return {
    rows(sql, ...values) {
      using reading = openReading(file);
      return reading.rows(sql, ...values);
    },
    [Symbol.dispose]() {},
  };
}
