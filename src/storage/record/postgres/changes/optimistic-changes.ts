import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { ReadingChange } from "../../../reading/writing/changes.ts";
import { queueTimeoutError, storeClosedError } from "../../group-commit.ts";
import type { RecordTables } from "../../tables.ts";
import {
  pipelineStatements,
  type Statement,
  type StatementResult,
} from "../connections/statement-batch.ts";
import type { ChangeAttempt } from "./outside-lock.ts";

const ATTEMPTS_MAX = 3;
const BATCH_ATTEMPTS_MAX = 50;
/**
 * Longest wait for a transaction. Callers must get an answer within three seconds, including the time of
 * the transaction.
 */
const WAIT_MILLISECONDS_MAX = 1500;

/**
 * Outcome of an attempt. `stale`: its reads are outdated, so the attempt is repeated. `failed`: the
 * change must run in a transaction instead.
 */
type AttemptOutcome = "applied" | "stale" | "failed";

interface QueuedAttempt {
  attempt: ChangeAttempt<unknown>;
  since: number;
  isSettled: boolean;
  settle(outcome: AttemptOutcome): void;
  refuse(error: unknown): void;
}

interface OptimisticChangesOptions {
  transact(
    change: (db: Kysely<RecordTables>) => Promise<readonly QueuedAttempt[]>,
  ): Promise<{ result: readonly QueuedAttempt[]; untilAnswerable(): Promise<void> }>;
  /** Adds the public changes of an attempt to those of the current transaction. */
  include(changes: readonly ReadingChange[]): void;
}

/**
 * Optimistic changes for a distant database. Each change first runs without the advisory lock. The
 * changes of many callers are then checked and written together. The lock is therefore held for a few
 * round trips in all, instead of several per change.
 */
export class OptimisticChangeRunner {
  readonly #options: OptimisticChangesOptions;
  #queue: QueuedAttempt[] = [];
  #work: Promise<void> | null = null;
  readonly #awaitingVisibility = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: OptimisticChangesOptions) {
    this.#options = options;
  }

  /**
   * Runs a change with `attempt`. If no attempt can be applied, runs the change with `inTransaction`.
   * `attempt` can run several times, and `inTransaction` can run after it, so neither function is allowed
   * to have effects outside the record.
   */
  async run<T>(
    attempt: () => Promise<ChangeAttempt<T> | null>,
    inTransaction: () => Promise<T>,
  ): Promise<T> {
    const since = performance.now();
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const attempted = await attempt();
      if (attempted === null) break;
      const outcome = await this.#apply(attempted, since);
      if (outcome === "failed") break;
      if (outcome === "stale") continue;
      if ("error" in attempted.outcome) throw attempted.outcome.error;
      return attempted.outcome.result;
    }
    return await inTransaction();
  }

  /**
   * Refuses further changes. Resolves when the queue is empty and all callers have their answer.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
    await Promise.all(this.#awaitingVisibility);
  }

  async #apply(attempt: ChangeAttempt<unknown>, since: number): Promise<AttemptOutcome> {
    if (this.#isClosed) throw storeClosedError();
    const { promise, resolve: settle, reject: refuse } = Promise.withResolvers<AttemptOutcome>();
    this.#queue.push({ attempt, since, isSettled: false, settle, refuse });
    this.#work ??= this.#applyAll();
    return await promise;
  }

  async #applyAll(): Promise<void> {
    await nextTurn();
    while (this.#queue.length > 0) await this.#applyBatch();
    this.#work = null;
  }

  async #applyBatch(): Promise<void> {
    this.#refuseExpired();
    if (this.#queue.length === 0) return;
    let batch: readonly QueuedAttempt[] = [];
    try {
      const { result: applied, untilAnswerable } = await this.#options.transact(async (db) => {
        // Selects the batch only now, because more attempts arrive during the round trip that
        // begins the transaction.
        this.#refuseExpired();
        batch = this.#queue.splice(0, BATCH_ATTEMPTS_MAX);
        return await this.#applyInTransaction(db, batch);
      });
      const undone = batch.filter((queued) => !applied.includes(queued));
      this.#queue.unshift(...undone.filter(({ isSettled }) => !isSettled));
      const untilVisible = untilAnswerable().then(() => {
        for (const { settle } of applied) settle("applied");
        this.#awaitingVisibility.delete(untilVisible);
      });
      this.#awaitingVisibility.add(untilVisible);
    } catch (error) {
      const failed = batch.length === 0 ? this.#queue.splice(0) : batch;
      for (const { refuse } of failed) refuse(error);
    }
  }

  #refuseExpired(): void {
    const oldest = performance.now() - WAIT_MILLISECONDS_MAX;
    for (const { since, refuse } of this.#queue) if (since < oldest) refuse(queueTimeoutError());
    this.#queue = this.#queue.filter(({ since }) => since >= oldest);
  }

  /**
   * Applies the attempts that precede the first stale or failed attempt, and returns them. Settles all
   * stale and failed attempts. The remaining attempts wait for the next transaction.
   */
  async #applyInTransaction(
    db: Kysely<RecordTables>,
    batch: readonly QueuedAttempt[],
  ): Promise<readonly QueuedAttempt[]> {
    const parts = batch.map(({ attempt }, at) => statementsOf(attempt, at));
    const answers = await pipelineStatements(db, parts.flat());
    let from = 0;
    const outcomes = batch.map(({ attempt }, at) => {
      const to = from + (parts[at]?.length ?? 0);
      const outcome = attemptOutcome(attempt, answers.slice(from, to));
      from = to;
      return outcome;
    });
    const failing = outcomes.findIndex((outcome) => outcome !== "applied");
    const applied = failing === -1 ? batch : batch.slice(0, failing);
    if (failing !== -1) await sql.raw(`rollback to attempt_${failing}`).execute(db);
    for (const { attempt } of applied) this.#options.include(attempt.changes);
    batch.forEach((queued, at) => {
      const outcome = outcomes[at] ?? "stale";
      if (outcome === "applied") return;
      queued.isSettled = true;
      queued.settle(outcome);
    });
    return applied;
  }
}

function statementsOf({ steps }: ChangeAttempt<unknown>, at: number): Statement[] {
  return [{ sql: `savepoint attempt_${at}`, parameters: [] }, ...steps];
}

/**
 * Compares the rows that the steps read now with the rows that they read in the attempt. The first
 * answer belongs to the savepoint statement, not to a step.
 */
function attemptOutcome(
  { steps }: ChangeAttempt<unknown>,
  answers: readonly StatementResult[],
): AttemptOutcome {
  let hasWritten = false;
  for (const [at, step] of steps.entries()) {
    const answer = answers[at + 1];
    if (answer === undefined || "error" in answer) return hasWritten ? "failed" : "stale";
    if (step.kind === "write") hasWritten = true;
    else if (JSON.stringify(answer.rows) !== step.rows) return hasWritten ? "failed" : "stale";
  }
  return "applied";
}
