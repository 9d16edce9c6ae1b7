import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../errors.ts";

export const SEARCH_MILLISECONDS_MAX = 2000;
const FUNCTION = "reading_in_time";

/**
 * A condition that ends a query which has run too long, since SQLite as it comes with Node cannot be
 * interrupted. It looks at the clock for one row in 64: for each it would cost as much as the search.
 */
export const WITHIN_TIME_LIMIT = `((s.row & 63) <> 0 OR ${FUNCTION}())`;

/** How long one search may take. */
export class TimeLimit {
  readonly #milliseconds: number;
  #end = Number.POSITIVE_INFINITY;

  constructor(db: DatabaseSync, milliseconds: number) {
    this.#milliseconds = milliseconds;
    db.function(FUNCTION, () => {
      this.check();
      return 1;
    });
  }

  /** From then on {@link TimeLimit.check} and queries with `WITHIN_TIME_LIMIT` throw when it has taken too long. */
  start(): void {
    this.#end = performance.now() + this.#milliseconds;
  }

  /** @throws {AppError} `unavailable` */
  check(): void {
    if (performance.now() >= this.#end) throw searchTookTooLong(this.#milliseconds);
  }
}

export function searchTookTooLong(milliseconds: number): AppError {
  return new AppError(
    "unavailable",
    `The search took longer than ${milliseconds / 1000} seconds: ask for fewer or rarer words, or fewer types`,
  );
}
