import { type Kysely, sql } from "kysely";
import type { Status } from "../../content/items/item.ts";
import type { TypeCount } from "../../content/record.ts";
import { reportRecordDamage } from "../sqlite/damage.ts";
import type { RecordTables } from "./tables.ts";

/** Number of items of one type, status and language. */
interface ItemCount extends TypeCount {
  language: string;
}

/**
 * A stored count. `less` is the negated count, to detect damage. In the row for all items, the
 * columns `type`, `status` and `language` are empty.
 */
interface CountRow extends Omit<ItemCount, "status"> {
  status: Status | "";
  name: string;
  less: number;
}

/**
 * SQL that returns the names of wrong counts. A count is wrong if it is damaged or differs from the
 * number of items. Both engines can run this SQL.
 */
export const WRONG_COUNTS_SQL = `
  SELECT type || ' ' || status || ' ' || language AS name FROM item_counts c FULL JOIN (
    SELECT type, status, language, count(*) AS items FROM items GROUP BY type, status, language
    UNION ALL SELECT '', '', '', count(*) FROM items
  ) found USING (type, status, language)
  WHERE c.items IS DISTINCT FROM found.items OR c.items + c.less <> 0
  OR c.name IS DISTINCT FROM type || ' ' || status || ' ' || language`;

/**
 * Selects the items to count. An empty list matches every type or status. Without a language, items in
 * every language match.
 */
export interface ItemCountFilter {
  types: readonly string[];
  statuses: readonly Status[];
  language?: string;
}

/**
 * Returns a number of items, computed from the stored counts.
 * @throws {DamageError} if the counts are damaged.
 */
export async function countItems(
  db: Kysely<RecordTables>,
  { types, statuses, language }: ItemCountFilter,
): Promise<number> {
  const counts = await itemCounts(db);
  return sumOf(
    counts.filter(
      (count) =>
        (types.length === 0 || types.includes(count.type)) &&
        (statuses.length === 0 || statuses.includes(count.status)) &&
        (language === undefined || count.language === language),
    ),
  );
}

/** @throws {DamageError} if the counts are damaged. */
export async function countItemsByTypeAndStatus(db: Kysely<RecordTables>): Promise<TypeCount[]> {
  const counts = await itemCounts(db);
  const kinds = Map.groupBy(counts, ({ type, status }) => `${type} ${status}`);
  return [...kinds.values()].flatMap((sameKind) =>
    sameKind.slice(0, 1).map(({ type, status }) => ({ type, status, items: sumOf(sameKind) })),
  );
}

/**
 * Reads the stored counts of items, which are kept current by triggers. Each row stores its count
 * twice, and one row stores the sum of the others. Damage to a count is therefore always detected.
 */
async function itemCounts(db: Kysely<RecordTables>): Promise<ItemCount[]> {
  const { rows } = await sql<CountRow>`
    select type, status, language, name, items, less from item_counts`.execute(db);
  for (const row of rows) if (!isWhole(row)) throw reportRecordDamage("item_counts", nameOf(row));
  const counts = rows.flatMap(({ type, status, language, items }) =>
    status === "" ? [] : [{ type, status, language, items }],
  );
  const all = rows.find(({ status }) => status === "")?.items;
  if (all !== sumOf(counts)) throw reportRecordDamage("item_counts", null);
  return counts.filter(({ items }) => items > 0);
}

function isWhole(row: CountRow): boolean {
  return row.name === nameOf(row) && row.items + row.less === 0 && row.items >= 0;
}

function nameOf({
  type,
  status,
  language,
}: Pick<CountRow, "type" | "status" | "language">): string {
  return `${type} ${status} ${language}`;
}

function sumOf(counts: readonly { items: number }[]): number {
  return counts.reduce((sum, { items }) => sum + items, 0);
}
