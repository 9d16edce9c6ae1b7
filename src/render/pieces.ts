import type { ContentTypes } from "../content/content-type.ts";
import type { ItemSummary, PreparedForm } from "../content/library.ts";
import { basisOf, isQuotation, listedItem } from "../content/pages/lines.ts";
import { blockHtml, languageAttributes, lineHtml } from "./block-html.ts";
import { html } from "./html.ts";
import { blockText, lineText } from "./page-markdown.ts";

/** Stands where something is put in later; no text contains it, see `withoutMarks`. */
const MARK = "\u0001";

export interface PieceContext {
  types: ContentTypes;
  origin: string;
  /** Of most pages. */
  siteLanguage: string;
}

/** An item as it stands in any list. */
export interface CardPieces {
  /** How HTML marks its language on a page in another one, written from left to right. */
  mark: string;
  /** Is it in another language than the site, so that its HTML has the mark in it? */
  isMarked: boolean;
  html: HtmlCard;
  markdown: Card;
}

/** Between both parts is put on what basis it is listed, where that is told. */
interface Card {
  start: string;
  end: string;
}

/** On a page in the site's language; the mark stands, or would stand on others, at these bytes of the start. */
interface HtmlCard extends Card {
  /** Before its words; 0: it has none. */
  wordsAt: number;
  nameAt: number;
}

/** It links to all whose words it holds. */
export function cardPieces(item: ItemSummary, context: PieceContext): CardPieces {
  const block = listedItem(withoutMarks(item), context.types, MARK);
  const page = { origin: context.origin, language: "" };
  const mark = languageMark(item.language);
  const isMarked = item.language !== context.siteLanguage;
  const between = blockHtml(block, page).text.replace(LIST_ENDS, "").split(mark);
  const [before = "", words = ""] = between;
  const hasWords = between.length > 2;
  const shown = isMarked ? mark : "";
  const html = {
    ...cut(between.join(shown)),
    wordsAt: hasWords ? Buffer.byteLength(before) : 0,
    nameAt: Buffer.byteLength(hasWords ? before + shown + words : before),
  };
  return { mark, isMarked, html, markdown: cut(blockText(block, context.origin)) };
}

/** How HTML marks the language of an item on a page in another one, written from left to right. */
export function languageMark(language: string): string {
  return languageAttributes(language, { language: "" })?.text ?? "";
}

/** What stands between two items of a list. */
export function betweenCards(form: PreparedForm, types: ContentTypes, type: string): string {
  if (form === "html") return "";
  return isQuotation(types, type) ? "\n\n" : "\n";
}

/** What a list of entries is within, which is the same for all of them. */
export const LIST_START = '<ul class="entries">\n';
export const LIST_END = "</ul>\n";
const LIST_ENDS = new RegExp(`^${LIST_START}|${LIST_END}$`, "g");

/** On what basis an item is listed, to stand between the parts of its card. */
export function basisPieces(note: string, origin: string): Record<PreparedForm, string> {
  const line = [basisOf(note)];
  return {
    html: html`${lineHtml(line, { origin, language: "" })}`.text,
    markdown: lineText(line, origin, "inside"),
  };
}

function cut(text: string): Card {
  const at = text.indexOf(MARK);
  return { start: text.slice(0, at), end: text.slice(at + MARK.length) };
}

/** Characters that mean nothing are refused where texts are written, but a body may spell one. */
function withoutMarks<T extends ItemSummary>(item: T): T {
  if (!item.summary.includes(MARK) && !item.text.includes(MARK)) return item;
  const [summary, text] = [item.summary, item.text].map((part) => part.replaceAll(MARK, ""));
  return { ...item, summary: summary ?? "", text: text ?? "" };
}
