import type { ContentType } from "../../../content/types/content-type.ts";
import { numberOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import type { ListCondition } from "../lists/conditions.ts";
import { requireStoredRowCount } from "../lists/row-count-checks.ts";

/**
 * Limit on the rows that are collected and sorted. If there are more rows, reading items in the
 * requested order and testing each item is cheaper.
 */
export const COLLECTED_ROWS_MAX = 2000;
const SIZES_MAX = 1000;

/**
 * Counts the rows of conditions. Caches the counts, because many lists share a condition, such as a
 * language. Counting the rows of a condition takes longer than reading the rest of a list.
 */
export class ConditionRowCounts {
  readonly #sql: StatementCache;
  /** Row counts, keyed by condition. Cleared on every change of published content. */
  readonly #known = new Map<string, number>();

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  forget(): void {
    this.#known.clear();
  }

  /** Counts the rows of a condition. Stops counting at one more than {@link COLLECTED_ROWS_MAX}. */
  of(type: ContentType, condition: ListCondition): number {
    const { rows: query, rowsParameters } = condition;
    const key = JSON.stringify([query, rowsParameters]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const text = `SELECT count(*) AS n FROM (${query} LIMIT ${COLLECTED_ROWS_MAX + 1})`;
    const rows = numberOf(this.#sql.of(text).get(...rowsParameters) ?? {}, "n");
    const found = { rows, atMost: COLLECTED_ROWS_MAX + 1 };
    requireStoredRowCount(this.#sql, { type, conditions: [condition] }, found);
    if (this.#known.size >= SIZES_MAX) this.#known.clear();
    this.#known.set(key, rows);
    return rows;
  }
}
