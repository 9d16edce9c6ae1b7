import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { resolveName } from "../../content/addresses/find-item.ts";
import type { ItemSummary } from "../../content/library.ts";
import { buildListQuery, nextCursor } from "../../content/lists/listing.ts";
import { author } from "../../content/types/author.ts";
import { work } from "../../content/types/work.ts";
import { defineTool } from "../define-tool.ts";
import type { CallContext } from "../offering.ts";
import {
  cursorInput,
  cursorOutput,
  incomingCounts,
  LINKS_MAX,
  limitInput,
  linkRows,
  nextPage,
  type Row,
  rowOutput,
  shortFields,
  withLinks,
} from "../shapes.ts";

const KINDS = work.fields["kind"]?.values ?? [];

export const listWorksByAuthor = defineTool({
  name: "list_works_by_author",
  title: "List works by author",
  description:
    "All works of an author. Use it to see what someone wrote. Returns works with URL, year, kind, counts.",
  input: z.strictObject({
    author: z.string().describe("URL or name"),
    kind: z.enum(KINDS).exactOptional(),
    sort: z.enum(["title", "year"]).exactOptional(),
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
    const found = resolveName(reading, author, { text: input.author, origin });
    const filters = { authors: found.path, kind };
    const query = buildListQuery(
      reading,
      { types: [work.name], filters, sort, limit, cursor },
      origin,
    );
    const page = reading.list(query);
    return {
      author: { url: pageUrl(origin, found.path), title: found.title },
      works: page.items.map((item) => workRow(item, context)),
      total: page.total,
      ...nextPage(nextCursor(query, page)),
    };
  },
});

function workRow(item: ItemSummary, context: CallContext): Row {
  const row = {
    url: pageUrl(context.origin, item.path),
    title: item.title,
    ...(item.summary === "" ? {} : { summary: item.summary }),
    counts: incomingCounts(item, context),
    language: item.language,
  };
  const links = linkRows(item, LINKS_MAX, context);
  return withLinks(row, { ...shortFields(item, context), ...links });
}
