import type { Log } from "../../../log.ts";
import { isAway } from "./faults.ts";

/** Whoever asks within this time is told at once that the database is away. */
const REST_MILLISECONDS = 500;

/**
 * What all connections of a process know of whether the database can be reached: while it cannot, not
 * everybody waits for an attempt of their own, and the log tells of it once.
 */
export class Reach {
  readonly #log: Log | null;
  #fault: unknown = null;
  #resting: unknown = null;
  #restsUntil = 0;

  constructor(log: Log | null) {
    this.#log = log;
  }

  /** Why the last attempt to connect failed, if that was a moment ago. */
  restingFor(): unknown {
    return performance.now() < this.#restsUntil ? this.#resting : null;
  }

  /** To be told of every failed attempt to connect. */
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
}
