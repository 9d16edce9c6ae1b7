import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { titleIfUsableAsAddress } from "../../content/addresses/find-item.ts";
import { CITATION_FORMATS } from "../../content/citations/citing.ts";
import type { ItemSummary, SearchHit, SearchPage, SearchQuery } from "../../content/library.ts";
import { decodeCursor, encodeCursor } from "../../content/lists/cursor.ts";
import { parseFilters, requireTypes } from "../../content/lists/filters.ts";
import { requireLanguageTag } from "../../content/lists/listing.ts";
import { isQuotationType } from "../../content/pages/lines.ts";
import type { ContentTypes } from "../../content/types/content-type.ts";
import { defineTool } from "../define-tool.ts";
import type { CallContext } from "../mcp-features.ts";
import { countByInput, countGroups, countsOutput } from "../results/counts.ts";
import { itemTextProperties, toResultRows } from "../results/rows.ts";
import { cursorInput, cursorOutput, nextCursorProperty, rowOutput } from "../results/shapes.ts";

export const SEARCH_LIMIT_MAX = 25;
const SEARCH_LIMIT_DEFAULT = 10;
/** Default number of hits if citations are requested, because callers cite only the best hits. */
const CITED_LIMIT_DEFAULT = 3;
/** Number of top hits whose quotations are given in full. */
const WHOLE_TEXTS_MAX = 3;
const NAMED_MAX = 5;
const VERBATIM_HINT = "call again with verbatim true";
const NO_MATCHES = "nothing matches: try other words, in a language of the content";
const NOTHING_CLOSE = "nothing matches closely; the nearest follow";
const SHORT_TEXT_CHARACTERS = 320;

const searchInput = z.strictObject({
  query: z.string().describe('Words; "exact phrase"; -without; begin*'),
  types: z.array(z.string()).describe("e.g. quotation").exactOptional(),
  filters: z
    .record(z.string(), z.unknown())
    .describe('e.g. {"year":{"from":1800,"to":1899}}')
    .exactOptional(),
  language: z.string().describe("e.g. en").exactOptional(),
  limit: z.int().min(1).max(SEARCH_LIMIT_MAX).exactOptional(),
  count_by: countByInput,
  cursor: cursorInput,
  detail: z.enum(["concise", "detailed"]).exactOptional(),
  cite: z.enum(CITATION_FORMATS).exactOptional(),
  verbatim: z.boolean().describe("Correct no spelling").exactOptional(),
});

export const searchContent = defineTool({
  isCacheable: false,
  name: "search_content",
  title: "Search content",
  description:
    "Full-text search, best first. Use it for a line half remembered, words, names and questions. Returns hits with URL, type, text, authors, work, place, verification, topics; or counts.",
  input: searchInput,
  output: z.looseObject({
    hits: z.array(rowOutput).exactOptional(),
    counts: countsOutput,
    total: z.int(),
    closeness: z.string().exactOptional(),
    did_you_mean: z.string().exactOptional(),
    next_cursor: cursorOutput,
  }),
  async answer({ cursor, count_by, detail = "concise", cite, ...input }, context) {
    const { reading, origin } = context;
    const argumentNames = Object.keys(searchInput.shape);
    const types = typeNames(context.types, input.types ?? []);
    const query: Omit<SearchQuery, "limit" | "offset"> = {
      text: input.query,
      ...(input.verbatim === true ? { isVerbatim: true } : {}),
      types,
      ...parseFilters(reading, types, { given: input.filters ?? {}, origin, argumentNames }),
      ...(input.language === undefined ? {} : { language: requireLanguageTag(input.language) }),
    };
    if (count_by !== undefined) {
      return await countGroups({ query, countBy: count_by, limit: input.limit, cursor }, context);
    }
    const offset =
      cursor === undefined || cursor === "" ? 0 : decodeCursor(cursor, query, z.int().min(0));
    const limit = input.limit ?? (cite === undefined ? SEARCH_LIMIT_DEFAULT : CITED_LIMIT_DEFAULT);
    const page = await reading.search({ ...query, limit, offset });
    const { rows, linkNotesProperty } = toResultRows(page.hits, context, {
      withType: types.length !== 1,
      text: hitText(page.hits, { detail, types: context.types }),
      ...(cite === undefined ? {} : { cite }),
    });
    return {
      ...searchNotes(page, context, {
        isNarrowed: types.length > 0 || Object.keys(input.filters ?? {}).length > 0,
      }),
      total: page.total,
      ...(page.totalIsExact ? {} : { total_is_exact: false }),
      ...(Object.keys(page.counts).length > 1 ? { by_type: page.counts } : {}),
      ...linkNotesProperty,
      hits: rows,
      ...nextCursorProperty(page.hasMore ? encodeCursor(query, offset + page.hits.length) : null),
    };
  },
});

/** Notes on how the query was interpreted, for the model to read before the hits. */
function searchNotes(
  page: SearchPage,
  { reading, origin }: CallContext,
  { isNarrowed }: { isNarrowed: boolean },
) {
  const { closeness, correctedText, isShortened, named, total } = page;
  const { language, languages } = reading.site();
  const nothing = `${NO_MATCHES} (${[language, ...languages].join(", ")})${isNarrowed ? ", or fewer filters" : ""}`;
  const rows = named.slice(0, NAMED_MAX).map(({ title, type, path }) => ({
    name: title,
    type,
    ...(titleIfUsableAsAddress(reading, title) === null ? { url: pageUrl(origin, path) } : {}),
  }));
  return {
    ...(closeness === "distant" ? { closeness: total > 0 ? NOTHING_CLOSE : nothing } : {}),
    ...(correctedText === null ? {} : { did_you_mean: correctedText, as_typed: VERBATIM_HINT }),
    ...(isShortened ? { shortened: "the words that tell most were searched, not all" } : {}),
    ...(rows.length === 0 ? {} : { named: rows }),
  };
}

/** The canonical names of these types; empty if the search is not limited to certain types. */
function typeNames(types: ContentTypes, names: readonly string[]): string[] {
  return names.length === 0 ? [] : requireTypes(types, names).map(({ name }) => name);
}

/**
 * Returns a function that gives the text of a hit: the full text of a short or high-ranked
 * quotation, otherwise a snippet.
 */
function hitText(
  hits: readonly SearchHit[],
  { detail, types }: { detail: string; types: ContentTypes },
): (item: ItemSummary) => Record<string, unknown> {
  const textByPath = new Map(
    hits.map((hit, rank) => {
      const snippet = { snippet: hit.snippet.replaceAll("\u0002", "").replaceAll("\u0003", "") };
      if (detail === "detailed")
        return [hit.path, { ...summaryProperty(hit), ...itemTextProperties(hit) }];
      const isWhole =
        isQuotationType(types, hit.type) &&
        (rank < WHOLE_TEXTS_MAX || hit.text.length <= SHORT_TEXT_CHARACTERS);
      return [hit.path, isWhole ? itemTextProperties(hit) : snippet];
    }),
  );
  return ({ path }) => textByPath.get(path) ?? {};
}

function summaryProperty({ summary, text }: ItemSummary): { summary?: string } {
  return summary === "" || text.startsWith(summary.replace(/…$/u, "")) ? {} : { summary };
}
