import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type QueryResult,
} from "kysely";
import { AppError } from "../../../errors.ts";
import type { ReadingChange } from "../../reading/writing/changes.ts";
import { ParameterBatch } from "../batch-queries.ts";
import type { RecordTables } from "../tables.ts";
import type { PipelinedReader } from "./pipelined-reader.ts";
import { statementOf } from "./pooled-connection.ts";
import type { Statement } from "./statement-batch.ts";

const RETURNS = / returning |on conflict/;
/** The process keeps them in memory as well. */
const KEPT_IN_MEMORY = /^(?:insert into|update|delete from) "settings"/;
/** All attempts compile for the same engine, so that queries compiled once are found again. */
const ADAPTER = new PostgresAdapter();

interface Read extends Statement {
  kind: "read";
  /** As JSON, to be compared. */
  rows: string;
}

interface Write extends Statement {
  kind: "write";
}

/** What a change read of what is committed and what it would write, and what it comes to. */
export interface Attempt<T> {
  /** In their order. */
  steps: readonly (Read | Write)[];
  changes: readonly ReadingChange[];
  outcome: { result: T } | { error: AppError };
}

/**
 * Runs a change without the lock of the record, and writes nothing. If all that it read is so under the
 * lock, each at its place among the writes, then these are what it would have written there.
 *
 * @returns null: it cannot be known outside a transaction what the change would do.
 */
export async function attemptOutside<T>(
  reader: PipelinedReader,
  change: (db: Kysely<RecordTables>) => Promise<{ result: T; changes: readonly ReadingChange[] }>,
): Promise<Attempt<T> | null> {
  const recording = new RecordingConnection(reader);
  const db = new Kysely<RecordTables>({ dialect: new RecordingDialect(recording) });
  try {
    const { result, changes } = await change(db);
    if (!recording.isForeseeable) return null;
    return { steps: recording.steps, changes, outcome: { result } };
  } catch (error) {
    if (!recording.isForeseeable || !(error instanceof AppError)) return null;
    if (error.code === "unavailable") throw error;
    // In a transaction it would have read its own writes, and might not have failed.
    if (recording.hasReadAfterWriting) return null;
    const steps = recording.steps.filter(({ kind }) => kind === "read");
    return { steps, changes: [], outcome: { error } };
  }
}

class RecordingDialect extends PostgresDialect {
  readonly #recording: RecordingConnection;

  constructor(recording: RecordingConnection) {
    super({ pool: async () => Promise.reject(new Error("An attempt has no pool")) });
    this.#recording = recording;
  }

  override createAdapter(): PostgresAdapter {
    return ADAPTER;
  }

  override createDriver(): Driver {
    const none = async () => {};
    return {
      init: none,
      acquireConnection: async () => this.#recording,
      beginTransaction: none,
      commitTransaction: none,
      rollbackTransaction: none,
      releaseConnection: none,
      destroy: none,
    };
  }
}

class RecordingConnection implements DatabaseConnection {
  readonly #reader: PipelinedReader;
  readonly steps: (Read | Write)[] = [];
  isForeseeable = true;
  hasReadAfterWriting = false;

  constructor(reader: PipelinedReader) {
    this.#reader = reader;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const [sql, parameters] = statementOf(query);
    if (sql.startsWith("select ")) return await this.#read<Row>({ sql, parameters });
    const isPlain = query.parameters[0] instanceof ParameterBatch || sql.startsWith("insert into ");
    if (!isPlain || RETURNS.test(sql) || KEPT_IN_MEMORY.test(sql)) this.#giveUp();
    this.steps.push({ kind: "write", sql, parameters });
    return { rows: [] };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    return this.#giveUp();
  }

  async #read<Row>(statement: Statement): Promise<QueryResult<Row>>;
  async #read({ sql, parameters }: Statement): Promise<QueryResult<unknown>> {
    const step: Read = { kind: "read", sql, parameters, rows: "" };
    this.hasReadAfterWriting ||= this.steps.some(({ kind }) => kind === "write");
    this.steps.push(step);
    const rows = await this.#reader.read(step);
    step.rows = JSON.stringify(rows);
    return { rows };
  }

  #giveUp(): never {
    this.isForeseeable = false;
    throw new Error("This change needs a transaction");
  }
}
