import { z } from "zod";
import type { ItemSummary } from "../../content/library.ts";
import {
  buildListQuery,
  encodeNextCursor,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
} from "../../content/lists/listing.ts";
import { topic } from "../../content/types/topic.ts";
import { defineTool } from "../define-tool.ts";
import type { CallContext } from "../mcp-features.ts";
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

export const listTopics = defineTool({
  name: "list_topics",
  title: "List topics",
  description:
    "Topics with counts. Use it to find the topic for a subject, then list_quotations_by_topic. With query: at most limit topics named so or alike, best first.",
  input: z.strictObject({
    query: z.string().min(1).max(100).describe("e.g. friend").exactOptional(),
    broader: z.string().describe("URL or name of the topic above").exactOptional(),
    sort: sortInput.describe("name or count"),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.looseObject({
    topics: z.array(rowOutput),
    total: z.int(),
    next_cursor: cursorOutput,
  }),
  answer({ query: name, broader, sort, limit, cursor }, context) {
    const { reading, origin } = context;
    const query = buildListQuery(
      reading,
      { types: [topic.name], ...parseSort(sort), filters: { broader }, limit, cursor },
      origin,
    );
    if (name !== undefined) {
      // Finds more candidates if `broader` is given, because topics that are not below `broader`
      // are dropped.
      const candidates = topicsLike(
        name,
        broader === undefined ? query.limit : LIST_LIMIT_MAX,
        context,
      );
      const found = candidates
        .filter(
          ({ links }) =>
            broader === undefined || isBelow(links["broader"], query.links[0]?.anchors),
        )
        .slice(0, query.limit);
      const { rows, linkNotesProperty } = toResultRows(found, context);
      return { total: found.length, ...linkNotesProperty, topics: rows };
    }
    const page = reading.list(query);
    const { rows, linkNotesProperty } = toResultRows(page.items, context);
    return {
      total: page.total,
      ...linkNotesProperty,
      topics: rows,
      ...nextCursorProperty(encodeNextCursor(query, page)),
    };
  },
});

/** Topics whose names start with the text, then topics of similar names, without duplicates. */
function topicsLike(
  name: string,
  limit: number = LIST_LIMIT_DEFAULT,
  { reading }: CallContext,
): ItemSummary[] {
  const prefixMatches = reading.itemsByName(name, { type: topic.name, isExact: false, limit });
  const paths = new Set(prefixMatches.map(({ path }) => path));
  const similar = reading.similar(name, { type: topic.name, limit });
  return [...prefixMatches, ...similar.filter(({ path }) => !paths.has(path))].slice(0, limit);
}

function isBelow(
  links: ItemSummary["links"][string] = [],
  anchors: readonly string[] = [],
): boolean {
  return links.some(({ path }) => anchors.includes(path));
}
