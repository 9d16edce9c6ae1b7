import type { CreatorCount, CreatorQuery } from "../../../content/lists/creators.ts";
import { numberOf, type Row, rowInListSql, textOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { LISTED_ITEM_COLUMNS, requireRowHash } from "../hashed-rows.ts";
import type { PublishedItems } from "../items.ts";

/** This query reads only the index of links by author. */
const COUNT_BY_CREATOR = `SELECT author, count(*) AS items FROM reading_link
  WHERE target = ? AND relation = ? AND source_type = ? AND author IS NOT NULL
  GROUP BY author ORDER BY items DESC, min(score), author LIMIT +? OFFSET +?`;

const BATCH_GROWTH = 8;

const SELECT_LISTED = `SELECT ${LISTED_ITEM_COLUMNS.join()}, listed_hash FROM reading_item`;
const [ROW, PATH, TITLE] = [
  0,
  LISTED_ITEM_COLUMNS.indexOf("path"),
  LISTED_ITEM_COLUMNS.indexOf("title"),
];

/** Counts the items of each creator that link to the item at `targetPath`. Omits unpublished creators. */
export function countItemsByCreator(
  { sql, items }: { sql: StatementCache; items: PublishedItems },
  { targetPath, relation, type, limit }: CreatorQuery,
): CreatorCount[] {
  const target = items.rowAt(targetPath);
  if (target === null) return [];
  const found: CreatorCount[] = [];
  // Batches grow, so that a few queries suffice even if many creators are unpublished.
  for (let offset = 0, size = limit; ; offset += size, size *= BATCH_GROWTH) {
    const counts = sql.withArrayRows(COUNT_BY_CREATOR).all(target, relation, type, size, offset);
    if (counts.length > 0) found.push(...withNames(sql, counts));
    if (found.length >= limit || counts.length < size) return found.slice(0, limit);
  }
}

/**
 * Adds the names of creators. Does not read their summaries, which include links and texts and
 * would take five times as long.
 */
function withNames(sql: StatementCache, counts: readonly Row[]): CreatorCount[] {
  const { test, parameter } = rowInListSql(
    "row",
    counts.map((count) => numberOf(count, 0)),
  );
  const items = new Map(
    sql
      .withArrayRows(`${SELECT_LISTED} WHERE ${test}`)
      .all(parameter)
      .map((item) => [numberOf(item, ROW), item]),
  );
  return counts.flatMap((count) => {
    const item = items.get(numberOf(count, 0));
    if (item === undefined) return [];
    requireRowHash(item, LISTED_ITEM_COLUMNS.length, "reading_item");
    return [{ path: textOf(item, PATH), title: textOf(item, TITLE), count: numberOf(count, 1) }];
  });
}
