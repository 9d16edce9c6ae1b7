import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { titleIfUsableAsAddress } from "../../content/addresses/find-item.ts";
import type { SearchPage, SearchQuery } from "../../content/library.ts";
import { decodeCursor, encodeCursor } from "../../content/lists/cursor.ts";
import type { GroupCount } from "../../content/lists/group-counts.ts";
import { requireGrouping } from "../../content/lists/grouping.ts";
import type { CallContext } from "../mcp-features.ts";
import { nextCursorProperty } from "./shapes.ts";
import { estimateTokens } from "./token-estimate.ts";

export const countByInput = z
  .string()
  .describe("Count instead of listing, e.g. authors")
  .exactOptional();
export const countsOutput = z.array(z.looseObject({ count: z.int() })).exactOptional();

/** Token limit of a page of counts. The remaining counts are on the next pages. */
const COUNTS_TOKENS_MAX = 500;
const GROUPS_MAX = 60;

interface CountRequest {
  query: Omit<SearchQuery, "limit" | "offset">;
  countBy: string;
  limit: number | undefined;
  cursor: string | undefined;
}

/**
 * Counts the items that a search finds in each group. Without a text, a search finds all items that pass
 * its filters.
 */
export async function countGroups(
  { query, countBy, limit = GROUPS_MAX, cursor = "" }: CountRequest,
  context: CallContext,
): Promise<{ [name: string]: unknown; total: number }> {
  const { reading } = context;
  const { name, by } = requireGrouping(reading, query.types, countBy);
  const cursorScope = [query, name];
  const offset = cursor === "" ? 0 : decodeCursor(cursor, cursorScope, z.int().min(0));
  const page = await reading.search({ ...query, countBy: by, limit, offset });
  const { items, groups, without, counts } = page.groups ?? NO_GROUPS;
  const rows = counts.map((group) => countRow(group, context));
  const shownRows = rows.slice(0, fittingRowCount(rows));
  const end = offset + shownRows.length;
  return {
    total: items,
    ...countedShareNote(page, items),
    counted_by: name,
    groups,
    ...(without === 0 ? {} : { without }),
    counts: shownRows,
    ...nextCursorProperty(
      end < groups && shownRows.length > 0 ? encodeCursor(cursorScope, end) : null,
    ),
  };
}

const NO_GROUPS = { items: 0, groups: 0, without: 0, counts: [] };

/**
 * Returns the property `counted`, which says how many matches are counted. Returns no property if all
 * matches are counted.
 */
function countedShareNote(
  { total, totalIsExact }: SearchPage,
  items: number,
): { counted?: string } {
  if (total <= items && totalIsExact) return {};
  return { counted: `the best ${items} of ${totalIsExact ? total : `more than ${total}`} matches` };
}

function countRow({ name, path, count }: GroupCount, { reading, origin }: CallContext) {
  const needsUrl = path !== null && titleIfUsableAsAddress(reading, name) === null;
  return { name, ...(needsUrl ? { url: pageUrl(origin, path) } : {}), count };
}

function fittingRowCount(rows: readonly object[]): number {
  let tokens = 0;
  const fitting = rows.findIndex((row) => {
    tokens += estimateTokens(JSON.stringify(row));
    return tokens > COUNTS_TOKENS_MAX;
  });
  return fitting === -1 ? rows.length : Math.max(1, fitting);
}
