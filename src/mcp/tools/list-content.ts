import { z } from "zod";
import type { ListQuery } from "../../content/library.ts";
import { buildListQuery, encodeNextCursor } from "../../content/lists/listing.ts";
import { defineTool } from "../define-tool.ts";
import { countByInput, countGroups, countsOutput } from "../results/counts.ts";
import { toResultRows } from "../results/rows.ts";
import {
  cursorInput,
  cursorOutput,
  limitInput,
  nextCursorProperty,
  parseSort,
  rowOutput,
  sortInput,
} from "../results/shapes.ts";

const listInput = z.strictObject({
  type: z.string().describe("e.g. work"),
  filters: z
    .record(z.string(), z.unknown())
    .describe('e.g. {"kind":"essay","authors":"Seneca"}')
    .exactOptional(),
  sort: sortInput.describe("e.g. -year"),
  updated_since: z.string().describe("ISO date or time").exactOptional(),
  language: z.string().exactOptional(),
  count_by: countByInput,
  limit: limitInput,
  cursor: cursorInput,
});

export const listContent = defineTool({
  name: "list_content",
  title: "List content",
  description:
    "All items of a content type in order; quotations with their text. Use it to browse, to count by any filter (count_by) or to follow changes; describe_content_catalog names types, filters, sorts.",
  input: listInput,
  output: z.looseObject({
    items: z.array(rowOutput).exactOptional(),
    counts: countsOutput,
    total: z.int(),
    next_cursor: cursorOutput,
  }),
  answer({ type, sort, updated_since, count_by, ...rest }, context) {
    const { reading, origin } = context;
    const { cursor, ...first } = rest;
    const listRequest = {
      ...first,
      argumentNames: Object.keys(listInput.shape),
      types: [type],
      updatedSince: updated_since,
      ...parseSort(sort),
    };
    if (count_by !== undefined) {
      const query = buildListQuery(reading, listRequest, origin);
      const { limit } = rest;
      return countGroups(
        { query: searchQueryOf(query), countBy: count_by, limit, cursor },
        context,
      );
    }
    const query = buildListQuery(reading, { ...listRequest, cursor }, origin);
    const page = reading.list(query);
    const withUpdated = updated_since !== undefined || query.sort === "updated";
    const { rows, linkNotesProperty } = toResultRows(page.items, context, { withUpdated });
    return {
      total: page.total,
      ...linkNotesProperty,
      items: rows,
      ...nextCursorProperty(encodeNextCursor(query, page)),
    };
  },
});

/** The filters of a list as a search query without a text. */
function searchQueryOf({ types, filters, links, language, updatedSince }: ListQuery) {
  return {
    text: "",
    types,
    filters,
    links,
    ...(language === undefined ? {} : { language }),
    ...(updatedSince === undefined ? {} : { updatedSince }),
  };
}
