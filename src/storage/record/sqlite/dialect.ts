import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import {
  CompiledQuery,
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
import { DirectAdapter } from "../direct.ts";
import { ManyRows } from "../many-rows.ts";

const STATEMENTS_MAX = 500;
const LOCK_WAIT_SECONDS_MAX = 30;
const LOCK_RETRY_MILLISECONDS = 10;

/** Kysely on a `node:sqlite` connection. The connection stays the caller's to close. */
export class NodeSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #adapter: DirectAdapter;
  readonly #onCommit: () => void;

  constructor(db: DatabaseSync, onCommit: () => void = () => {}) {
    const database = kyselyDatabase(db);
    super({ database });
    this.#database = database;
    this.#adapter = new DirectAdapter(() => db.isTransaction);
    this.#onCommit = onCommit;
  }

  override createAdapter(): DirectAdapter {
    return this.#adapter;
  }

  override createDriver(): Driver {
    const adapter = this.#adapter;
    return new ImmediateDriver({ database: this.#database }, { adapter, onCommit: this.#onCommit });
  }
}

/**
 * Takes the write lock when a transaction begins: one that only read so far could not take it later
 * if another process wrote meanwhile. Waits for the lock without blocking the process.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #adapter: DirectAdapter;
  readonly #onCommit: () => void;

  constructor(
    config: SqliteDialectConfig,
    { adapter, onCommit }: { adapter: DirectAdapter; onCommit: () => void },
  ) {
    super(config);
    this.#adapter = adapter;
    this.#onCommit = onCommit;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    this.#adapter.connected(connection);
    return connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const attemptsMax = (LOCK_WAIT_SECONDS_MAX * 1000) / LOCK_RETRY_MILLISECONDS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await connection.executeQuery(CompiledQuery.raw("begin immediate"));
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (attempt >= attemptsMax) throw lockedByOther(error);
        await sleep(LOCK_RETRY_MILLISECONDS);
      }
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
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

/** Kysely asks a statement whether it returns rows; `node:sqlite` tells by its columns. */
function kyselyDatabase(db: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    close: () => {},
    prepare(sql) {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= STATEMENTS_MAX) statements.clear();
      const statement = kyselyStatement(db.prepare(sql));
      statements.set(sql, statement);
      return statement;
    },
  };
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => rowsOf(parameters).flatMap((row) => statement.all(...row.map(bindable))),
    run: (parameters) => {
      const [first] = parameters;
      if (!(first instanceof ManyRows)) return statement.run(...parameters.map(bindable));
      // Not "run", which makes an object of what changed each time.
      for (const row of first.rows) statement.get(...bindableRow(row));
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function rowsOf(parameters: readonly unknown[]): readonly (readonly unknown[])[] {
  const [first] = parameters;
  return first instanceof ManyRows ? first.rows : [parameters];
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
