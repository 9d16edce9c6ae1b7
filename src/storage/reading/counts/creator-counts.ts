import type { CreatorCount, CreatorQuery } from "../../../content/lists/creators.ts";
import { numberOf, rowInListSql, textOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { LISTED_ITEM_COLUMNS, requireRowHash } from "../hashed-rows.ts";
import type { PublishedItems } from "../items.ts";
import { authorTallyName } from "../values.ts";

/**
 * Counts by author, highest first. Among equal counts, the author of the best item comes first. The scores
 * of items are looked up only for authors whose count is high enough.
 */
const SELECT_AUTHOR_COUNTS = `SELECT type, name, value, items, hash FROM reading_tally t
  WHERE type = ?1 AND name = ?2 AND items >= coalesce((
    SELECT items FROM reading_tally WHERE type = ?1 AND name = ?2
    ORDER BY items DESC LIMIT 1 OFFSET +?5 - 1), 0)
  ORDER BY items DESC, (
    SELECT min(score) FROM reading_link
    WHERE target = ?3 AND relation = ?4 AND source_type = ?1 AND author = t.value), value
  LIMIT +?5`;

const GROWTH = 8;

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
  const name = authorTallyName(relation, target);
  // Each query reads more rows than the one before, so that a few queries suffice even if many creators are
  // unpublished.
  for (let size = limit; ; size *= GROWTH) {
    const rows = sql.withArrayRows(SELECT_AUTHOR_COUNTS).all(type, name, target, relation, size);
    const counts = rows.map((row) => {
      requireRowHash(row, 4, "reading_tally");
      return { author: numberOf(row, 2), items: numberOf(row, 3) };
    });
    const found = counts.length === 0 ? [] : withNames(sql, counts);
    if (found.length >= limit || counts.length < size) return found.slice(0, limit);
  }
}

interface AuthorCount {
  /** Row of the author. */
  author: number;
  items: number;
}

/**
 * Adds the names of creators. Does not read their summaries, which include links and texts and
 * would take five times as long.
 */
function withNames(sql: StatementCache, counts: readonly AuthorCount[]): CreatorCount[] {
  const { test, parameter } = rowInListSql(
    "row",
    counts.map(({ author }) => author),
  );
  const published = new Map(
    sql
      .withArrayRows(`${SELECT_LISTED} WHERE ${test}`)
      .all(parameter)
      .map((item) => [numberOf(item, ROW), item]),
  );
  return counts.flatMap(({ author, items: count }) => {
    const item = published.get(author);
    if (item === undefined) return [];
    requireRowHash(item, LISTED_ITEM_COLUMNS.length, "reading_item");
    return [{ path: textOf(item, PATH), title: textOf(item, TITLE), count }];
  });
}
