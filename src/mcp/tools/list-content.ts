import { z } from "zod";
import { buildListQuery, nextCursor } from "../../content/lists/listing.ts";
import { rowsOf } from "../answers/rows.ts";
import {
  cursorInput,
  cursorOutput,
  limitInput,
  nextPage,
  orderOf,
  rowOutput,
  sortInput,
} from "../answers/shapes.ts";
import { defineTool } from "../define-tool.ts";

export const listContent = defineTool({
  name: "list_content",
  title: "List content",
  description:
    "All items of a content type in order. Use it to browse, count or follow changes; describe_content_catalog names types, filters, sorts. Returns items with URL, summary, fields, relations.",
  input: z.strictObject({
    type: z.string().describe("e.g. work"),
    filters: z
      .record(z.string(), z.unknown())
      .describe('e.g. {"kind":"essay","authors":"Seneca"}')
      .exactOptional(),
    sort: sortInput.describe("e.g. -year"),
    updated_since: z.string().describe("ISO date or time").exactOptional(),
    language: z.string().exactOptional(),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.looseObject({
    items: z.array(rowOutput),
    total: z.int(),
    next_cursor: cursorOutput,
  }),
  answer({ type, sort, updated_since, ...rest }, context) {
    const { reading, origin } = context;
    const query = buildListQuery(
      reading,
      { ...rest, types: [type], updatedSince: updated_since, ...orderOf(sort) },
      origin,
    );
    const page = reading.list(query);
    const withUpdated = updated_since !== undefined || query.sort === "updated";
    const { rows, notes } = rowsOf(page.items, context, { withUpdated });
    return {
      total: page.total,
      ...notes,
      items: rows,
      ...nextPage(nextCursor(query, page)),
    };
  },
});
