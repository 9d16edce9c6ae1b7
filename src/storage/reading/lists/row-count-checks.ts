import type { ItemSummary, ListQuery } from "../../../content/library.ts";
import type { ContentType } from "../../../content/types/content-type.ts";
import { numberOf } from "../../sqlite/columns.ts";
import type { DamageError } from "../../sqlite/damage.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { requireRowHash, wrongRowError } from "../hashed-rows.ts";
import { type ListCondition, tallyQueryOf } from "./conditions.ts";
import type { TypeSelection } from "./list-sources.ts";

interface SelectedItems {
  type: ContentType;
  conditions: readonly ListCondition[];
}

/**
 * Requires that the number of rows returned by an index equals the stored count. A hash protects the stored
 * count. No other check detects rows that a damaged index has lost or moved.
 *
 * @throws {DamageError} if the numbers differ.
 */
export function requireStoredRowCount(
  sql: StatementCache,
  selected: SelectedItems,
  { rows, atMost = Infinity }: { rows: number; atMost?: number },
): void {
  const expected = readStoredRowCount(sql, selected);
  if (expected === null || rows === Math.min(atMost, expected)) return;
  throw wrongCountError(selected);
}

/** The error for an index that returned more or fewer rows than the stored count says. */
export function wrongCountError({ type, conditions }: SelectedItems): DamageError {
  const link = conditions.find((condition) => condition.link !== undefined)?.link;
  return link === undefined
    ? wrongRowError("reading_value", type.name)
    : wrongRowError("reading_link", `${link.target} ${link.relation}`);
}

/** Returns the stored number of items that match all conditions; null if none is stored. */
export function readStoredRowCount(
  sql: StatementCache,
  { type, conditions }: SelectedItems,
): number | null {
  const tally = tallyQueryOf(type, conditions);
  if (tally === null) return null;
  let items = 0;
  for (const row of sql.withArrayRows(tally.text).all(...tally.parameters)) {
    requireRowHash(row, 4, "reading_tally");
    items += numberOf(row, 3);
  }
  return items;
}

/**
 * Compares the number of rows on a page with the total. The two can come from different indexes, so a page
 * that is too short shows that an index has lost rows.
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

/** Returns the number of published items of each type, keyed by type name. Omits types without items. */
export function countPublishedItemsByType(sql: StatementCache): ReadonlyMap<string, number> {
  const rows = sql.withArrayRows("SELECT type, items, hash FROM reading_count").all();
  return new Map(
    rows.map((row) => {
      requireRowHash(row, 2, "reading_count");
      return [String(row[0]), Number(row[1])];
    }),
  );
}
