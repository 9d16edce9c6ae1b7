import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Kysely } from "kysely";
import { AppError } from "../../../errors.ts";
import { incrementCommitCount } from "../../sqlite/data-version.ts";
import { isBusyError, translateSqliteError } from "../../sqlite/sqlite-errors.ts";
import { storeClosedError } from "../group-commit.ts";
import type { RecordTables } from "../tables.ts";
import { NodeSqliteDialect } from "./dialect.ts";
import type { WalCheckpointer } from "./wal-checkpointer.ts";
import type { WalSync } from "./wal-sync.ts";

const LOCK_WAIT_SECONDS_MAX = 30;
const LOCK_RETRY_MILLISECONDS = 10;

interface TransactionsOptions {
  /** Absent: SQLite checkpoints its log itself. */
  checkpointer?: Pick<WalCheckpointer, "untilShort" | "committed">;
  /** Syncs commits to disk; absent: SQLite does so itself. */
  log?: Pick<WalSync, "sync" | "requireNoFailure">;
}

/** A committed change: readers see it, but a power cut can undo it until `untilDurable` resolves. */
interface Committed<T> {
  result: T;
  untilDurable: () => Promise<void>;
}

/**
 * Runs transactions one at a time on the write connection. Kysely's own transactions take twice as long,
 * because each creates an executor and a connection provider.
 */
export class TransactionRunner {
  readonly #db: DatabaseSync;
  readonly #transactionDb: Kysely<RecordTables>;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #checkpointer: TransactionsOptions["checkpointer"];
  readonly #log: TransactionsOptions["log"];
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** The caller closes the connection. */
  constructor(db: DatabaseSync, { checkpointer, log }: TransactionsOptions = {}) {
    this.#db = db;
    this.#transactionDb = new Kysely({
      dialect: new NodeSqliteDialect(db, () => db.isTransaction),
    });
    this.#begin = db.prepare("begin immediate");
    this.#commit = db.prepare("commit");
    this.#rollback = db.prepare("rollback");
    this.#checkpointer = checkpointer;
    this.#log = log;
  }

  /** Resolves when the change is durable. `db` must not be used after the transaction has ended. */
  async run<T>(change: (db: Kysely<RecordTables>) => Promise<T>): Promise<T> {
    const { result, untilDurable } = await this.commit(change);
    await untilDurable();
    return result;
  }

  /** Resolves before the change is durable, so that the next transaction can begin. */
  commit<T>(change: (db: Kysely<RecordTables>) => Promise<T>): Promise<Committed<T>> {
    const turn = this.#last.then(() => this.#transaction(change));
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves when pending transactions have ended; later ones throw. */
  async close(): Promise<void> {
    await this.#last;
    this.#isClosed = true;
    await this.#transactionDb.destroy();
  }

  async #transaction<T>(change: (db: Kysely<RecordTables>) => Promise<T>): Promise<Committed<T>> {
    if (this.#isClosed) throw storeClosedError();
    this.#log?.requireNoFailure();
    try {
      await this.#checkpointer?.untilShort();
      await this.#takeLock();
      const result = await change(this.#transactionDb);
      this.#commit.get();
      incrementCommitCount();
      this.#checkpointer?.committed();
      return { result, untilDurable: this.#startSync() };
    } catch (error) {
      // On a full disk SQLite has already rolled back.
      if (this.#db.isTransaction) this.#rollback.get();
      throw translateSqliteError(error);
    }
  }

  #startSync(): () => Promise<void> {
    const synced = this.#log?.sync() ?? Promise.resolve();
    // Avoids an unhandled rejection; callers of the returned function get the error.
    synced.catch(() => {});
    return () => synced;
  }

  /**
   * Begins a transaction with the write lock, and waits for the lock without blocking the process. A
   * transaction that began with a read lock could not write if another process had written meanwhile.
   */
  async #takeLock(): Promise<void> {
    const deadline = performance.now() + LOCK_WAIT_SECONDS_MAX * 1000;
    for (;;) {
      try {
        this.#begin.get();
        return;
      } catch (error) {
        if (!isBusyError(error)) throw error;
        if (performance.now() >= deadline) throw lockedByOther(error);
        await sleep(LOCK_RETRY_MILLISECONDS);
      }
    }
  }
}

function lockedByOther(cause: unknown): AppError {
  return new AppError(
    "unavailable",
    {
      en: `Another process has been writing to the store for ${LOCK_WAIT_SECONDS_MAX} seconds; try again when it is done`,
      de: `Ein anderes Programm schreibt seit ${LOCK_WAIT_SECONDS_MAX} Sekunden in die Datenbank: Versuchen Sie es wieder, wenn es fertig ist`,
    },
    { retryAfterSeconds: LOCK_WAIT_SECONDS_MAX, cause },
  );
}
