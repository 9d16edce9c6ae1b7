import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { translateFault } from "../../sqlite/sqlite-faults.ts";
import { DirectAdapter, type DirectConnection } from "../direct.ts";
import { ManyRows } from "../many-rows.ts";

const STATEMENTS_MAX = 500;

/** Kysely on a `node:sqlite` connection, which stays the caller's to close; so do its transactions. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #statements: Statements;

  /** `mayUse` is asked before each query. */
  constructor(db: DatabaseSync, mayUse: () => boolean = () => true) {
    const statements = new Statements(db, mayUse);
    super({ database: statements });
    this.#statements = statements;
  }

  override createAdapter(): DirectAdapter {
    return new DirectAdapter(this.#statements);
  }
}

/** The statements of a connection, each prepared once. */
class Statements implements DirectConnection, SqliteDatabase {
  readonly #db: DatabaseSync;
  readonly #mayUse: () => boolean;
  readonly #known = new Map<string, PreparedStatement>();

  constructor(db: DatabaseSync, mayUse: () => boolean) {
    this.#db = db;
    this.#mayUse = mayUse;
  }

  close(): void {}

  /** @throws when the transaction it is for has ended. */
  prepare(sql: string): PreparedStatement {
    if (!this.#mayUse()) throw new Error("The transaction has ended");
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    if (this.#known.size >= STATEMENTS_MAX) this.#known.clear();
    const prepared = worded(() => new PreparedStatement(this.#db.prepare(sql)));
    this.#known.set(sql, prepared);
    return prepared;
  }

  rows<Row>(query: CompiledQuery<Row>, values: readonly unknown[]): Row[];
  rows({ sql }: CompiledQuery, values: readonly unknown[]): unknown[] {
    const statement = this.prepare(sql);
    const [first] = values;
    if (!(first instanceof ManyRows)) return statement.rows(values);
    if (statement.reader) return first.rows.flatMap((row) => statement.all(row));
    for (const row of first.rows) statement.rows(row);
    return [];
  }
}

/** Kysely asks a statement whether it returns rows; `node:sqlite` tells by its columns. */
class PreparedStatement implements SqliteStatement {
  readonly #statement: StatementSync;
  readonly reader: boolean;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
  }

  rows(values: readonly unknown[]): unknown[] {
    if (this.reader) return this.all(values);
    // Not "run", which makes an object of what changed each time.
    worded(() => this.#statement.get(...bindableRow(values)));
    return [];
  }

  all(values: readonly unknown[]): unknown[] {
    return worded(() => this.#statement.all(...bindableRow(values)));
  }

  run(values: readonly unknown[]): ReturnType<SqliteStatement["run"]> {
    return worded(() => this.#statement.run(...bindableRow(values)));
  }

  iterate(values: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...bindableRow(values));
  }
}

/** @throws {AppError} `unavailable` for what the machine or another process causes. */
function worded<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw translateFault(error);
  }
}

/** Most rows of a load can be bound as they are, and a list for each would be thrown away. */
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
