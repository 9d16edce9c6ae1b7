import { z } from "zod";
import { pageUrl } from "../../content/addresses/addresses.ts";
import { AppError } from "../../errors.ts";
import { mainMarkdown } from "../../render/page-markdown.ts";
import { citationOf } from "../citation.ts";
import { defineTextTool } from "../define-tool.ts";
import { readPage } from "../read-page.ts";
import { sliceText, type TextSlice } from "../text-slice.ts";

export const TEXT_CHARACTERS_MAX = 40_000;
const TEXT_CHARACTERS_DEFAULT = 12_000;

export const getContentByUrl = defineTextTool({
  name: "get_content_by_url",
  title: "Get content by URL",
  description:
    "Reads a published item as Markdown: metadata, a citation line, the text. Use it before quoting or summarising. Long texts come in slices; each names the call that continues it.",
  input: z.strictObject({
    url: z.string().describe("URL or path"),
    offset: z.int().min(0).exactOptional(),
    max_chars: z.int().min(1).max(TEXT_CHARACTERS_MAX).exactOptional(),
  }),
  answer({ url, offset = 0, max_chars = TEXT_CHARACTERS_DEFAULT }, context) {
    const { view, item, movedFrom } = readPage(url, context);
    const address = pageUrl(context.origin, view.path) + view.query;
    const slice = sliceText(mainMarkdown(view, context).trimEnd(), offset, max_chars);
    if (offset > 0 && offset >= slice.total) {
      throw new AppError(
        "invalid",
        `The text of ${address} has ${slice.total} characters: give an offset below that`,
      );
    }
    const metadata = [
      `title: ${JSON.stringify(view.title)}`,
      `url: ${address}`,
      ...(movedFrom === null ? [] : [`moved_from: ${pageUrl(context.origin, movedFrom)}`]),
      `type: ${item?.type ?? "list"}`,
      `language: ${view.language}`,
      ...(view.updatedAt === null ? [] : [`updated: ${view.updatedAt.slice(0, 10)}`]),
      `characters: ${slice.start}-${slice.end} of ${slice.total}`,
    ];
    return [
      `---\n${metadata.join("\n")}\n---`,
      ...(item === null ? [] : [`Cite as: ${citationOf(item, context)}`]),
      slice.text,
      ...continuation(address, slice, max_chars),
    ].join("\n\n");
  },
});

function continuation(url: string, { end, total }: TextSlice, max_chars: number): string[] {
  if (end >= total) return [];
  const isDefault = max_chars === TEXT_CHARACTERS_DEFAULT;
  const next = JSON.stringify({ url, offset: end, ...(isDefault ? {} : { max_chars }) });
  return [
    `---\n${total - end} characters follow. To continue, call get_content_by_url with ${next}`,
  ];
}
