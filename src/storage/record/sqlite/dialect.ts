import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { translateFault } from "../../sqlite/sqlite-faults.ts";
import { ParameterBatch } from "../batch-queries.ts";
import { SyncAdapter, type SyncConnection } from "../sync-adapter.ts";

const STATEMENTS_MAX = 500;

/** Kysely on a `node:sqlite` connection. The caller manages transactions and closes the connection. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #statements: Statements;

  /** Queries throw while `mayUse` returns false. */
  constructor(db: DatabaseSync, mayUse: () => boolean = () => true) {
    const statements = new Statements(db, mayUse);
    super({ database: statements });
    this.#statements = statements;
  }

  override createAdapter(): SyncAdapter {
    return new SyncAdapter(this.#statements);
  }
}

/** Caches the prepared statements of a connection. */
class Statements implements SyncConnection, SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #mayUse: () => boolean;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(db: DatabaseSync, mayUse: () => boolean) {
    this.#db = db;
    this.#mayUse = mayUse;
  }

  close(): void {}

  /** @throws after the transaction has ended. */
  prepare(sql: string): PreparedStatement {
    if (!this.#mayUse()) throw new Error("The transaction has ended");
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.clear();
    const prepared = translatingFaults(() => new PreparedStatement(this.#db.prepare(sql)));
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  rows<Row>(query: CompiledQuery<Row>, values: readonly unknown[]): Row[];
  rows({ sql }: CompiledQuery, values: readonly unknown[]): unknown[] {
    const statement = this.prepare(sql);
    const [first] = values;
    if (!(first instanceof ParameterBatch)) return statement.rows(values);
    if (statement.reader) return first.rows.flatMap((row) => statement.all(row));
    for (const row of first.rows) statement.rows(row);
    return [];
  }
}

/** Kysely needs to know whether a statement returns rows: it does if it has columns. */
class PreparedStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly reader: boolean;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  rows(values: readonly unknown[]): unknown[] {
    if (this.reader) return this.all(values);
    // Not `run`, which allocates a result object.
    translatingFaults(() => this.#statement.get(...bindableRow(values)));
    return [];
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
    throw translateFault(error);
  }
}

/** Avoids copying rows, as most can be bound unchanged. */
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
