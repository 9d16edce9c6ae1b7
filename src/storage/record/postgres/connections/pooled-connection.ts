import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { PoolClient, QueryResultRow } from "pg";
import { hasUnreadResultHint } from "../../batches.ts";
import {
  isDatabaseUnreachable,
  needsNewConnection,
  unknownCommitOutcomeError,
} from "./database-errors.ts";
import type { HangDetector } from "./hang-detector.ts";
import type { DatabaseReachability } from "./reach.ts";
import { StatementBatch, type StatementResult } from "./statement-batch.ts";
import { toStorableValue } from "./storable-value.ts";

/** Matches inserts that have no result to read and can therefore be pipelined. */
const PIPELINED_INSERT = /^insert into (?!.* (?:returning|on conflict) )/s;

interface ConnectionParts {
  reach: DatabaseReachability;
  watch: HangDetector;
  use: "read" | "write";
  waitMilliseconds: number;
}

/** A connection checked out of the pool. Pipelines writes. */
export class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #config: ConnectionParts;
  /** Pending answers to statements sent since the last awaited answer. */
  #unanswered: Promise<void>[] = [];
  /** The first failure since the last statement that succeeded. */
  #failure: unknown = null;
  /** Set if the commit was sent with the last statement. */
  #commit: Promise<{ command: string }> | null = null;
  #isLost = false;

  constructor(client: PoolClient, config: ConnectionParts) {
    this.#client = client;
    this.#config = config;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const [first] = query.parameters;
    if (first instanceof StatementBatch) {
      const rows = first.commits ? this.#sendLast<Row>(first) : this.#sendTogether<Row>(first);
      return { rows: await rows };
    }
    const { sql } = query;
    const parameters = query.parameters.map(toStorableValue);
    if (this.#isDeferrable(sql)) {
      this.#defer(sql, parameters);
      return { rows: [] };
    }
    const startedAt = performance.now();
    try {
      const result = await this.#config.watch.during(
        this.#client.query<Row & QueryResultRow>(sql, parameters),
      );
      this.#unanswered = [];
      // In a failed transaction, only a rollback succeeds. This success therefore shows that no failed
      // transaction is open.
      this.#failure = null;
      this.#config.reach.noteRoundTrip(performance.now() - startedAt);
      return {
        rows: result.rows ?? [],
        ...(result.rowCount === null ? {} : { numAffectedRows: BigInt(result.rowCount ?? 0) }),
      };
    } catch (error) {
      throw await this.#faultOf(error);
    }
  }

  async commit(): Promise<void> {
    if (this.#failure !== null) throw this.#translate(this.#failure);
    try {
      const { command } = await (this.#commit ?? this.#sendCommit());
      if (command !== "COMMIT") throw new Error("A statement of this transaction had failed");
    } catch (error) {
      await Promise.all(this.#unanswered);
      if (!isDatabaseUnreachable(error)) throw this.#translate(this.#failure ?? error);
      this.discard();
      throw unknownCommitOutcomeError(error);
    }
  }

  async rollback(): Promise<void> {
    if (this.#isLost) return;
    try {
      await this.#config.watch.during(this.#client.query("rollback"));
      this.#failure = null;
      this.#unanswered = [];
    } catch {
      this.discard();
    }
  }

  /** Closes the connection on release instead of returning it to the pool. */
  discard(): void {
    this.#isLost = true;
  }

  release(): void {
    this.#client.release(this.#isLost);
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("The record is not read as a stream");
  }

  /**
   * Whether a statement may be sent without awaiting its answer. True only in transactions that write,
   * because their commit reports failures that were not reported before.
   */
  #isDeferrable(sql: string): boolean {
    return this.#config.use === "write" && (PIPELINED_INSERT.test(sql) || hasUnreadResultHint(sql));
  }

  /** Sends a statement without awaiting its answer; the next awaited answer reports its failure. */
  #defer(sql: string, parameters: unknown[]): void {
    const answered = this.#config.watch.during(this.#client.query(sql, parameters)).then(
      () => {},
      (error: unknown) => {
        this.#failure ??= error;
      },
    );
    this.#unanswered.push(answered);
  }

  async #sendTogether<Row>({ statements }: StatementBatch): Promise<Row[]>;
  async #sendTogether({ statements }: StatementBatch): Promise<StatementResult[]> {
    const answers = statements.map(({ sql, parameters }) =>
      this.#config.watch.during(this.#client.query(sql, [...parameters])).then(
        ({ rows }): StatementResult => ({ rows }),
        (error: unknown): StatementResult => ({ error }),
      ),
    );
    const all = await Promise.all(answers);
    for (const answer of all) {
      if ("error" in answer && isDatabaseUnreachable(answer.error))
        throw await this.#faultOf(answer.error);
    }
    return all;
  }

  async #sendLast<Row>(batch: StatementBatch): Promise<Row[]>;
  async #sendLast({ statements: [last] }: StatementBatch): Promise<unknown[]> {
    if (last === undefined) return [];
    const answer = this.#config.watch.during(this.#client.query(last.sql, [...last.parameters]));
    this.#commit = this.#sendCommit();
    // Avoids an unhandled rejection until `commit` awaits this promise.
    this.#commit.catch(() => {});
    try {
      return (await answer).rows;
    } catch (error) {
      const fault = await this.#faultOf(error);
      throw isDatabaseUnreachable(this.#failure ?? error)
        ? unknownCommitOutcomeError(error)
        : fault;
    }
  }

  #sendCommit(): Promise<{ command: string }> {
    return this.#config.watch.during(this.#client.query("commit"));
  }

  /**
   * Returns the first failure, because later statements in a failed transaction fail only because
   * of it.
   */
  async #faultOf(error: unknown): Promise<unknown> {
    this.#failure ??= error;
    const fault = this.#failure;
    await Promise.all(this.#unanswered);
    if (needsNewConnection(fault)) this.discard();
    return this.#translate(fault);
  }

  #translate(error: unknown): unknown {
    return this.#config.reach.translate(error, this.#config.waitMilliseconds);
  }
}
