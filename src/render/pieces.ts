import type { ContentTypes } from "../content/content-type.ts";
import type { ItemSummary, PreparedForm } from "../content/library.ts";
import { basisOf, type ListBlock, listedItem } from "../content/pages/lines.ts";
import { blockHtml, lineHtml } from "./block-html.ts";
import { html } from "./html.ts";
import { blockText, lineText } from "./page-markdown.ts";

/** Stands in a piece where something is put in later; no text contains it, see `withoutMarks`. */
export const MARK = "\u0001";

export interface PieceContext {
  types: ContentTypes;
  origin: string;
}

/** A form in three parts: between the first two come the words, and before the last what is put in. */
export type Piece = readonly [start: string, rest: string, end: string];

/** An item as it stands in any list. */
export interface CardPieces {
  /** What both forms say alike, which is most of a quotation; empty when they say it differently. */
  words: string;
  html: Piece;
  markdown: Piece;
}

/**
 * Before the last part of each form comes on what basis the item is listed. Its language is stated,
 * as if no page were in it, and it links to all whose words it holds.
 */
export function cardPieces(item: ItemSummary, context: PieceContext): CardPieces {
  const block = listedItem(withoutMarks(item), context.types, MARK);
  const page = { origin: context.origin, language: "" };
  const inHtml = blockHtml(block, page).text.replace(LIST_ENDS, "");
  const inMarkdown = blockText(block, context.origin);
  const said = wordsOf(block);
  const words = inHtml.includes(said) && inMarkdown.includes(said) ? said : "";
  return { words, html: cut(inHtml, words), markdown: cut(inMarkdown, words) };
}

/** In an entry the words come behind the place for its basis. */
function wordsOf(block: ListBlock): string {
  const text = block.kind === "quotes" ? block.quotes[0]?.text : undefined;
  return typeof text === "string" ? text : "";
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

function cut(text: string, words: string): Piece {
  const at = text.indexOf(words);
  const [start, after] = [text.slice(0, at), text.slice(at + words.length)];
  const mark = after.indexOf(MARK);
  if (mark < 0) return [start, after, ""];
  return [start, after.slice(0, mark), after.slice(mark + MARK.length)];
}

/** Characters that mean nothing are refused where texts are written, but a body may spell one. */
function withoutMarks<T extends ItemSummary>(item: T): T {
  if (!item.summary.includes(MARK) && !item.text.includes(MARK)) return item;
  const [summary, text] = [item.summary, item.text].map((part) => part.replaceAll(MARK, ""));
  return { ...item, summary: summary ?? "", text: text ?? "" };
}
