import type { Log } from "../../../log.ts";
import { RepeatedFaults } from "../../../repeated-faults.ts";
import { type FaultKind, faultKind, isAway, worded } from "./faults.ts";

/** A request within this time after a failed attempt is refused at once. */
const REST_MILLISECONDS = 500;

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

  /** What to throw for an error of the database; one that an operator has to see is logged. */
  worded(error: unknown, lockWaitSeconds: number): unknown {
    const activity = ACTIVITIES[faultKind(error)];
    if (activity !== undefined) this.#repeated.met(activity, error);
    return worded(error, { lockWaitSeconds });
  }
}
