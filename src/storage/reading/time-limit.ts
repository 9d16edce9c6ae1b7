import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../errors.ts";

const FUNCTION = "reading_in_time";

/**
 * A condition that ends a query which has run too long, since SQLite as it comes with Node cannot be
 * interrupted. It looks at the clock for one row in 64: for each it would cost as much as the search.
 */
export const IN_TIME = `((s.row & 63) <> 0 OR ${FUNCTION}())`;

/** How long the queries of one search may run together. */
export class TimeLimit {
  readonly #milliseconds: number;
  #end = Number.POSITIVE_INFINITY;

  constructor(db: DatabaseSync, milliseconds: number) {
    this.#milliseconds = milliseconds;
    db.function(FUNCTION, () => {
      if (performance.now() < this.#end) return 1;
      throw new AppError(
        "unavailable",
        `The search took longer than ${milliseconds / 1000} seconds: ask for fewer or rarer words, or fewer types`,
      );
    });
  }

  /** @throws {AppError} `unavailable` out of the first query with `IN_TIME` that goes on for too long. */
  start(): void {
    this.#end = performance.now() + this.#milliseconds;
  }
}
