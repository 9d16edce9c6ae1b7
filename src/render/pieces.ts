import type { ContentTypes } from "../content/content-type.ts";
import type { ItemSummary, PreparedForm } from "../content/library.ts";
import { basisOf, listedItem } from "../content/pages/lines.ts";
import { blockHtml, lineHtml } from "./block-html.ts";
import { html } from "./html.ts";
import { blockText, lineText } from "./page-markdown.ts";

/** Stands in a piece where something is put in later; no text contains it, see `withoutMarks`. */
export const MARK = "\u0001";

export interface PieceContext {
  types: ContentTypes;
  origin: string;
}

/** Each form in two parts, between which something may be put. */
export type Piece = readonly [start: string, end: string];

/**
 * An item as it stands in any list. Between its parts comes on what basis it is listed. Its language
 * is stated, as if no page were in it, and it links to all whose words it holds.
 */
export function cardPieces(item: ItemSummary, context: PieceContext): Record<PreparedForm, Piece> {
  const block = listedItem(withoutMarks(item), context.types, MARK);
  const page = { origin: context.origin, language: "" };
  return {
    html: cut(blockHtml(block, page).text.replace(LIST_ENDS, "")),
    markdown: cut(blockText(block, context.origin)),
  };
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

function cut(text: string): Piece {
  const at = text.indexOf(MARK);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + MARK.length)];
}

/** Characters that mean nothing are refused where texts are written, but a body may spell one. */
function withoutMarks<T extends ItemSummary>(item: T): T {
  if (!item.summary.includes(MARK) && !item.text.includes(MARK)) return item;
  const [summary, text] = [item.summary, item.text].map((part) => part.replaceAll(MARK, ""));
  return { ...item, summary: summary ?? "", text: text ?? "" };
}
