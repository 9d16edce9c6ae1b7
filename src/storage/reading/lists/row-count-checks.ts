import type { ItemSummary, ListQuery } from "../../../content/library.ts";
import type { ContentType, ContentTypes } from "../../../content/types/content-type.ts";
import { numberOf } from "../../sqlite/columns.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { linkCountName } from "../counts/counted-views.ts";
import { requireRowHash, wrongRowError } from "../hashed-rows.ts";
import type { ListCondition } from "./conditions.ts";
import type { TypeSelection } from "./list-rows.ts";

/**
 * Compares the number of rows that an index returned for a condition with the stored count, which a
 * hash protects. Rows lost or moved in a damaged index leave no other trace.
 *
 * @throws {DamageError} if the numbers differ.
 */
export function requireStoredRowCount(
  { sql, types }: { sql: StatementCache; types: ContentTypes },
  { type, condition }: { type: ContentType; condition: ListCondition },
  { rows, atMost = Infinity }: { rows: number; atMost?: number },
): void {
  const { tally, link } = condition;
  const expected = tally
    ? tallyTotal(sql, tally)
    : link
      ? linkTotal({ sql, types }, type, link)
      : null;
  if (expected === null || rows === Math.min(atMost, expected)) return;
  const key = link === undefined ? type.name : `${link.target} ${link.relation}`;
  throw wrongRowError(link === undefined ? "reading_value" : "reading_link", key);
}

/**
 * Compares the number of rows on a page with the total. The two may come from different indexes, so
 * a page that is too short shows that an index has lost rows.
 *
 * @param rows includes one more than the page shows, if there is a next page.
 * @throws {DamageError} if the page is too short.
 */
export function requireWholePage(
  { after, offset = 0, limit, sort }: ListQuery,
  { rows, total }: { rows: number; total: number },
): void {
  // Accepts every page after a cursor, because the number of remaining items is unknown.
  if (after !== undefined || rows >= Math.min(limit + 1, total - offset)) return;
  throw wrongRowError("reading_value", sort);
}

/**
 * Checks that the items of a list have the type and links of the list, because a damaged index can
 * list wrong items.
 */
export function requireMatchingItems(
  items: readonly ItemSummary[],
  selections: readonly TypeSelection[],
): void {
  const stray = items.find((item) => !selections.some((selection) => belongsTo(item, selection)));
  if (stray !== undefined) throw wrongRowError("reading_link", stray.path);
}

function belongsTo({ type, links }: ItemSummary, selection: TypeSelection): boolean {
  return (
    type === selection.type.name &&
    selection.conditions.every(({ link }) => {
      const linked = link === undefined ? undefined : links[link.relation];
      return linked === undefined || linked.some(({ path }) => path === link?.path);
    })
  );
}

function tallyTotal(
  sql: StatementCache,
  { text, parameters }: NonNullable<ListCondition["tally"]>,
): number {
  let items = 0;
  for (const row of sql.withArrayRows(text).all(...parameters)) {
    requireRowHash(row, 4, "reading_tally");
    items += numberOf(row, 3);
  }
  return items;
}

/** Returns the stored count of links to a target; null if no count covers exactly these links. */
function linkTotal(
  { sql, types }: { sql: StatementCache; types: ContentTypes },
  type: ContentType,
  { target, relation }: NonNullable<ListCondition["link"]>,
): number | null {
  const name = linkCountName(types, type, relation);
  if (name === null) return null;
  const stored = sql
    .withArrayRows(
      "SELECT type, name, value, row, hash FROM reading_value WHERE row = ? AND name = ?",
    )
    .get(target, name);
  if (stored === undefined) throw wrongRowError("reading_value", `${target} ${name}`);
  requireRowHash(stored, 4, "reading_value");
  return 0 - numberOf(stored, 2);
}

/** Returns the number of published items by type name. Omits types without items. */
export function countPublishedItemsByType(sql: StatementCache): ReadonlyMap<string, number> {
  const rows = sql.withArrayRows("SELECT type, items, hash FROM reading_count").all();
  return new Map(
    rows.map((row) => {
      requireRowHash(row, 2, "reading_count");
      return [String(row[0]), Number(row[1])];
    }),
  );
}
