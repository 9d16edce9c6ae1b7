import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";
import { translateSqliteError } from "../../sqlite/sqlite-errors.ts";
import { storeClosedError } from "../group-commit.ts";

const STATEMENTS_MAX = 500;
/**
 * Limit on the total length of cached SQL. At about 20 bytes per character, this is 10 MB of
 * memory.
 */
const CHARACTERS_MAX = 500_000;

/** Kysely on a `node:sqlite` connection. The caller manages transactions and closes the connection. */
export class NodeSqliteDialect extends SqliteDialect {
  /** Queries throw while `mayUse` returns false. */
  constructor(db: DatabaseSync, mayUse: () => boolean = () => true) {
    super({ database: new Statements(db, mayUse) });
  }
}

/** Caches the prepared statements of a connection. */
class Statements implements SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #mayUse: () => boolean;
  readonly #prepared = new Map<string, PreparedStatement>();
  #characters = 0;

  constructor(db: DatabaseSync, mayUse: () => boolean) {
    this.#db = db;
    this.#mayUse = mayUse;
  }

  close(): void {}

  /** @throws after the transaction has ended. */
  prepare(sql: string): PreparedStatement {
    if (!this.#db.isOpen) throw storeClosedError();
    if (!this.#mayUse()) throw new Error("The transaction has ended");
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    this.#characters += sql.length;
    if (this.#prepared.size >= STATEMENTS_MAX || this.#characters > CHARACTERS_MAX) {
      this.#prepared.clear();
      this.#characters = sql.length;
    }
    const prepared = translatingFaults(() => new PreparedStatement(this.#db.prepare(sql)));
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/**
 * Sets `reader`, from which Kysely learns whether a statement returns rows. Only statements with columns
 * return rows.
 */
class PreparedStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly reader: boolean;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  all(values: readonly unknown[]): unknown[] {
    return translatingFaults(() => this.#statement.all(...bindableRow(values)));
  }

  run(values: readonly unknown[]): ReturnType<SqliteStatement["run"]> {
    return translatingFaults(() => this.#statement.run(...bindableRow(values)));
  }

  iterate(values: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...bindableRow(values));
  }
}

/** @throws {AppError} `unavailable` for faults of the machine, or a lock of another process. */
function translatingFaults<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw translateSqliteError(error);
  }
}

/**
 * Returns a row whose values SQLite can bind. Most rows have only such values, and are returned without a
 * copy.
 */
function bindableRow(row: readonly unknown[]): readonly SQLInputValue[] {
  return isBindableRow(row) ? row : row.map(bindable);
}

function isBindableRow(row: readonly unknown[]): row is readonly SQLInputValue[] {
  return row.every(isBindable);
}

function bindable(value: unknown): SQLInputValue {
  if (isBindable(value)) return value;
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
}

function isBindable(value: unknown): value is SQLInputValue {
  if (value === null || typeof value === "string" || typeof value === "number") return true;
  return typeof value === "bigint" || value instanceof Uint8Array;
}
