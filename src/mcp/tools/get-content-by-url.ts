import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { titleIfUsableAsAddress } from "../../content/addresses/find-item.ts";
import {
  CITATION_FORMATS,
  type CitationFormat,
  citationOf,
} from "../../content/citations/citing.ts";
import type { PageView } from "../../content/pages/view.ts";
import { dayInZone } from "../../content/site/time-zone.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { mainContentMarkdown } from "../../render/page-markdown.ts";
import { defineTextTool } from "../define-tool.ts";
import type { CallContext } from "../mcp-features.ts";
import { fenceContent } from "../results/fence.ts";
import { type FoundPage, readPageAtAddress } from "../results/read-page.ts";
import { sliceText, type TextSlice } from "../results/text-slice.ts";
import { estimateTokens } from "../results/token-estimate.ts";

export const TEXT_CHARACTERS_MAX = 40_000;
const TEXT_CHARACTERS_DEFAULT = 12_000;
const URLS_MAX = 20;
/**
 * Tokens reserved for the metadata and for the note on how to continue. The address and the citation are
 * counted separately.
 */
const FRAME_TOKENS = 120;

export const getContentByUrl = defineTextTool({
  name: "get_content_by_url",
  title: "Get content by URL",
  description:
    "Reads published items as Markdown: metadata outside, a citation and the text inside a fence. Use it before quoting or summarising long texts. What is cut names the call that continues it.",
  input: z.strictObject({
    url: z
      .union([z.string(), z.array(z.string()).min(1).max(URLS_MAX)], {
        error: `give a URL, a path or a name, or a list of up to ${URLS_MAX} of them`,
      })
      .describe("URL, path or name; or several"),
    offset: z.int().min(0).exactOptional(),
    max_chars: z.int().min(1).max(TEXT_CHARACTERS_MAX).exactOptional(),
    cite: z.enum(CITATION_FORMATS).exactOptional(),
  }),
  answer({ url, offset = 0, max_chars = TEXT_CHARACTERS_DEFAULT, cite }, context, tokensMax) {
    const bounds = { offset, max_chars, tokensMax, cite };
    if (typeof url === "string") return readOne(url, context, bounds);
    if (offset > 0)
      throw new AppError("invalid", englishOnlyWording("Give an offset with a single URL"));
    return readSeveral(url, context, bounds);
  },
});

interface Bounds {
  offset: number;
  max_chars: number;
  tokensMax: number;
  cite: CitationFormat | undefined;
}

/**
 * Reads several items. Each gets an equal share of the remaining tokens. If an item cannot be read,
 * the error message replaces its text.
 */
function readSeveral(urls: readonly string[], context: CallContext, bounds: Bounds): string {
  let tokensLeft = bounds.tokensMax;
  const parts = urls.map((url, at) => {
    const share = Math.floor(tokensLeft / (urls.length - at));
    const part = readOrReport(url, context, { ...bounds, tokensMax: share });
    tokensLeft -= estimateTokens(part);
    return part;
  });
  return parts.join("\n\n");
}

function readOrReport(url: string, context: CallContext, bounds: Bounds): string {
  try {
    return readOne(url, context, bounds);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = `not read: ${error.message}`;
    return sliceText(message, 0, { charactersMax: 1000, tokensMax: bounds.tokensMax }).text;
  }
}

function readOne(url: string, context: CallContext, bounds: Bounds): string {
  const page = readPageAtAddress(url, context);
  const { view, item } = page;
  const address = pageUrl(context.origin, view.path) + view.query;
  const markdown = mainContentMarkdown(view, {
    reading: context.reading,
    origin: context.origin,
    nameOf: (title) => titleIfUsableAsAddress(context.reading, title),
  }).trimEnd();
  const { offset, max_chars, cite = "apa" } = bounds;
  if (offset > 0 && offset >= markdown.length) {
    throw new AppError(
      "invalid",
      englishOnlyWording(
        `The text of ${address} has ${markdown.length} characters: give an offset below that`,
      ),
    );
  }
  const citation =
    item === null || offset > 0 ? [] : [`Cite as: ${citationOf(item, cite, context)}`];
  const frameTokens = FRAME_TOKENS + 2 * address.length + citation.join("").length;
  const slice = sliceText(markdown, offset, {
    charactersMax: max_chars,
    tokensMax: Math.max(1, bounds.tokensMax - frameTokens),
  });
  return [
    metadata(page, address, { slice, context }),
    fenceContent([...citation, slice.text].join("\n\n")),
    ...continuation(address, slice, max_chars),
    ...nextPage(view, slice, context),
  ].join("\n\n");
}

/**
 * The metadata of a page. Titles and texts are omitted: text by authors belongs inside the fence.
 */
function metadata(
  { view, item, movedFrom }: FoundPage,
  address: string,
  { slice: { start, end, total }, context }: { slice: TextSlice; context: CallContext },
): string {
  return [
    `url: ${address}`,
    ...(movedFrom === null ? [] : [`moved_from: ${movedFrom}`]),
    `type: ${item?.type ?? (view.subject.kind === "listing" ? "list" : "page")}`,
    `language: ${view.language}`,
    ...(view.updatedAt === null
      ? []
      : [`updated: ${dayInZone(context.reading.site().timeZone, view.updatedAt)}`]),
    `characters: ${start}-${end} of ${total}`,
  ].join("\n");
}

function continuation(url: string, { end, total }: TextSlice, max_chars: number): string[] {
  if (end >= total) return [];
  const isDefault = max_chars === TEXT_CHARACTERS_DEFAULT;
  const next = JSON.stringify({ url, offset: end, ...(isDefault ? {} : { max_chars }) });
  return [`${total - end} characters follow. To continue, call get_content_by_url with ${next}`];
}

/**
 * A line with the tool call that reads the next page of a list. Empty until this page has been read in
 * full.
 */
function nextPage({ blocks }: PageView, { end, total }: TextSlice, { origin }: CallContext) {
  if (end < total) return [];
  const next = blocks.flatMap((block) =>
    block.kind === "paging" && block.paging.next !== null ? [block.paging.next] : [],
  );
  return next.map(
    (to) =>
      `More is on the next page: call get_content_by_url with ${JSON.stringify({ url: origin + to })}`,
  );
}
