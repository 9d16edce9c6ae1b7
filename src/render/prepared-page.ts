import { markdownPath } from "../content/addresses.ts";
import type { PreparedForm, ReadingCopy } from "../content/library.ts";
import { aroundGroup, descriptionOf, ownBlocks, trailOf } from "../content/pages/item-page.ts";
import { isQuotation, isSource } from "../content/pages/lines.ts";
import type { PreparedGroup, PreparedParts } from "../content/pages/prepared-item.ts";
import type { Block } from "../content/pages/view.ts";
import { blockHtml } from "./block-html.ts";
import { fittedCards } from "./fitted-cards.ts";
import { escapeHtml } from "./html.ts";
import { quoteYaml } from "./markdown-text.ts";
import { pageFrame } from "./page-frame.ts";
import { languageLinks, mainHtml, previewLines, trailHtml } from "./page-html.ts";
import { blockText, mainText, markdownStart } from "./page-markdown.ts";
import { type PagePiece, textOfPieces } from "./page-pieces.ts";
import { LIST_END, LIST_START } from "./pieces.ts";
import { siteFrame } from "./site-frame.ts";
import { pageEntities } from "./structured-data.ts";

interface Context {
  reading: ReadingCopy;
  origin: string;
}

/** The same page that `pageHtml` makes of the view. */
export function preparedHtml(page: PreparedParts, context: Context, feeds: string): PagePiece[] {
  const { item, type, query, updatedAt } = page;
  const { reading, origin } = context;
  const { path, language } = item;
  const types = reading.types();
  const view = { ...item, blocks: ownBlocks(item, types) };
  const subject = { kind: "item" as const, item };
  const description = describe(page, context);
  const { start, end } = pageFrame(
    {
      title: escapeHtml(item.title),
      description: escapeHtml(description),
      preview: previewLines({ subject }, origin),
      entities: pageEntities({ subject, description }, { types, origin }),
      path: encodeURI(path),
      query,
      markdownAddress: encodeURI(markdownPath(path)),
      markdownPath: escapeHtml(markdownPath(path)),
      language,
      isIndexed: true,
      isItem: true,
      feeds,
      languageLinks: languageLinks(item, context),
      trail: trailHtml(trailOf(item, type)),
      updatedAt,
    },
    siteFrame(reading, origin),
  );
  const groups = page.groups.flatMap((group) => groupHtml(group, page, context));
  return [...start, mainHtml(view, origin), ...groups, end];
}

/** The same page that `pageMarkdown` makes of the view. */
export function preparedMarkdown(page: PreparedParts, context: Context): PagePiece[] {
  const { item, query, updatedAt } = page;
  const head = {
    title: quoteYaml(item.title),
    description: quoteYaml(describe(page, context)),
    canonical: context.origin + encodeURI(item.path) + query,
    language: item.language,
    updatedAt,
  };
  const start = markdownStart(head, ownText(page, context), context.origin);
  return [start, ...groupsText(page, context), "\n"];
}

/** Its heading and what stands below. */
export function preparedText(page: PreparedParts, context: Context): string {
  return textOfPieces([ownText(page, context), ...groupsText(page, context)]);
}

function ownText({ item }: PreparedParts, { reading, origin }: Context): string {
  return mainText({ ...item, blocks: ownBlocks(item, reading.types()) }, origin);
}

function groupsText(page: PreparedParts, context: Context): PagePiece[] {
  return page.groups.flatMap((group) => groupMarkdown(group, page, context));
}

function describe({ item }: PreparedParts, { reading }: Context): string {
  if (item.summary !== "") return item.summary;
  return descriptionOf(item, { types: reading.types(), site: reading.site() });
}

function groupHtml(group: PreparedGroup, page: PreparedParts, context: Context): PagePiece[] {
  const { before, after } = around(group, page);
  const shown = { origin: context.origin, language: page.item.language };
  const written = (blocks: readonly Block[]) =>
    blocks.map((block) => blockHtml(block, shown).text).join("");
  if (group.cards.shown === 0) return [written(before) + written(after)];
  const isList = !isQuotation(context.reading.types(), group.part.view.otherType);
  return [
    written(before) + (isList ? LIST_START : ""),
    fitted(group, page, { ...context, form: "html" }),
    (isList ? LIST_END : "") + written(after),
  ];
}

function groupMarkdown(group: PreparedGroup, page: PreparedParts, context: Context): PagePiece[] {
  const { before, after } = around(group, page);
  const written = (blocks: readonly Block[]) =>
    blocks.map((block) => `\n\n${blockText(block, context.origin)}`).join("");
  if (group.cards.shown === 0) return [written(before) + written(after)];
  const cards = fitted(group, page, { ...context, form: "markdown" });
  return [`${written(before)}\n\n`, cards, written(after)];
}

function around({ part, total, pages, cards }: PreparedGroup, { item }: PreparedParts) {
  return aroundGroup(encodeURI(item.path), { ...part, total, pages }, cards.shown);
}

function fitted(
  { part, cards }: PreparedGroup,
  { item }: PreparedParts,
  { reading, origin, form }: Context & { form: PreparedForm },
): Uint8Array {
  const types = reading.types();
  return fittedCards(cards.bytes, {
    form,
    origin,
    language: item.language,
    under: isSource(types, item.type) ? item : null,
    areQuotes: isQuotation(types, part.view.otherType),
  });
}
