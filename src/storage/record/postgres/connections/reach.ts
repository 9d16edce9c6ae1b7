import type { Log } from "../../../../log.ts";
import { RepeatedErrorLogger } from "../../../../repeated-error-logger.ts";
import {
  classifyDatabaseError,
  isDatabaseUnreachable,
  translateDatabaseError,
} from "./database-errors.ts";
import type { DatabaseErrorKind } from "./sqlstates.ts";

/** Back-off: requests fail immediately for this long after a failed attempt to connect. */
const BACKOFF_MILLISECONDS = 500;

/**
 * If a round trip takes at least this long, changes are first tried without the advisory lock. If
 * round trips are shorter, each change holds the lock only briefly.
 */
const FAR_MILLISECONDS = 8;
const ANSWERS_COMPARED = 32;

/** Log messages for faults of a reachable database. */
const MESSAGES_BY_FAULT: Readonly<Partial<Record<DatabaseErrorKind, string>>> = {
  disorder: "The database is not in order: pages go on, changes are refused",
  full: "The disk of the database is full: pages go on, changes are refused",
  locked: "Another session keeps a lock in the database: pages go on, changes are refused",
  cancelled: "The database gives up statements that take too long",
};

/**
 * Reachability of the database, shared by all connections of a process. While the database is
 * unreachable, requests fail fast between attempts to connect. Each kind of fault is logged once.
 */
export class DatabaseReachability {
  readonly #log: Log | null;
  readonly #repeated: RepeatedErrorLogger;
  #fault: unknown = null;
  #lastError: unknown = null;
  #backoffUntil = 0;
  #fastest = Number.POSITIVE_INFINITY;
  #fastestBefore = Number.POSITIVE_INFINITY;
  #answers = 0;

  constructor(log: Log | null) {
    this.#log = log;
    this.#repeated = new RepeatedErrorLogger(log);
  }

  /** The last connection error during back-off; otherwise null. */
  backoffError(): unknown {
    return performance.now() < this.#backoffUntil ? this.#lastError : null;
  }

  /** Call with every failure. Failures of a reachable server are ignored. */
  failed(error: unknown): void {
    if (!isDatabaseUnreachable(error)) return;
    this.#lastError = error;
    this.#backoffUntil = performance.now() + BACKOFF_MILLISECONDS;
    if (this.#fault === null) {
      this.#log?.error(
        { error },
        "The database cannot be reached: pages go on, changes are refused",
      );
    }
    this.#fault = error;
  }

  succeeded(): void {
    this.#backoffUntil = 0;
    if (this.#fault === null) return;
    this.#fault = null;
    this.#log?.info("The database is back");
  }

  /** Call with the round-trip time of each answer. */
  noteRoundTrip(milliseconds: number): void {
    this.#fastest = Math.min(this.#fastest, milliseconds);
    this.#answers += 1;
    if (this.#answers < ANSWERS_COMPARED) return;
    this.#fastestBefore = this.#fastest;
    this.#fastest = Number.POSITIVE_INFINITY;
    this.#answers = 0;
  }

  /**
   * Whether even the fastest recent answer was slow. If so, the network is slow, not only a statement.
   */
  isFar(): boolean {
    const fastest = Math.min(this.#fastest, this.#fastestBefore);
    return fastest >= FAR_MILLISECONDS && fastest < Number.POSITIVE_INFINITY;
  }

  /** Returns the error to throw for a database error. Logs errors that need the operator. */
  translate(error: unknown, waitMilliseconds: number): unknown {
    const message = MESSAGES_BY_FAULT[classifyDatabaseError(error)];
    if (message !== undefined) this.#repeated.failed(message, error);
    return translateDatabaseError(error, { lockWaitSeconds: Math.ceil(waitMilliseconds / 1000) });
  }
}
