import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../errors.ts";

export const SEARCH_MILLISECONDS_MAX = 2000;
const LIMIT_FUNCTION = "reading_in_time";

/**
 * An SQL condition that aborts a query after its time limit, because `node:sqlite` cannot interrupt a
 * query. Reads the clock for only one row in 64, because reading the clock for every row would cost as
 * much as the search.
 */
export const TIME_LIMIT_SQL_CONDITION = `((s.row & 63) <> 0 OR ${LIMIT_FUNCTION}())`;

/** Limits how long a search may take. */
export class TimeLimit {
  readonly #milliseconds: number;
  #deadline = Number.POSITIVE_INFINITY;

  constructor(db: DatabaseSync, milliseconds: number) {
    this.#milliseconds = milliseconds;
    db.function(LIMIT_FUNCTION, () => {
      this.check();
      return 1;
    });
  }

  /**
   * Starts the clock. Once the limit has passed, {@link TimeLimit.check} and queries with
   * {@link TIME_LIMIT_SQL_CONDITION} throw.
   */
  start(): void {
    this.#deadline = performance.now() + this.#milliseconds;
  }

  /** @throws {AppError} `unavailable` once the limit has passed. */
  check(): void {
    if (performance.now() >= this.#deadline) throw searchTimeoutError(this.#milliseconds);
  }
}

export function searchTimeoutError(milliseconds: number): AppError {
  return new AppError("unavailable", {
    en: `The search took longer than ${milliseconds / 1000} seconds: ask for fewer or rarer words, or fewer types`,
    de: `Die Suche dauerte länger als ${milliseconds / 1000} Sekunden: Nehmen Sie weniger oder seltenere Wörter, oder weniger Typen`,
  });
}
