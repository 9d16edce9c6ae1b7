import { writeFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, StatementSync } from "node:sqlite";
import { serialize } from "node:v8";
import type { RecordedWrites } from "./recorded-writes.ts";

/**
 * Loaded before the server (`node --import`). Records every statement that writes rows, by transaction, and
 * finally stores those that changed items in the file `RECORD_WRITES_TO`.
 */
const file = String(process.env["RECORD_WRITES_TO"]);
const recorded: RecordedWrites = { statements: [], transactions: [] };
const numbers = new Map<string, number>();
const texts = new WeakMap<StatementSync, string>();
let transaction: RecordedWrites["transactions"][number] = [];

const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (sql, ...rest) {
  const statement = prepare.call(this, sql, ...rest);
  texts.set(statement, sql);
  return statement;
};
for (const name of ["run", "get", "all"] as const) {
  const original: (...values: SQLInputValue[]) => unknown = StatementSync.prototype[name];
  Object.defineProperty(StatementSync.prototype, name, {
    value(this: StatementSync, ...values: SQLInputValue[]) {
      note(texts.get(this) ?? "", values);
      return original.apply(this, values);
    },
  });
}
process.on("exit", () => writeFileSync(file, serialize(recorded)));

function note(sql: string, values: readonly SQLInputValue[]): void {
  const verb = /^\s*([a-z]+)/i.exec(sql)?.[1]?.toLowerCase();
  if (verb === "begin" || verb === "rollback") transaction = [];
  else if (verb === "commit") {
    // Writes by clock tasks belong to no request.
    if (transaction.some(([statement]) => recorded.statements[statement]?.includes("revisions"))) {
      recorded.transactions.push(transaction);
    }
    transaction = [];
  } else if (verb === "insert" || verb === "update" || verb === "delete") {
    transaction.push([numberOf(sql), values.map(copied)]);
  }
}

function numberOf(sql: string): number {
  const known = numbers.get(sql);
  if (known !== undefined) return known;
  numbers.set(sql, recorded.statements.length);
  return recorded.statements.push(sql) - 1;
}

/** The server may reuse the bytes. */
function copied(value: SQLInputValue): SQLInputValue {
  return value instanceof Uint8Array ? value.slice() : value;
}
