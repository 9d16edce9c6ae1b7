import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresDialect,
  type QueryResult,
} from "kysely";
import { AppError } from "../../../../errors.ts";
import type { ReadingChange } from "../../../reading/writing/changes.ts";
import { hasUnreadResultHint } from "../../batches.ts";
import type { RecordTables } from "../../tables.ts";
import type { PipelinedReader } from "../connections/pipelined-reader.ts";
import type { Statement } from "../connections/statement-batch.ts";
import { toStorableValue } from "../connections/storable-value.ts";

const RETURNS_ROWS = / returning |on conflict/;
/**
 * Matches writes to the settings. They need a transaction, because settings are also cached in
 * memory.
 */
const SETTINGS_WRITE = /^(?:insert into|update|delete from) "settings"/;

interface Read extends Statement {
  kind: "read";
  /** The rows as JSON, for comparison. */
  rows: string;
}

interface Write extends Statement {
  kind: "write";
}

/**
 * The outcome of a change, with its steps in order. The steps are the reads of committed data and the
 * writes that the change would make.
 */
export interface ChangeAttempt<T> {
  /** In order of execution. */
  steps: readonly (Read | Write)[];
  changes: readonly ReadingChange[];
  outcome: { result: T } | { error: AppError };
}

/**
 * Runs a change without the advisory lock, and records its writes instead of sending them. To apply
 * the change, all steps are repeated in order under the lock. The writes are valid only if the
 * reads return the same rows again.
 * @returns null if the change can only run in a transaction.
 */
export async function attemptChangeOutsideLock<T>(
  reader: PipelinedReader,
  change: (db: Kysely<RecordTables>) => Promise<{ result: T; changes: readonly ReadingChange[] }>,
): Promise<ChangeAttempt<T> | null> {
  const recording = new RecordingConnection(reader);
  const db = new Kysely<RecordTables>({ dialect: new RecordingDialect(recording) });
  try {
    const { result, changes } = await change(db);
    if (!recording.isReplayable) return null;
    return { steps: recording.steps, changes, outcome: { result } };
  } catch (error) {
    if (!recording.isReplayable || !(error instanceof AppError)) return null;
    if (error.code === "unavailable") throw error;
    // In a transaction, the change sees its own writes and may succeed, so the caller runs it there.
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
  isReplayable = true;
  hasReadAfterWriting = false;

  constructor(reader: PipelinedReader) {
    this.#reader = reader;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { sql } = query;
    const parameters = query.parameters.map(toStorableValue);
    if (sql.startsWith("select ")) return await this.#read<Row>({ sql, parameters });
    const isPlain = hasUnreadResultHint(sql) || sql.startsWith("insert into ");
    if (!isPlain || RETURNS_ROWS.test(sql) || SETTINGS_WRITE.test(sql)) this.#giveUp();
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
    this.isReplayable = false;
    throw new Error("This change needs a transaction");
  }
}
