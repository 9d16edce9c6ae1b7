import { formatPartialDate } from "../content/items/partial-date.ts";
import type { ItemSummary, SearchQuery } from "../content/library.ts";
import type { GroupCount, GroupCounts, GroupingProperty } from "../content/lists/group-counts.ts";

import type { FieldKind } from "../content/types/content-type.ts";
import type { PublishedItems } from "../storage/reading/items.ts";
import type { SqlParameter } from "../storage/reading/lists/conditions.ts";
import { MISSING_VALUE } from "../storage/reading/values.ts";
import { numberOf, type Row } from "../storage/sqlite/columns.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import { TIME_LIMIT_SQL_CONDITION } from "./time-limit.ts";

/** Limit on the number of matches that are counted. Only the best matches are counted. */
const COUNTED_MAX = 5000;

/** An SQL query that returns the `row` of each item to count, without duplicates. */
export interface ItemRowsQuery {
  text: string;
  parameters: readonly SqlParameter[];
}

/**
 * An SQL query that returns a row for each value of each counted item. The column `key` has the value to
 * group by, and the column `row` identifies the item.
 */
interface GroupKeys {
  text: string;
  parameters: readonly SqlParameter[];
}

/**
 * Groups the items that a search finds, and counts each group. Items are grouped by the items to which
 * a relation links them, or by the values of a field or a column.
 */
export class GroupCounter {
  readonly #sql: StatementCache;
  readonly #items: PublishedItems;

  constructor(sql: StatementCache, items: PublishedItems) {
    this.#sql = sql;
    this.#items = items;
  }

  /**
   * The matches to read: those of the requested page or, if the query asks for counts, all matches up
   * to {@link COUNTED_MAX}.
   */
  range({ countBy, offset, limit }: SearchQuery): Pick<SearchQuery, "offset" | "limit"> {
    return countBy === undefined ? { offset, limit } : { offset: 0, limit: COUNTED_MAX };
  }

  /** The matches to list; empty if the query asks for counts instead. */
  listed<Ranked>(best: readonly Ranked[], { countBy, offset, limit }: SearchQuery): Ranked[] {
    return countBy === undefined ? best.slice(offset, offset + limit) : [];
  }

  /** Counts the groups of ranked matches; null if the query asks for no counts. */
  countRanked(best: readonly { row: number }[], query: SearchQuery): GroupCounts | null {
    const rows = best.slice(0, COUNTED_MAX).map(({ row }) => row);
    const text = "SELECT value AS row FROM json_each(?)";
    return this.count({ text, parameters: [JSON.stringify(rows)] }, query);
  }

  /** Counts the groups of rows, largest first; null if the query asks for no counts. */
  count(counted: ItemRowsQuery, { countBy: by, offset, limit }: SearchQuery): GroupCounts | null {
    if (by === undefined) return null;
    const { text, parameters } = groupKeys(by);
    const [totals, ...groups] = this.#sql
      .of(
        `WITH counted AS MATERIALIZED (${counted.text}), keyed AS MATERIALIZED (${text})
         SELECT NULL AS key, NULL AS row, (SELECT count(*) FROM counted) AS n,
           (SELECT count(DISTINCT key) FROM keyed) AS groups,
           (SELECT count(DISTINCT row) FROM keyed) AS grouped
         UNION ALL SELECT * FROM (SELECT key, min(row), count(*) AS n, 0, 0 FROM keyed
           GROUP BY key ORDER BY n DESC, key LIMIT +? OFFSET +?)`,
      )
      .all(...counted.parameters, ...parameters, limit, offset);
    const items = numberOf(totals ?? {}, "n");
    return {
      items,
      groups: numberOf(totals ?? {}, "groups"),
      without: items - numberOf(totals ?? {}, "grouped"),
      counts: groups.flatMap((row) => this.#groupOf(row, by)),
    };
  }

  #groupOf(found: Row, by: GroupingProperty): GroupCount[] {
    const count = numberOf(found, "n");
    const key = found["key"] ?? "";
    if (by.kind === "relation") {
      const [item] = this.#items.summaries([Number(key)]);
      return item === undefined ? [] : [{ name: item.title, path: item.path, count }];
    }
    const [item] = this.#items.summaries([numberOf(found, "row")]);
    return [{ name: shownValue(key, by, item), path: null, count }];
  }
}

/**
 * Returns the SQL query for the keys of the groups. The query reads the rows to count from the common
 * table expression `counted`.
 */
function groupKeys(by: GroupingProperty): GroupKeys {
  switch (by.kind) {
    case "relation": {
      const directions = by.isSymmetric ? (["out", "in"] as const) : [by.direction];
      const ends = directions.map((direction) => linkedItems(by, direction));
      return {
        // Counts a link that both items state only once.
        text: ends.map(({ text }) => text).join(" UNION "),
        parameters: ends.flatMap(({ parameters }) => parameters),
      };
    }
    case "field":
      return {
        text: `SELECT v.value AS key, s.row AS row FROM counted s
          CROSS JOIN reading_value v ON v.row = s.row AND v.name = ? AND v.value < ?
          WHERE ${TIME_LIMIT_SQL_CONDITION}`,
        parameters: [by.field, MISSING_VALUE],
      };
    case "own":
      return {
        text: `SELECT i.${by.column} AS key, s.row AS row FROM counted s
          CROSS JOIN reading_item i ON i.row = s.row WHERE ${TIME_LIMIT_SQL_CONDITION}`,
        parameters: [],
      };
  }
}

/**
 * The items that the counted items link to or, for the direction `in`, the items that link to the counted
 * items.
 */
function linkedItems(
  { relation, otherType }: Extract<GroupingProperty, { kind: "relation" }>,
  direction: "out" | "in",
): GroupKeys {
  const [ownColumn, otherColumn] =
    direction === "out" ? ["source", "target"] : ["target", "source"];
  const typeCondition = direction === "out" ? "" : " AND l.source_type = ?";
  return {
    text: `SELECT l.${otherColumn} AS key, s.row AS row FROM counted s
      CROSS JOIN reading_link l ON l.${ownColumn} = s.row AND l.relation = ?${typeCondition}
      WHERE ${TIME_LIMIT_SQL_CONDITION}
      AND EXISTS (SELECT 1 FROM reading_item i WHERE i.row = l.${otherColumn})`,
    parameters: [relation, ...(direction === "out" ? [] : [otherType])],
  };
}

/**
 * The name to show for a group. Text keys are folded, so the name is the original value of one item of
 * the group. If that item has several values, the name is the folded key.
 */
function shownValue(
  key: string | number | bigint | Uint8Array,
  by: Exclude<GroupingProperty, { kind: "relation" }>,
  item: ItemSummary | undefined,
): string {
  if (by.kind === "own") return String(key);
  if (typeof key === "number") return shownNumber(key, by.valueKind);
  const written = item?.fields[by.field];
  return by.valueKind === "text" && typeof written === "string" ? written : String(key);
}

function shownNumber(value: number, kind: FieldKind): string {
  if (kind === "boolean") return value === 1 ? "true" : "false";
  return kind === "date" || kind === "partial_date" ? formatPartialDate(value) : String(value);
}
