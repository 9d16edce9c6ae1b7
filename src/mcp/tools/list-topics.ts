import { z } from "zod";
import type { ItemSummary } from "../../content/library.ts";
import { buildListQuery, LIST_LIMIT_DEFAULT, nextCursor } from "../../content/lists/listing.ts";
import { topic } from "../../content/types/topic.ts";
import { defineTool } from "../define-tool.ts";
import type { CallContext } from "../offering.ts";
import { cursorInput, cursorOutput, itemRow, limitInput, nextPage, rowOutput } from "../shapes.ts";

const SORTS = { name: "title", count: "count:quotations" } as const;

export const listTopics = defineTool({
  name: "list_topics",
  title: "List topics",
  description:
    "Topics with counts. Use it to find the topic for a subject, then list_quotations_by_topic. With query: at most limit topics named so or alike, best first.",
  input: z.strictObject({
    query: z.string().min(1).max(100).describe("e.g. friend").exactOptional(),
    broader: z.string().describe("URL or name of the topic above").exactOptional(),
    sort: z.enum(["name", "count"]).exactOptional(),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.looseObject({
    topics: z.array(rowOutput),
    total: z.int(),
    next_cursor: cursorOutput,
  }),
  answer({ query: name, broader, sort = "name", limit, cursor }, context) {
    const { reading, origin } = context;
    const query = buildListQuery(
      reading,
      { types: [topic.name], sort: SORTS[sort], filters: { broader }, limit, cursor },
      origin,
    );
    if (name !== undefined) {
      const found = topicsLike(name, query.limit, context).filter(
        ({ links }) => broader === undefined || isBelow(links["broader"], query.links[0]?.anchors),
      );
      return {
        topics: found.map((each) => itemRow(each, context)),
        total: found.length,
      };
    }
    const page = reading.list(query);
    return {
      topics: page.items.map((item) => itemRow(item, context)),
      total: page.total,
      ...nextPage(nextCursor(query, page)),
    };
  },
});

/** Names that start with the text, then similar ones, without duplicates. */
function topicsLike(
  name: string,
  limit: number = LIST_LIMIT_DEFAULT,
  { reading }: CallContext,
): ItemSummary[] {
  const named = reading.named(name, { type: topic.name, exact: false, limit });
  const paths = new Set(named.map(({ path }) => path));
  const similar = reading.similar(name, { type: topic.name, limit });
  return [...named, ...similar.filter(({ path }) => !paths.has(path))].slice(0, limit);
}

function isBelow(
  links: ItemSummary["links"][string] = [],
  anchors: readonly string[] = [],
): boolean {
  return links.some(({ path }) => anchors.includes(path));
}
