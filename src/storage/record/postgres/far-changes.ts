import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { ReadingChange } from "../../reading/writing/changes.ts";
import { busy } from "../group-commit.ts";
import type { RecordTables } from "../tables.ts";
import type { Attempt } from "./outside-lock.ts";
import { type Answer, type Statement, sendTogether } from "./statement-batch.ts";

const ATTEMPTS_MAX = 3;
const TOGETHER_MAX = 50;
/** A caller hears within three seconds, of which the transaction itself may take some. */
const WAIT_MILLISECONDS_MAX = 1500;

/** What became of an attempt: done, not so any more, or in need of a transaction of its own. */
type Fate = "applied" | "stale" | "failed";

interface Waiting {
  attempt: Attempt<unknown>;
  since: number;
  isSettled: boolean;
  settle(fate: Fate): void;
  refuse(error: unknown): void;
}

interface FarChangesOptions {
  transact(
    change: (db: Kysely<RecordTables>) => Promise<readonly Waiting[]>,
  ): Promise<{ result: readonly Waiting[]; shown(): Promise<void> }>;
  /** Adds to what the transaction under way changes for the public. */
  include(changes: readonly ReadingChange[]): void;
}

/**
 * Changes of a record that is far away. Each runs outside the lock of the record first; then those of
 * many callers are checked and written together, so that the lock is held for a few ways to the server
 * and not for some of each change.
 */
export class FarChanges {
  readonly #options: FarChangesOptions;
  #waiting: Waiting[] = [];
  #work: Promise<void> | null = null;
  readonly #showing = new Set<Promise<void>>();

  constructor(options: FarChangesOptions) {
    this.#options = options;
  }

  /** Neither function may have another effect than on the record, as both may run more than once. */
  async run<T>(attempt: () => Promise<Attempt<T> | null>, plainly: () => Promise<T>): Promise<T> {
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
    return await plainly();
  }

  /** Resolves when nothing waits any more. */
  async ended(): Promise<void> {
    await this.#work;
    await Promise.all(this.#showing);
  }

  async #apply(attempt: Attempt<unknown>, since: number): Promise<Fate> {
    const { promise, resolve: settle, reject: refuse } = Promise.withResolvers<Fate>();
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
   * Applies them up to the first whose reads are not so any more, or whose writes fail. That one and
   * others like it are settled; those that could still be applied are left for the next transaction.
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
      const fate = fateOf(attempt, answers.slice(from, to));
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

/** The first answer is that of the savepoint. */
function fateOf({ steps }: Attempt<unknown>, answers: readonly Answer[]): Fate {
  let hasWritten = false;
  for (const [at, step] of steps.entries()) {
    const answer = answers[at + 1];
    if (answer === undefined || "error" in answer) return hasWritten ? "failed" : "stale";
    if (step.kind === "write") hasWritten = true;
    else if (JSON.stringify(answer.rows) !== step.rows) return hasWritten ? "failed" : "stale";
  }
  return "applied";
}
