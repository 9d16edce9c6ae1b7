import {
  type Anchor,
  type Block,
  type Fact,
  type InlineContent,
  LINE_BREAK,
  type ListEntry,
  type Paging,
  type Quote,
} from "../../content/pages/view.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { siteTexts } from "../../texts/site/site-texts.ts";
import { renderBody } from "../body/body.ts";
import { html, type SafeHtml, trustedHtml } from "../html.ts";
import { writingDirectionOf } from "../languages.ts";
import type { FindPicture } from "../pictures.ts";
import { searchFormHtml } from "../search-form.ts";
import { citationsHtml } from "./citations-html.ts";
import { tableOfContentsHtml } from "./contents-html.ts";
import { countTableHtml } from "./counts-html.ts";
import { filtersHtml } from "./filters-html.ts";
import { adaptBodyToPage } from "./page-body.ts";
import { portraitHtml } from "./portrait.ts";
import { sealHtml } from "./seal-html.ts";
import { problemSummaryHtml, visitorFormHtml } from "./visitor-form.ts";

export interface BlockHtmlContext {
  origin: string;
  findPicture: FindPicture;
  showsPicturesFromElsewhere: boolean;
  /** Language of the page; text in another language gets a `lang` attribute. */
  language: string;
}

type LanguageContext = Pick<BlockHtmlContext, "language">;

export function blockHtml(block: Block, context: BlockHtmlContext): SafeHtml {
  const texts = siteTexts(context.language);
  switch (block.kind) {
    case "portrait":
      return portraitHtml(block.portrait, context.findPicture);
    case "byline":
      return html`<p class="byline">${lineHtml(block.line, context)}</p>\n`;
    case "lead":
      return html`<p class="lead"${languageAttributes(block.language, context)}>${block.text}</p>\n`;
    case "body":
      return textHtml(block, context);
    case "source":
      return sourceHtml(block, context);
    case "heading":
      return html`<h2 id="${block.id}">${spanIn(block.language, [block.text], context)}</h2>\n`;
    case "subheading":
      return html`<h3 id="${block.id}">${block.text}</h3>\n`;
    case "paragraph":
      return html`<p${languageAttributes(block.language ?? context.language, context)}>${lineHtml(block.line, context)}</p>\n`;
    case "facts":
      return html`<dl class="facts">\n${block.facts.map((fact) => factHtml(fact, context))}</dl>\n`;
    case "entries":
      return entriesHtml(block.entries, context);
    case "quotes":
      return html`${block.quotes.map((quote) => listedQuotationHtml(quote, context))}`;
    case "saying":
      return subjectQuotationHtml(block.quote, context);
    case "aside":
      return html`<p class="aside${hasOnlyLinks(block.line) && " onward"}">${lineHtml(block.line, context)}</p>\n`;
    case "controls":
      return html`<p class="controls">${block.links.map((link, at) => html`${at > 0 && " "}${lineHtml([link], context)}`)}</p>\n`;
    case "citations":
      return citationsHtml(block, { ...context, texts });
    case "letters":
      return html`<nav class="letters" aria-label="${texts.list.letters}"><ul>${block.letters.map(
        (letter) => html`<li>${lineHtml([letter], context)}</li>`,
      )}</ul></nav>\n`;
    case "index":
      return html`<div class="index">\n${block.groups.map(
        ({ letter, id, entries }) =>
          html`<h2 id="${id}">${letter}</h2>\n${entriesHtml(entries, context)}`,
      )}</div>\n`;
    case "counts":
      return countTableHtml(block, texts);
    case "paging":
      return pagingHtml(block.paging, texts);
    case "form":
      return visitorFormHtml(block.form, block.filled, texts);
    case "faults":
      return problemSummaryHtml(block.form, block.problems, texts);
    case "filters":
      return filtersHtml(block, texts);
    case "search":
      return searchFormHtml({ ...block, place: "page", texts });
  }
}

/** A body. If the body is long, its table of contents comes first. */
function textHtml(
  { html: rendered, language }: Extract<Block, { kind: "body" }>,
  context: BlockHtmlContext,
): SafeHtml {
  const attributes = languageAttributes(language, context);
  const contents = tableOfContentsHtml(rendered, {
    texts: siteTexts(context.language),
    attributes,
  });
  return html`${contents}<div class="text${hasInitial(rendered) && " initial"}"${attributes}>${bodyHtml(rendered, context)}</div>\n`;
}

/** Whether a line consists of nothing but links to other pages. Such a line is useless on paper. */
function hasOnlyLinks(line: readonly InlineContent[]): boolean {
  return line.every((piece) => piece === " · " || (typeof piece !== "string" && "to" in piece));
}

/**
 * A fact: its label, then its values. Several values share a line if each is one text or link, such as a
 * name.
 */
function factHtml({ label, values }: Fact, context: BlockHtmlContext): SafeHtml {
  const isRow = values.length > 1 && values.every((line) => line.length === 1);
  return html`<div${isRow && trustedHtml(' class="row"')}><dt>${label}</dt>${values.map((line) => html`<dd>${lineHtml(line, context)}</dd>`)}</div>\n`;
}

function entriesHtml(entries: readonly ListEntry[], context: BlockHtmlContext): SafeHtml {
  return html`<ul class="entries">\n${entries.map((entry) => listEntryHtml(entry, context))}</ul>\n`;
}

/** An entry as an `li` element, for a list with the class `entries`. */
export function listEntryHtml(entry: ListEntry, context: LanguageContext): SafeHtml {
  const { line, note, noteLanguage } = entry;
  return html`<li><p>${lineHtml(line, context)}</p>${note.length > 0 && html`<p class="note">${spanIn(noteLanguage, lineHtml(note, context), context)}</p>`}</li>\n`;
}

/**
 * Matches a body whose first paragraph is long enough for a drop cap and begins with a letter, not with
 * a quotation mark.
 */
const LONG_FIRST_PARAGRAPH = /^<p>\p{L}(?:(?!<\/p>)[\s\S]){280}/u;

function hasInitial(rendered: string): boolean {
  return LONG_FIRST_PARAGRAPH.test(rendered);
}

function sourceHtml(
  { markdown, name, language }: Extract<Block, { kind: "source" }>,
  context: BlockHtmlContext,
): SafeHtml {
  const { origin, findPicture } = context;
  const { html: rendered } = renderBody(markdown, {
    origin,
    findPicture,
    isBelowOthers: true,
    name,
  });
  return html`<div class="text"${languageAttributes(language, context)}>${bodyHtml(rendered, context)}</div>\n`;
}

function bodyHtml(rendered: string, context: BlockHtmlContext): SafeHtml {
  return trustedHtml(adaptBodyToPage(rendered, { ...context, texts: siteTexts(context.language) }));
}

const BREAK = trustedHtml("<br>");

/**
 * Separates two pieces of a line. If the second piece wraps to a new line, the separator stays at the end
 * of the first line.
 */
const FACT_SEPARATOR = "\u00a0· ";

/** A quotation in a list. */
function listedQuotationHtml(quote: Quote, context: BlockHtmlContext): SafeHtml {
  const { caption, page, listingReason } = quote;
  const { quotation } = siteTexts(context.language);
  const link = page !== null && {
    to: page.to,
    pieces: [page.title ?? quotation.open],
    language: page.title === null ? context.language : page.language,
  };
  const hasLink = link !== false;
  const hasCaption = caption.length > 0;
  const way = hasLink && html`${hasCaption && FACT_SEPARATOR}${linkHtml(link, context)}`;
  const shownWay = page?.title === null ? html`<span class="onward">${way}</span>` : way;
  return html`<figure class="quote">\n${quotationTextHtml(quote, context)}<figcaption>${lineHtml(caption, context)}${shownWay}${listingReason !== null && (hasCaption || hasLink) && FACT_SEPARATOR}${listingReason}</figcaption>\n</figure>\n`;
}

/** The quotation that is the subject of a page. */
function subjectQuotationHtml(quote: Quote, context: BlockHtmlContext): SafeHtml {
  const source = lineHtml(quote.caption, context);
  return html`${quotationTextHtml(quote, context, "saying")}${source.length > 0 && html`<p class="source">— ${source}</p>\n`}`;
}

/** The words of a quotation, preceded by a warning if there is one. */
function quotationTextHtml(
  { text, caution, language }: Quote,
  context: BlockHtmlContext,
  kind?: "saying",
) {
  const words = typeof text === "string" ? linesHtml(text) : bodyHtml(text.html, context);
  const before = caution !== null && html`<p class="caution">${sealHtml(caution)}</p>\n`;
  return html`${before}<blockquote${kind !== undefined && html` class="${kind}"`}${languageAttributes(language, context)}>${words}</blockquote>\n`;
}

/** A text in paragraphs and lines, such as verse. */
function linesHtml(text: string): SafeHtml {
  if (!text.includes("\n")) return html`<p>${text}</p>`;
  const paragraphs = text.split("\n\n").map((paragraph) => paragraph.split("\n"));
  return html`${paragraphs.map((lines) => html`<p>${lines.map((line, at) => html`${at > 0 && BREAK}${line}`)}</p>`)}`;
}

function lineHtml(line: readonly InlineContent[], context: LanguageContext): (SafeHtml | string)[] {
  return line.map((piece) => {
    if (piece === LINE_BREAK) return BREAK;
    if (typeof piece === "string") return piece.replaceAll(" · ", FACT_SEPARATOR);
    if ("code" in piece) return html`<code>${piece.code}</code>`;
    if ("match" in piece) return markHtml(piece);
    if ("seal" in piece) return sealHtml(piece.seal);
    if ("unbroken" in piece) return unbroken(piece.unbroken);
    const { text, language = context.language, pieces = [text] } = piece;
    return linkHtml({ ...piece, pieces, language }, context);
  });
}

/**
 * Keeps words on one line with CSS instead of non-breaking characters. Non-breaking characters would get
 * into copied text, and the browser's search would not find the words.
 */
function unbroken(words: string): SafeHtml {
  return html`<span class="fact">${words}</span>`;
}

type LinkParts = Required<Pick<Anchor, "to" | "language" | "pieces">> & Pick<Anchor, "rel">;

function linkHtml(link: LinkParts, context: LanguageContext): SafeHtml {
  const { pieces, to, language, rel = /^https?:/.test(to) ? "external" : null } = link;
  const words = pieces.map((piece) => {
    if (piece === LINE_BREAK) return BREAK;
    return typeof piece === "string" ? piece : markHtml(piece);
  });
  return html`<a href="${to}"${rel !== null && html` rel="${rel}"`}${languageAttributes(language, context)}>${words}</a>`;
}

function markHtml({ match }: { match: string }): SafeHtml {
  return html`<mark>${match}</mark>`;
}

function pagingHtml({ page, pages, previous, next }: Paging, { list }: SiteTexts): SafeHtml {
  return html`<nav class="paging" aria-label="${list.pages}">${previous !== null && html`<a rel="prev" href="${previous}">${list.previous}</a>`}<span>${list.page(page, pages)}</span>${next !== null && html`<a rel="next" href="${next}">${list.next}</a>`}</nav>\n`;
}

/**
 * Marks words in another language with a `span`. Unlike a block, a `span` does not move
 * right-to-left words to the other side of the page.
 */
function spanIn(
  language: string | undefined,
  words: readonly (SafeHtml | string)[],
  context: LanguageContext,
): SafeHtml {
  const attributes = languageAttributes(language ?? context.language, context);
  return attributes === null ? html`${words}` : html`<span${attributes}>${words}</span>`;
}

/** `lang` and `dir` for text in a language other than the page's; null for the page's own language. */
export function languageAttributes(language: string, context: LanguageContext): SafeHtml | null {
  if (language === context.language) return null;
  const direction = writingDirectionOf(language);
  const isOpposite = direction !== writingDirectionOf(context.language);
  return html` lang="${language}"${isOpposite && html` dir="${direction}"`}`;
}
