import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";
import { incrementCommitCount } from "../../../sqlite/data-version.ts";
import { storeClosedError } from "../../group-commit.ts";
import { databaseUnreachableError } from "./database-errors.ts";
import type { HangDetector } from "./hang-detector.ts";
import { PooledConnection } from "./pooled-connection.ts";
import type { DatabaseReachability } from "./reach.ts";
import type { Semaphore } from "./semaphore.ts";

/** Advisory lock that serialises writers of all processes. The number is arbitrary. */
const RECORD_LOCK = 4_022_250_974;
/**
 * The server ends a transaction that is idle for longer than this, for example because its process was
 * stopped. This frees its lock.
 */
const IDLE_SECONDS_MAX = 60;
/** Longest wait for locks other than the record's, such as an operator's lock on a table. */
const TABLE_LOCK_MILLISECONDS_MAX = 1000;

/**
 * Acquires the lock first, in a separate statement, so that later statements see every earlier
 * commit. Sequence numbers are therefore assigned in commit order.
 */
function beginWriting(lockMilliseconds: number): string {
  const tableLock = Math.min(lockMilliseconds, TABLE_LOCK_MILLISECONDS_MAX);
  return [
    "begin isolation level read committed",
    `set local lock_timeout = ${lockMilliseconds}`,
    `set local idle_in_transaction_session_timeout = '${IDLE_SECONDS_MAX}s'`,
    `select pg_advisory_xact_lock(${RECORD_LOCK})`,
    `set local lock_timeout = ${tableLock}`,
  ].join("; ");
}

/** Longest wait for running transactions on close. */
const CLOSE_MILLISECONDS_MAX = 10_000;

export interface RecordDialectConfig {
  pool: Pool;
  reach: DatabaseReachability;
  /**
   * `write` runs one transaction at a time. Each transaction holds the writers' advisory lock from its
   * start.
   */
  use: "read" | "write";
  watch: HangDetector;
  /**
   * One permit for each connection that can be taken from the pool for this `use`. Requests wait here
   * rather than in the pool.
   */
  permits: Semaphore;
  /**
   * Longest wait for a connection. The wait for the advisory lock, which follows, has the same limit.
   */
  waitMilliseconds: number;
}

/** Kysely dialect on a `pg` pool. The caller closes the pool. */
export class PostgresRecordDialect extends PostgresDialect {
  readonly #config: RecordDialectConfig;

  constructor(config: RecordDialectConfig) {
    super({ pool: config.pool });
    this.#config = config;
  }

  override createDriver(): Driver {
    return new PooledDriver(this.#config);
  }
}

class PooledDriver implements Driver {
  readonly #config: RecordDialectConfig;

  constructor(config: RecordDialectConfig) {
    this.#config = config;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const { permits, waitMilliseconds } = this.#config;
    await permits.take(waitMilliseconds);
    try {
      return await connect(this.#config);
    } catch (error) {
      permits.give();
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#config.permits.give();
    if (connection instanceof PooledConnection) connection.release();
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const { use, waitMilliseconds } = this.#config;
    const begin = ["begin"];
    if (isolationLevel !== undefined) begin.push(`isolation level ${isolationLevel}`);
    if (accessMode !== undefined) begin.push(accessMode);
    const sql = use === "write" ? beginWriting(waitMilliseconds) : begin.join(" ");
    try {
      // Not pipelined: if BEGIN failed, each write sent after it would commit on its own.
      await connection.executeQuery(CompiledQuery.raw(sql));
    } catch (error) {
      // The transaction may have begun, so the connection must not be reused.
      if (connection instanceof PooledConnection) connection.discard();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) await connection.commit();
    incrementCommitCount();
  }

  /**
   * Throws no error. If the connection is lost, the server rolls back by itself, and the original error
   * matters more.
   */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) await connection.rollback();
  }

  /** Waits until the connections in use are released. */
  async destroy(): Promise<void> {
    const { permits } = this.#config;
    for (let permit = 0; permit < permits.max; permit += 1)
      await permits.take(CLOSE_MILLISECONDS_MAX);
  }
}

async function connect(config: RecordDialectConfig): Promise<PooledConnection> {
  const { pool, reach, waitMilliseconds } = config;
  if (pool.ending) throw storeClosedError();
  const fault = reach.backoffError();
  if (fault !== null) throw databaseUnreachableError(fault);
  try {
    const client = await pool.connect();
    reach.succeeded();
    return new PooledConnection(client, config);
  } catch (error) {
    reach.failed(error);
    throw reach.translate(error, waitMilliseconds);
  }
}
