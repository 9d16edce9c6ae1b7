import { z } from "zod";
import { buildListQuery, nextCursor } from "../../content/lists/listing.ts";
import { defineTool } from "../define-tool.ts";
import { cursorInput, cursorOutput, itemRow, limitInput, nextPage, rowOutput } from "../shapes.ts";

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
    sort: z.string().describe('e.g. -year ("-" reverses)').exactOptional(),
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
      { ...rest, types: [type], updatedSince: updated_since, ...order(sort) },
      origin,
    );
    const page = reading.list(query);
    return {
      items: page.items.map((item) => itemRow(item, context)),
      total: page.total,
      ...nextPage(nextCursor(query, page)),
    };
  },
});

function order(sort: string | undefined) {
  if (sort === undefined || !sort.startsWith("-")) return { sort };
  return { sort: sort.slice(1), direction: "descending" as const };
}
