import { pageUrl } from "../content/addresses/addresses.ts";
import type { ReadingCopy } from "../content/library.ts";
import { joinInlineContent } from "../content/pages/lines.ts";
import type { PageView } from "../content/pages/view.ts";
import { editionForItemLanguage } from "../content/site/editions.ts";
import { dayInZone } from "../content/site/time-zone.ts";
import { nativeLanguageName } from "../texts/formats.ts";
import { siteTexts } from "../texts/site/site-texts.ts";
import { blockMarkdown } from "./blocks/block-markdown.ts";
import { inlineMarkdown, type MarkdownLinkContext } from "./inline-markdown.ts";
import { escapeMarkdown, quoteYaml } from "./markdown-text.ts";
import { pictureFinder } from "./pictures.ts";

export interface PageMarkdownContext extends MarkdownLinkContext {
  reading: Pick<ReadingCopy, "site" | "types" | "version" | "medium">;
}

/**
 * A page as Markdown: front matter, one H1, a link to the index, then the same content as the HTML.
 */
export function pageMarkdown(
  view: PageView,
  { reading, origin }: Omit<PageMarkdownContext, "nameOf">,
): string {
  const { title, path, query, language, textLanguage, updatedAt } = view;
  const { site } = editionForItemLanguage(reading, language);
  const description = view.description === "" ? site.description : view.description;
  const updated =
    updatedAt === null ? "" : `\nlast_updated: ${quoteYaml(dayInZone(site.timeZone, updatedAt))}`;
  const parts = [
    `---
title: ${quoteYaml(title)}
description: ${quoteYaml(description)}
canonical: ${quoteYaml(pageUrl(origin, path) + query)}
lang: ${quoteYaml(textLanguage)}${updated}
---`,
    heading(view),
    `> Documentation index: the complete index of this site is at [llms.txt](${origin}/llms.txt). Every page has a Markdown version at its address plus \`.md\`.`,
    ...mainParts(view, { reading, origin }),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Like `pageMarkdown`, without front matter and index link. */
export function mainContentMarkdown(view: PageView, context: PageMarkdownContext): string {
  return `${[heading(view), ...mainParts(view, context)].join("\n\n")}\n`;
}

function heading({ title, heading }: PageView): string {
  return `# ${escapeMarkdown(heading?.text ?? title)}`;
}

/**
 * Returns the content of a page as Markdown blocks. In answers to tools, leaves out the blocks about
 * related items, because tools read one item at a time.
 */
function mainParts(
  { language, translations, blocks: own, relatedBlocks = () => [] }: PageView,
  { reading, ...style }: PageMarkdownContext,
): string[] {
  const blocks = style.nameOf === undefined ? [...own, ...relatedBlocks()] : own;
  const texts = siteTexts(language);
  const findPicture = pictureFinder((id) => reading.medium(id));
  const context = { ...style, texts, findPicture };
  const anchors = translations.map(({ language: tag, path }) => ({
    text: nativeLanguageName(tag),
    to: encodeURI(path),
  }));
  const versions = joinInlineContent(anchors, texts.comma);
  return [
    ...(versions.length === 0
      ? []
      : [inlineMarkdown([`${texts.frame.translations} `, ...versions], context)]),
    ...blocks.map((block) => blockMarkdown(block, context)).filter((text) => text !== ""),
  ];
}
