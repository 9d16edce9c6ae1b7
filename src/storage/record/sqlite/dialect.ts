import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { AppError } from "../../../errors.ts";
import { noteCommit } from "../../data-version.ts";
import { isBusy } from "../../sqlite-faults.ts";
import { DirectAdapter, type DirectConnection } from "../direct.ts";
import { ManyRows } from "../many-rows.ts";

const STATEMENTS_MAX = 500;
const LOCK_WAIT_SECONDS_MAX = 30;
const LOCK_RETRY_MILLISECONDS = 10;

/** Kysely on a `node:sqlite` connection. The connection stays the caller's to close. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #db: DatabaseSync;
  readonly #database: SqliteDatabase;
  readonly #adapter: DirectAdapter;
  readonly #onCommit: () => void;

  constructor(db: DatabaseSync, onCommit: () => void = () => {}) {
    const statements = new Statements(db);
    const database = { close: () => {}, prepare: (sql: string) => statements.of(sql) };
    super({ database });
    this.#db = db;
    this.#database = database;
    this.#adapter = new DirectAdapter(statements);
    this.#onCommit = onCommit;
  }

  override createAdapter(): DirectAdapter {
    return this.#adapter;
  }

  override createDriver(): Driver {
    const database = this.#database;
    return new ImmediateDriver({ database }, { db: this.#db, onCommit: this.#onCommit });
  }
}

/**
 * Takes the write lock when a transaction begins: one that only read so far could not take it later
 * if another process wrote meanwhile. Waits for the lock without blocking the process.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #onCommit: () => void;

  constructor(
    config: SqliteDialectConfig,
    { db, onCommit }: { db: DatabaseSync; onCommit: () => void },
  ) {
    super(config);
    this.#begin = db.prepare("begin immediate");
    this.#commit = db.prepare("commit");
    this.#onCommit = onCommit;
  }

  override async beginTransaction(): Promise<void> {
    const attemptsMax = (LOCK_WAIT_SECONDS_MAX * 1000) / LOCK_RETRY_MILLISECONDS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.#begin.get();
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (attempt >= attemptsMax) throw lockedByOther(error);
        await sleep(LOCK_RETRY_MILLISECONDS);
      }
    }
  }

  override async commitTransaction(): Promise<void> {
    this.#commit.get();
    noteCommit();
    this.#onCommit();
  }

  /** On a full disk SQLite has undone the transaction already, and only its error is worth telling. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!isAlreadyUndone(error)) throw error;
    }
  }
}

function isAlreadyUndone(error: unknown): boolean {
  return error instanceof Error && error.message.includes("no transaction is active");
}

function lockedByOther(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `Another process has been writing to the store for ${LOCK_WAIT_SECONDS_MAX} seconds; try again when it is done`,
    { retryAfterSeconds: LOCK_WAIT_SECONDS_MAX, cause },
  );
}

/** The statements of a connection, each prepared once. */
class Statements implements DirectConnection {
  readonly #db: DatabaseSync;
  readonly #known = new Map<string, PreparedStatement>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  of(sql: string): PreparedStatement {
    const known = this.#known.get(sql);
    if (known !== undefined) return known;
    if (this.#known.size >= STATEMENTS_MAX) this.#known.clear();
    const prepared = new PreparedStatement(this.#db.prepare(sql));
    this.#known.set(sql, prepared);
    return prepared;
  }

  isInTransaction(): boolean {
    return this.#db.isTransaction;
  }

  rows<Row>(query: CompiledQuery<Row>, values: readonly unknown[]): Row[];
  rows({ sql }: CompiledQuery, values: readonly unknown[]): unknown[] {
    const statement = this.of(sql);
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
    this.#statement.get(...bindableRow(values));
    return [];
  }

  all(values: readonly unknown[]): unknown[] {
    return this.#statement.all(...bindableRow(values));
  }

  run(values: readonly unknown[]): ReturnType<SqliteStatement["run"]> {
    return this.#statement.run(...bindableRow(values));
  }

  iterate(values: readonly unknown[]): IterableIterator<unknown> {
    return this.#statement.iterate(...bindableRow(values));
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
