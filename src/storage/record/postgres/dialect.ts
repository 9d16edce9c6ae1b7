import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import type { Pool, PoolClient } from "pg";
import { noteCommit } from "../../data-version.ts";
import { ManyRows } from "../many-rows.ts";
import { away, type FaultKind, faultKind, isAway, unknownOutcome } from "./faults.ts";
import { manyAsOne } from "./many.ts";
import type { Reach } from "./reach.ts";
import { Turns } from "./turns.ts";
import { storable } from "./values.ts";

/** The lock of all writing, in every process on the database: a number nobody else will have chosen. */
const RECORD_LOCK = 4_022_250_974;
/** Below the time after which a request is given up. */
const LOCK_WAIT_SECONDS_MAX = 20;
/** Whoever stands still so long in a transaction, such as a stopped process, loses it and the lock. */
const STANDSTILL_SECONDS_MAX = 60;

/**
 * The lock comes first, in a statement of its own, so that what follows sees all that was committed
 * before. So the order of the commits is that of the numbers given on the way.
 */
const BEGIN_WRITING = [
  "begin isolation level read committed",
  `set local lock_timeout = '${LOCK_WAIT_SECONDS_MAX}s'`,
  `set local idle_in_transaction_session_timeout = '${STANDSTILL_SECONDS_MAX}s'`,
  `select pg_advisory_xact_lock(${RECORD_LOCK})`,
].join("; ");

const DISCARDED: ReadonlySet<FaultKind> = new Set(["away", "disorder"]);

export interface RecordDialectConfig {
  pool: Pool;
  reach: Reach;
  /** `write`: one transaction at a time, each with the lock of all writing from its begin. */
  use: "read" | "write";
  /** Of the pool, so that nobody waits in it. */
  connectionsMax: number;
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
  readonly #pool: Pool;
  readonly #reach: Reach;
  readonly #use: RecordDialectConfig["use"];
  readonly #max: number;
  readonly #turns: Turns;

  constructor({ pool, reach, use, connectionsMax }: RecordDialectConfig) {
    this.#pool = pool;
    this.#reach = reach;
    this.#use = use;
    this.#max = connectionsMax;
    this.#turns = new Turns(connectionsMax);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#turns.take();
    try {
      return await connect(this.#pool, this.#reach);
    } catch (error) {
      this.#turns.give();
      throw error;
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#turns.give();
    if (connection instanceof PooledConnection) connection.release();
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const begin = ["begin"];
    if (isolationLevel !== undefined) begin.push(`isolation level ${isolationLevel}`);
    if (accessMode !== undefined) begin.push(accessMode);
    const sql = this.#use === "write" ? BEGIN_WRITING : begin.join(" ");
    try {
      await connection.executeQuery(CompiledQuery.raw(sql));
    } catch (error) {
      // What began must not wait for the next user of the connection.
      if (connection instanceof PooledConnection) connection.discard();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) await connection.commit();
    noteCommit();
  }

  /** A connection that was lost has undone its transaction, and only its fault is worth telling. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof PooledConnection) await connection.rollback();
  }

  /** Waits for those at work. */
  async destroy(): Promise<void> {
    for (let turn = 0; turn < this.#max; turn += 1) await this.#turns.take();
  }
}

async function connect(pool: Pool, reach: Reach): Promise<PooledConnection> {
  const fault = reach.restingFor();
  if (fault !== null) throw away(fault);
  try {
    const client = await pool.connect();
    reach.succeeded();
    return new PooledConnection(client, reach);
  } catch (error) {
    reach.failed(error);
    throw reach.worded(error, LOCK_WAIT_SECONDS_MAX);
  }
}

class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #reach: Reach;
  #isLost = false;

  constructor(client: PoolClient, reach: Reach) {
    this.#client = client;
    this.#reach = reach;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const [sql, parameters] = statementOf(query);
    try {
      const result = await this.#client.query(sql, parameters);
      return {
        rows: result.rows ?? [],
        ...(result.rowCount === null ? {} : { numAffectedRows: BigInt(result.rowCount ?? 0) }),
      };
    } catch (error) {
      // A new one may be in order, as after a change of tables that its plans no longer fit.
      if (DISCARDED.has(faultKind(error))) this.discard();
      throw this.#reach.worded(error, LOCK_WAIT_SECONDS_MAX);
    }
  }

  async commit(): Promise<void> {
    try {
      const { command } = await this.#client.query("commit");
      if (command !== "COMMIT") throw new Error("A statement of this transaction had failed");
    } catch (error) {
      if (!isAway(error)) throw this.#reach.worded(error, LOCK_WAIT_SECONDS_MAX);
      this.discard();
      throw unknownOutcome(error);
    }
  }

  async rollback(): Promise<void> {
    if (this.#isLost) return;
    try {
      await this.#client.query("rollback");
    } catch {
      this.discard();
    }
  }

  /** Nobody is to use it again. */
  discard(): void {
    this.#isLost = true;
  }

  release(): void {
    this.#client.release(this.#isLost);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("The record is not read as a stream");
  }
}

function statementOf(query: CompiledQuery): [sql: string, parameters: unknown[]] {
  const [first] = query.parameters;
  if (first instanceof ManyRows) return manyAsOne(query, first);
  return [query.sql, query.parameters.map(storable)];
}
