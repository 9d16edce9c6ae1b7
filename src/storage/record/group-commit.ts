import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import { AppError } from "../../errors.ts";
import { translateSqliteError } from "../sqlite/sqlite-errors.ts";
import type { RecordTables } from "./tables.ts";

const CHANGES_MAX = 100;
/**
 * Longest wait in the queue. Callers must get an answer within three seconds, including the time of the
 * transaction.
 */
const WAIT_MILLISECONDS_MAX = 1500;
const RETRY_SECONDS = 2;

/** A change in the queue. */
interface QueuedChange {
  /**
   * Runs the change.
   * @returns a function that resolves the caller's promise.
   */
  apply(db: Kysely<RecordTables>): Promise<() => void>;
  reject(error: unknown): void;
  /** Timer that rejects the change if it is still queued. */
  deadline: NodeJS.Timeout;
}

interface GroupCommitOptions {
  /** How long a transaction accepts further changes, in milliseconds. */
  millisecondsMax: number;
  /**
   * Runs a transaction. `untilAnswerable` resolves once callers are allowed to get their answer, and
   * rejects if the commit was possibly lost.
   */
  transact(
    change: (db: Kysely<RecordTables>) => Promise<void>,
  ): Promise<{ untilAnswerable(): Promise<void> }>;
  /** Whether the transaction is still open. SQLite rolls back by itself when the disk is full. */
  isInTransaction(): boolean;
  /** Remembers the state that is kept in memory. @returns a function that restores it. */
  mark(): () => void;
}

/** Thrown when an earlier change in the group has made the transaction fail. */
class EarlierChangeFailed extends Error {}

/**
 * Commits changes in one transaction if they are requested at about the same time, because the sync
 * to disk costs more than most changes. If a change fails, only that change rolls back, to its
 * savepoint. Callers get their results only once the transaction is durable.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  #queue: QueuedChange[] = [];
  #work: Promise<void> | null = null;
  readonly #notifying = new Set<Promise<void>>();
  #isClosed = false;

  constructor(options: GroupCommitOptions) {
    this.#options = options;
  }

  run<T>(change: (db: Kysely<RecordTables>) => Promise<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(storeClosedError());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const apply = async (db: Kysely<RecordTables>) => {
      const result = await change(db);
      return () => resolve(result);
    };
    const queued = {
      apply,
      reject,
      deadline: setTimeout(() => this.#expire(queued), WAIT_MILLISECONDS_MAX),
    };
    this.#queue.push(queued);
    this.#work ??= this.#drain();
    return promise;
  }

  /**
   * Refuses further changes. Resolves when the queue is empty and all callers have their answer.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#work;
    await Promise.all(this.#notifying);
  }

  async #drain(): Promise<void> {
    await nextTurn();
    while (this.#queue.length > 0) await this.#transaction();
    this.#work = null;
  }

  async #transaction(): Promise<void> {
    const applied: { change: QueuedChange; resolve: () => void }[] = [];
    let current: QueuedChange | undefined;
    const before = new Set(this.#queue);
    try {
      const { untilAnswerable } = await this.#options.transact(async (db) => {
        const end = performance.now() + this.#options.millisecondsMax;
        while (applied.length < CHANGES_MAX && performance.now() < end) {
          current = this.#queue.shift();
          if (current === undefined) return;
          clearTimeout(current.deadline);
          const resolve =
            applied.length === 0 ? await current.apply(db) : await this.#savepoint(db, current);
          if (resolve !== null) applied.push({ change: current, resolve });
          current = undefined;
        }
      });
      this.#notify(applied, untilAnswerable());
    } catch (error) {
      const failed = applied.map(({ change }) => change);
      if (current !== undefined && error instanceof EarlierChangeFailed) {
        this.#queue.unshift(current);
      } else if (current !== undefined) failed.push(current);
      // If no change failed, the transaction could not begin. In this case, the changes that were
      // queued before its start are refused. Later changes wait for the next transaction.
      const refused = failed.length > 0 ? failed : this.#queue.filter((each) => before.has(each));
      if (failed.length === 0) this.#queue = this.#queue.filter((each) => !before.has(each));
      for (const { reject, deadline } of refused) {
        clearTimeout(deadline);
        reject(error instanceof EarlierChangeFailed ? error.cause : error);
      }
    }
  }

  #expire(queued: QueuedChange): void {
    const at = this.#queue.indexOf(queued);
    if (at === -1) return;
    this.#queue.splice(at, 1);
    queued.reject(queueTimeoutError());
  }

  /** Sends results to callers in the background, so that the next transaction can start. */
  #notify(
    applied: readonly { change: QueuedChange; resolve: () => void }[],
    untilAnswerable: Promise<void>,
  ): void {
    const notifying = untilAnswerable
      .then(
        () => {
          for (const { resolve } of applied) resolve();
        },
        (error) => {
          for (const { change } of applied) change.reject(error);
        },
      )
      .then(() => {
        this.#notifying.delete(notifying);
      });
    this.#notifying.add(notifying);
  }

  /** Applies a change in a savepoint. @returns null when it failed and was rolled back. */
  async #savepoint(
    db: Kysely<RecordTables>,
    { apply, reject }: QueuedChange,
  ): Promise<(() => void) | null> {
    const undo = this.#options.mark();
    try {
      await sql`savepoint part`.execute(db);
    } catch (error) {
      throw new EarlierChangeFailed("A change before this one failed", { cause: error });
    }
    try {
      const resolve = await apply(db);
      await sql`release part`.execute(db);
      return resolve;
    } catch (error) {
      if (!this.#options.isInTransaction()) throw error;
      await sql`rollback to part`.execute(db);
      await sql`release part`.execute(db);
      reject(translateSqliteError(error));
      undo();
      return null;
    }
  }
}

/** The error for a change that waited too long in the queue. */
export function queueTimeoutError(): AppError {
  return new AppError(
    "unavailable",
    {
      en: `The store is busy: nothing was changed; try again in ${RETRY_SECONDS} seconds`,
      de: `Gerade wird zu viel gespeichert, und es wurde nichts geändert: Versuchen Sie es in ${RETRY_SECONDS} Sekunden noch einmal`,
    },
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

/** The error for changes that arrive after closing has begun. */
export function storeClosedError(): AppError {
  return new AppError(
    "unavailable",
    {
      en: `The service is stopping: nothing was changed; try again in ${RETRY_SECONDS} seconds`,
      de: `Der Dienst wird gerade angehalten, und es wurde nichts geändert: Versuchen Sie es in ${RETRY_SECONDS} Sekunden noch einmal`,
    },
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

/**
 * The error for changes that are rolled back because another change in their group failed. A
 * savepoint cannot undo a flush of the projection, so after a flush the whole group is rolled back.
 */
export function groupRolledBackError(): AppError {
  return new AppError(
    "unavailable",
    {
      en: "Nothing was changed, because another change in the same transaction failed; repeat the request",
      de: "Es wurde nichts geändert, weil eine gleichzeitige Änderung fehlschlug: Versuchen Sie es noch einmal",
    },
    { retryAfterSeconds: 1 },
  );
}
