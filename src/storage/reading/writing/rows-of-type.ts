import { numberOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";

/** Yields the rows of the published items of a type, in ascending order, at most `limit` at a time. */
export function* readRowBatchesOfType(
  sql: StatementCache,
  type: string,
  limit: number,
): Generator<number[]> {
  const next = sql.of(
    `SELECT row FROM reading_item INDEXED BY reading_item_type
     WHERE type = ? AND row > ? ORDER BY row LIMIT ${limit}`,
  );
  for (let after = 0; ; ) {
    const rows = next.all(type, after).map((found) => numberOf(found, "row"));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
    yield rows;
  }
}
