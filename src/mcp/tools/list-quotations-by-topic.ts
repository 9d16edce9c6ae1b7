import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { findItemOfType } from "../../content/addresses/find-item.ts";
import type { LinkFilter, ListQuery, ReadingCopy } from "../../content/library.ts";
import { buildListQuery, encodeNextCursor } from "../../content/lists/listing.ts";
import { quotation } from "../../content/types/quotation.ts";
import { topic } from "../../content/types/topic.ts";
import { defineTool } from "../define-tool.ts";
import { toResultRows } from "../results/rows.ts";
import {
  cursorInput,
  cursorOutput,
  limitInput,
  nextCursorProperty,
  rowOutput,
} from "../results/shapes.ts";

/** Maximum number of topics whose quotations are listed, including the requested topic. */
const TOPICS_MAX = 200;
const VERIFICATIONS = quotation.fields["verification"]?.values ?? [];

export const listQuotationsByTopic = defineTool({
  name: "list_quotations_by_topic",
  title: "List quotations by topic",
  description:
    "All quotations on a topic. Use it to collect quotations on a subject. Returns text, authors, work, locator, the URL to cite.",
  input: z.strictObject({
    topic: z.string().describe("URL or name"),
    include_narrower: z.boolean().describe("Also topics below it").exactOptional(),
    author: z.string().describe("URL or name").exactOptional(),
    verification: z.enum(VERIFICATIONS).exactOptional(),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.looseObject({
    topic: rowOutput,
    quotations: z.array(rowOutput),
    total: z.int(),
    next_cursor: cursorOutput,
  }),
  answer({ include_narrower = false, author, verification, limit, cursor, ...input }, context) {
    const { reading, origin } = context;
    const found = findItemOfType(reading, topic, { text: input.topic, origin });
    const filters = { topics: found.path, authors: author, verification };
    const query = buildListQuery(
      reading,
      { types: [quotation.name], filters, limit, cursor },
      origin,
    );
    const page = reading.list(include_narrower ? withSubtopics(reading, query, found.path) : query);
    const { rows, linkNotesProperty } = toResultRows(page.items, context);
    return {
      topic: { url: pageUrl(origin, found.path), title: found.title },
      total: page.total,
      ...linkNotesProperty,
      quotations: rows,
      ...nextCursorProperty(encodeNextCursor(query, page)),
    };
  },
});

/**
 * Widens a query for a topic to all topics below it. Cursors are still made from the original
 * query.
 */
function withSubtopics(reading: ReadingCopy, query: ListQuery, path: string): ListQuery {
  const anchors = pathsBelow(reading, path);
  return {
    ...query,
    links: query.links.map((link) => (isTopicFilter(link) ? { ...link, anchors } : link)),
  };
}

function isTopicFilter({ direction, relation }: LinkFilter): boolean {
  return direction === "in" && relation === "topics";
}

/**
 * Paths of a topic and the topics below it, breadth first. Each topic is followed only once, so cycles end.
 */
function pathsBelow(reading: ReadingCopy, path: string): string[] {
  const knownPaths = new Set([path]);
  let level = [path];
  while (level.length > 0 && knownPaths.size < TOPICS_MAX) {
    const items = reading.items({
      types: [topic.name],
      filters: [],
      links: [{ direction: "in", relation: "broader", anchors: level }],
      sort: "added",
      descending: false,
      limit: TOPICS_MAX - knownPaths.size,
    });
    level = items.map((item) => item.path).filter((narrower) => !knownPaths.has(narrower));
    for (const narrower of level) knownPaths.add(narrower);
  }
  return [...knownPaths];
}
