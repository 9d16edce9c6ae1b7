import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { ReadingChange } from "../../../reading/writing/changes.ts";
import { busy, storeClosed } from "../../group-commit.ts";
import type { RecordTables } from "../../tables.ts";
import {
  type Statement,
  type StatementResult,
  sendTogether,
} from "../connections/statement-batch.ts";
import type { Attempt } from "./outside-lock.ts";

const ATTEMPTS_MAX = 3;
const TOGETHER_MAX = 50;
/** Longest wait for a transaction: callers get an answer within three seconds, transaction included. */
const WAIT_MILLISECONDS_MAX = 1500;

/**
 * Outcome of an attempt. `stale`: its reads are outdated, so it is repeated. `failed`: the change must run in
 * a transaction instead.
 */
type AttemptOutcome = "applied" | "stale" | "failed";

interface Waiting {
  attempt: Attempt<unknown>;
  since: number;
  isSettled: boolean;
  settle(fate: AttemptOutcome): void;
  refuse(error: unknown): void;
}

interface OptimisticChangesOptions {
  transact(
    change: (db: Kysely<RecordTables>) => Promise<readonly Waiting[]>,
  ): Promise<{ result: readonly Waiting[]; shown(): Promise<void> }>;
  /** Adds to the public changes of the current transaction. */
  include(changes: readonly ReadingChange[]): void;
}

/**
 * Optimistic changes for a distant database. Each change first runs without the advisory lock. Then the
 * changes of many callers are checked and written together, which holds the lock for a few round trips
 * in all instead of several per change.
 */
export class OptimisticChanges {
  readonly #options: OptimisticChangesOptions;
  #waiting: Waiting[] = [];
  #work: Promise<void> | null = null;
  readonly #showing = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: OptimisticChangesOptions) {
    this.#options = options;
  }

  /**
   * Runs a change by `attempt`, or else by `inTransaction`. `attempt` may run repeatedly, and both may run for
   * one change, so they must not have effects outside the record.
   */
  async run<T>(
    attempt: () => Promise<Attempt<T> | null>,
    inTransaction: () => Promise<T>,
  ): Promise<T> {
    const since = performance.now();
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const made = await attempt();
      if (made === null) break;
      const fate = await this.#apply(made, since);
      if (fate === "failed") break;
      if (fate === "stale") continue;
      if ("error" in made.outcome) throw made.outcome.error;
      return made.outcome.result;
    }
    return await inTransaction();
  }

  /** Refuses further changes. Resolves when the queue is empty. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
    await Promise.all(this.#showing);
  }

  async #apply(attempt: Attempt<unknown>, since: number): Promise<AttemptOutcome> {
    if (this.#isClosed) throw storeClosed();
    const { promise, resolve: settle, reject: refuse } = Promise.withResolvers<AttemptOutcome>();
    this.#waiting.push({ attempt, since, isSettled: false, settle, refuse });
    this.#work ??= this.#applyAll();
    return await promise;
  }

  async #applyAll(): Promise<void> {
    await nextTurn();
    while (this.#waiting.length > 0) await this.#applySome();
    this.#work = null;
  }

  async #applySome(): Promise<void> {
    const oldest = performance.now() - WAIT_MILLISECONDS_MAX;
    const late = this.#waiting.filter(({ since }) => since < oldest);
    for (const { refuse } of late) refuse(busy());
    const timely = this.#waiting.filter((waiting) => !late.includes(waiting));
    this.#waiting = timely.slice(TOGETHER_MAX);
    const together = timely.slice(0, TOGETHER_MAX);
    if (together.length === 0) return;
    try {
      const { result: applied, shown } = await this.#options.transact((db) =>
        this.#within(db, together),
      );
      const undone = together.filter((waiting) => !applied.includes(waiting));
      this.#waiting.unshift(...undone.filter(({ isSettled }) => !isSettled));
      const showing = shown().then(() => {
        for (const { settle } of applied) settle("applied");
        this.#showing.delete(showing);
      });
      this.#showing.add(showing);
    } catch (error) {
      for (const { refuse } of together) refuse(error);
    }
  }

  /**
   * Applies attempts up to the first that is stale or failed. Settles all that are stale or failed and
   * leaves the rest for the next transaction.
   */
  async #within(
    db: Kysely<RecordTables>,
    together: readonly Waiting[],
  ): Promise<readonly Waiting[]> {
    const parts = together.map(({ attempt }, at) => statementsOf(attempt, at));
    const answers = await sendTogether(db, parts.flat());
    let from = 0;
    const fates = together.map(({ attempt }, at) => {
      const to = from + (parts[at]?.length ?? 0);
      const fate = attemptOutcome(attempt, answers.slice(from, to));
      from = to;
      return fate;
    });
    const failing = fates.findIndex((fate) => fate !== "applied");
    const applied = failing === -1 ? together : together.slice(0, failing);
    if (failing !== -1) await sql.raw(`rollback to attempt_${failing}`).execute(db);
    for (const { attempt } of applied) this.#options.include(attempt.changes);
    together.forEach((waiting, at) => {
      const fate = fates[at] ?? "stale";
      if (fate === "applied") return;
      waiting.isSettled = true;
      waiting.settle(fate);
    });
    return applied;
  }
}

function statementsOf({ steps }: Attempt<unknown>, at: number): Statement[] {
  return [{ sql: `savepoint attempt_${at}`, parameters: [] }, ...steps];
}

/** Compares the answers with the steps. The first answer is that of the savepoint. */
function attemptOutcome(
  { steps }: Attempt<unknown>,
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
