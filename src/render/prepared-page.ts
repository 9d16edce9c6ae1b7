import { markdownPath } from "../content/addresses.ts";
import type { PreparedForm, ReadingCopy } from "../content/library.ts";
import { aroundGroup, descriptionOf, ownBlocks, trailOf } from "../content/pages/item-page.ts";
import { isQuotation, isSource } from "../content/pages/lines.ts";
import type { PreparedGroup, PreparedParts } from "../content/pages/prepared-item.ts";
import type { Block } from "../content/pages/view.ts";
import { blockHtml } from "./block-html.ts";
import { bytesOf } from "./bytes.ts";
import { fittedCards } from "./fitted-cards.ts";
import { escapeHtml } from "./html.ts";
import { quoteYaml } from "./markdown-text.ts";
import { wrapPage } from "./page-frame.ts";
import { languageLinks, mainHtml, previewLines, trailHtml } from "./page-html.ts";
import { blockText, mainText, markdownDocument } from "./page-markdown.ts";
import { LIST_END, LIST_START, MARK } from "./pieces.ts";
import { siteFrameBytes } from "./site-frame.ts";
import { pageEntities } from "./structured-data.ts";

interface Context {
  reading: ReadingCopy;
  origin: string;
}

/** Bytes of the same page that `pageHtml` makes of the view. `feeds` are bytes, too. */
export function preparedHtml(page: PreparedParts, context: Context, feeds: string): string {
  const { item, type, query, updatedAt } = page;
  const { reading, origin } = context;
  const { path, language } = item;
  const types = reading.types();
  const view = { ...item, blocks: ownBlocks(item, types) };
  const subject = { kind: "item" as const, item };
  const description = describe(page, context);
  const groups = page.groups.map((group) => groupBytes(group, page, { ...context, form: "html" }));
  return wrapPage(
    {
      title: bytesOf(escapeHtml(item.title)),
      description: bytesOf(escapeHtml(description)),
      preview: bytesOf(previewLines({ subject }, origin)),
      entities: bytesOf(pageEntities({ subject, description }, { types, origin })),
      path: encodeURI(path),
      query,
      markdownAddress: encodeURI(markdownPath(path)),
      markdownPath: bytesOf(escapeHtml(markdownPath(path))),
      language,
      isIndexed: true,
      isItem: true,
      feeds,
      languageLinks: bytesOf(languageLinks(item, context)),
      trail: bytesOf(trailHtml(trailOf(item, type))),
      main: bytesOf(mainHtml(view, origin)) + groups.join(""),
      updatedAt,
    },
    siteFrameBytes(reading, origin),
  );
}

/** Bytes of the same page that `pageMarkdown` makes of the view. */
export function preparedMarkdown(page: PreparedParts, context: Context): string {
  const { item, query, updatedAt } = page;
  const head = {
    title: bytesOf(quoteYaml(item.title)),
    description: bytesOf(quoteYaml(describe(page, context))),
    canonical: context.origin + encodeURI(item.path) + query,
    language: item.language,
    updatedAt,
  };
  return markdownDocument(head, preparedText(page, context), context.origin);
}

/** Its heading and what stands below, as bytes. */
export function preparedText(page: PreparedParts, context: Context): string {
  const { item, groups } = page;
  const view = { ...item, blocks: ownBlocks(item, context.reading.types()) };
  const listed = groups.map((group) => groupBytes(group, page, { ...context, form: "markdown" }));
  return [bytesOf(mainText(view, context.origin)), ...listed].join("\n\n");
}

function describe({ item }: PreparedParts, { reading }: Context): string {
  if (item.summary !== "") return item.summary;
  return descriptionOf(item, { types: reading.types(), site: reading.site() });
}

function groupBytes(
  { part, total, pages, cards }: PreparedGroup,
  { item }: PreparedParts,
  { reading, origin, form }: Context & { form: PreparedForm },
): string {
  const types = reading.types();
  const { language } = item;
  const { before, after } = aroundGroup(
    encodeURI(item.path),
    { ...part, total, pages },
    cards.shown,
  );
  const areQuotes = isQuotation(types, part.view.otherType);
  const under = isSource(types, item.type) ? item : null;
  const fitted = fittedCards(cards.bytes, { form, origin, language, under, areQuotes });
  const blocks = (some: readonly Block[]) =>
    some.map((block) =>
      bytesOf(
        form === "html" ? blockHtml(block, { origin, language }).text : blockText(block, origin),
      ),
    );
  if (form === "html") {
    const list = areQuotes || fitted === "" ? fitted : LIST_START + fitted + LIST_END;
    return [...blocks(before), list, ...blocks(after)].join("");
  }
  const list = fitted.replaceAll(MARK, areQuotes ? "\n\n" : "\n");
  return [...blocks(before), ...(list === "" ? [] : [list]), ...blocks(after)].join("\n\n");
}
