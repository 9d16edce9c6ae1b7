import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import type { SearchHit, SearchQuery } from "../../content/library.ts";
import { decodeCursor, encodeCursor } from "../../content/lists/cursor.ts";
import { readFilters } from "../../content/lists/filters.ts";
import { checkedLanguage } from "../../content/lists/listing.ts";
import { defineTool } from "../define-tool.ts";
import type { CallContext } from "../offering.ts";
import {
  cursorInput,
  cursorOutput,
  itemRow,
  linkRows,
  nextPage,
  type Row,
  rowOutput,
  textMembers,
  withLinks,
} from "../shapes.ts";

export const SEARCH_LIMIT_MAX = 25;
const SEARCH_LIMIT_DEFAULT = 10;
const CONCISE_LINKS_MAX = 3;

export const searchContent = defineTool({
  isCacheable: false,
  name: "search_content",
  title: "Search content",
  description:
    "Full-text search, best first. Use it for words, names and questions; read a hit with get_content_by_url. Returns hits with URL, type, title, snippet, authors, topics, work.",
  input: z.strictObject({
    query: z.string().describe('Words; "exact phrase"; -without; begin*'),
    types: z.array(z.string()).describe("e.g. quotation").exactOptional(),
    filters: z
      .record(z.string(), z.unknown())
      .describe('e.g. {"year":{"from":1800,"to":1899}}')
      .exactOptional(),
    language: z.string().describe("e.g. en").exactOptional(),
    limit: z.int().min(1).max(SEARCH_LIMIT_MAX).exactOptional(),
    cursor: cursorInput,
    detail: z.enum(["concise", "detailed"]).exactOptional(),
  }),
  output: z.looseObject({
    hits: z.array(rowOutput),
    total: z.int(),
    did_you_mean: z.string().exactOptional(),
    next_cursor: cursorOutput,
  }),
  async answer({ cursor, detail = "concise", ...input }, context) {
    const { reading, origin } = context;
    const types = input.types ?? [];
    const query: Omit<SearchQuery, "limit" | "offset"> = {
      text: input.query,
      types,
      ...readFilters(reading, types, { given: input.filters ?? {}, origin }),
      ...(input.language === undefined ? {} : { language: checkedLanguage(input.language) }),
    };
    const offset =
      cursor === undefined || cursor === "" ? 0 : decodeCursor(cursor, query, z.int().min(0));
    const limit = input.limit ?? SEARCH_LIMIT_DEFAULT;
    const page = await reading.search({ ...query, limit, offset });
    return {
      hits: page.hits.map((hit) =>
        detail === "concise" ? conciseHit(hit, context) : detailedHit(hit, context),
      ),
      total: page.total,
      ...(page.totalIsExact ? {} : { total_is_exact: false }),
      ...(page.correctedText === null ? {} : { did_you_mean: page.correctedText }),
      ...nextPage(page.hasMore ? encodeCursor(query, offset + page.hits.length) : null),
    };
  },
});

function conciseHit(hit: SearchHit, context: CallContext): Row {
  const row = {
    url: pageUrl(context.origin, hit.path),
    type: hit.type,
    title: hit.title,
    snippet: unmarked(hit.snippet),
  };
  return withLinks(row, linkRows(hit, CONCISE_LINKS_MAX, context));
}

function detailedHit(hit: SearchHit, context: CallContext): Row {
  return { ...itemRow(hit, context), snippet: unmarked(hit.snippet), ...textMembers(hit) };
}

function unmarked(snippet: string): string {
  return snippet.replaceAll("\u0002", "").replaceAll("\u0003", "");
}
