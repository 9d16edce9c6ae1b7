import type { Log } from "../../../log.ts";
import { RepeatedFaults } from "../../../repeated-faults.ts";
import { faultKind, isAway, worded } from "./faults.ts";
import type { FaultKind } from "./sqlstates.ts";

/** A request within this time after a failed attempt is refused at once. */
const REST_MILLISECONDS = 500;

/** Below it, holding the lock for one change after the other costs little. */
const FAR_MILLISECONDS = 8;
const ANSWERS_COMPARED = 32;

/** Log lines for faults of a database that can be reached. */
const ACTIVITIES: Readonly<Partial<Record<FaultKind, string>>> = {
  disorder: "The database is not in order: pages go on, changes are refused",
  full: "The disk of the database is full: pages go on, changes are refused",
  locked: "Another session keeps a lock in the database: pages go on, changes are refused",
  cancelled: "The database gives up statements that take too long",
};

/**
 * What all connections of a process know of the state of the database: while it cannot be reached, only
 * one request in a while waits for an attempt to connect, and each kind of fault is logged once.
 */
export class Reach {
  readonly #log: Log | null;
  readonly #repeated: RepeatedFaults;
  #fault: unknown = null;
  #resting: unknown = null;
  #restsUntil = 0;
  #fastest = Number.POSITIVE_INFINITY;
  #fastestBefore = Number.POSITIVE_INFINITY;
  #answers = 0;

  constructor(log: Log | null) {
    this.#log = log;
    this.#repeated = new RepeatedFaults(log);
  }

  /** Why the last attempt to connect failed, if that was a moment ago. */
  restingFor(): unknown {
    return performance.now() < this.#restsUntil ? this.#resting : null;
  }

  /** Call after every failed attempt to connect. */
  failed(error: unknown): void {
    if (!isAway(error)) return;
    this.#resting = error;
    this.#restsUntil = performance.now() + REST_MILLISECONDS;
    if (this.#fault === null) {
      this.#log?.error(
        { error },
        "The database cannot be reached: pages go on, changes are refused",
      );
    }
    this.#fault = error;
  }

  succeeded(): void {
    this.#restsUntil = 0;
    if (this.#fault === null) return;
    this.#fault = null;
    this.#log?.info("The database is back");
  }

  /** Call with the time of each answer. */
  took(milliseconds: number): void {
    this.#fastest = Math.min(this.#fastest, milliseconds);
    this.#answers += 1;
    if (this.#answers < ANSWERS_COMPARED) return;
    this.#fastestBefore = this.#fastest;
    this.#fastest = Number.POSITIVE_INFINITY;
    this.#answers = 0;
  }

  /** Does even the fastest of the latest answers take long, as over a long way? */
  isFar(): boolean {
    const fastest = Math.min(this.#fastest, this.#fastestBefore);
    return fastest >= FAR_MILLISECONDS && fastest < Number.POSITIVE_INFINITY;
  }

  /** What to throw for an error of the database; one that an operator has to see is logged. */
  worded(error: unknown, waitMilliseconds: number): unknown {
    const activity = ACTIVITIES[faultKind(error)];
    if (activity !== undefined) this.#repeated.failed(activity, error);
    return worded(error, { lockWaitSeconds: Math.ceil(waitMilliseconds / 1000) });
  }
}
