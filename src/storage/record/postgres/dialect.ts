import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type TransactionSettings,
} from "kysely";
import type { Pool } from "pg";
import { countCommit } from "../../sqlite/data-version.ts";
import { away } from "./faults.ts";
import { PooledConnection } from "./pooled-connection.ts";
import type { Reach } from "./reach.ts";
import type { Turns } from "./turns.ts";
import type { Watch } from "./watch.ts";

/** Advisory lock that serialises writers of all processes; any number that no other program uses. */
const RECORD_LOCK = 4_022_250_974;
/** A session that hangs in a transaction, such as a stopped process, loses it and the lock. */
const STANDSTILL_SECONDS_MAX = 60;
/** For locks other than that of the record, such as one an operator takes on a table. */
const TABLE_LOCK_MILLISECONDS_MAX = 1000;

/**
 * The lock comes first, in a statement of its own, so that what follows sees all that was committed
 * before. So the order of the commits is that of the numbers given on the way.
 */
function beginWriting(lockMilliseconds: number): string {
  const tableLock = Math.min(lockMilliseconds, TABLE_LOCK_MILLISECONDS_MAX);
  return [
    "begin isolation level read committed",
    `set local lock_timeout = ${lockMilliseconds}`,
    `set local idle_in_transaction_session_timeout = '${STANDSTILL_SECONDS_MAX}s'`,
    `select pg_advisory_xact_lock(${RECORD_LOCK})`,
    `set local lock_timeout = ${tableLock}`,
  ].join("; ");
}

/** A transaction that still runs when the process ends is waited for no longer. */
const CLOSE_MILLISECONDS_MAX = 10_000;

export interface RecordDialectConfig {
  pool: Pool;
  reach: Reach;
  /** `write`: one transaction at a time, each with the lock of all writing from its begin. */
  use: "read" | "write";
  watch: Watch;
  /** As many as the pool has connections for this use, so that no request waits in the pool. */
  turns: Turns;
  /** How long a request waits for its turn, and then a transaction for the lock of the record. */
  waitMilliseconds: number;
}

/** Kysely on a pool of `pg`. The pool stays the caller's to end. */
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
    const { turns, waitMilliseconds } = this.#config;
    await turns.take(waitMilliseconds);
    try {
      return await connect(this.#config);
    } catch (error) {
      turns.give();
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#config.turns.give();
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
      // Awaited even when the database is far: after a begin that failed, writes sent behind it would
      // be committed one by one.
      await connection.executeQuery(CompiledQuery.raw(sql));
    } catch (error) {
      // What began must not wait for the next user of the connection.
      if (connection instanceof PooledConnection) connection.discard();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) await connection.commit();
    countCommit();
  }

  /** A connection that was lost has undone its transaction, and only its fault is worth telling. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) await connection.rollback();
  }

  /** Waits for those at work. */
  async destroy(): Promise<void> {
    const { turns } = this.#config;
    for (let turn = 0; turn < turns.max; turn += 1) await turns.take(CLOSE_MILLISECONDS_MAX);
  }
}

async function connect(config: RecordDialectConfig): Promise<PooledConnection> {
  const { pool, reach, waitMilliseconds } = config;
  const fault = reach.restingFor();
  if (fault !== null) throw away(fault);
  try {
    const client = await pool.connect();
    reach.succeeded();
    return new PooledConnection(client, config);
  } catch (error) {
    reach.failed(error);
    throw reach.worded(error, waitMilliseconds);
  }
}
