import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { findItemOfType } from "../../content/addresses/find-item.ts";
import { buildListQuery, encodeNextCursor } from "../../content/lists/listing.ts";
import { author } from "../../content/types/author.ts";
import { work } from "../../content/types/work.ts";
import { defineTool } from "../define-tool.ts";
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

const WORK_KINDS = work.fields["kind"]?.values ?? [];

export const listWorksByAuthor = defineTool({
  name: "list_works_by_author",
  title: "List works by author",
  description:
    "All works of an author. Use it to see what someone wrote. Returns works with URL, year, kind, counts.",
  input: z.strictObject({
    author: z.string().describe("URL or name"),
    kind: z.enum(WORK_KINDS).exactOptional(),
    sort: sortInput.describe("title or -year"),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.looseObject({
    author: rowOutput,
    works: z.array(rowOutput),
    total: z.int(),
    next_cursor: cursorOutput,
  }),
  answer({ kind, sort, limit, cursor, ...input }, context) {
    const { reading, origin } = context;
    const found = findItemOfType(reading, author, { text: input.author, origin });
    const filters = { authors: found.path, kind };
    const query = buildListQuery(
      reading,
      { types: [work.name], filters, ...parseSort(sort), limit, cursor },
      origin,
    );
    const page = reading.list(query);
    const { rows, linkNotesProperty } = toResultRows(page.items, context);
    return {
      author: { url: pageUrl(origin, found.path), title: found.title },
      total: page.total,
      ...linkNotesProperty,
      works: rows,
      ...nextCursorProperty(encodeNextCursor(query, page)),
    };
  },
});
