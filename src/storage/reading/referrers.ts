import { numberOf, textOf } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";

const STEP_ROWS = 500;

/**
 * Yields, in batches, the rows of published items that link to this item. A row occurs twice if its
 * item has two links.
 */
export function* readRowBatchesLinkingTo(sql: StatementCache, row: number): Generator<number[]> {
  const next = sql.of(
    `SELECT relation, source_type, source FROM reading_link
     WHERE target = ? AND (relation, source_type, source) > (?, ?, ?)
     ORDER BY relation, source_type, source LIMIT ${STEP_ROWS}`,
  );
  let [relation, type, source] = ["", "", 0];
  for (;;) {
    const found = next.all(row, relation, type, source);
    const last = found.at(-1);
    if (last === undefined) return;
    yield found.map((link) => numberOf(link, "source"));
    [relation, type, source] = [
      textOf(last, "relation"),
      textOf(last, "source_type"),
      numberOf(last, "source"),
    ];
  }
}
