import type { ContentTypes } from "../content/content-type.ts";
import type { ItemSummary, PreparedForm, PublishedItem } from "../content/library.ts";
import { ownBlocks } from "../content/pages/item-page.ts";
import { basisOf, isQuotation, listedItem } from "../content/pages/lines.ts";
import { blockHtml, lineHtml } from "./block-html.ts";
import { html } from "./html.ts";
import { quoteYaml } from "./markdown-text.ts";
import { headParts, mainHtml } from "./page-html.ts";
import { blockText, lineText, mainText } from "./page-markdown.ts";

/** Stands in a piece where something is put in later; no text contains it, see `withoutMarks`. */
export const MARK = "\u0001";

interface PieceContext {
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

/**
 * What the page of an item says of the item itself. Between the parts comes its body; the second is
 * null where there is none to come. The first begins with what the head needs, each with a mark
 * behind it: in HTML title, description, preview, structured data; in Markdown title and description
 * as YAML. An empty description follows from counts.
 */
export function pagePieces(
  published: PublishedItem,
  context: PieceContext,
): Record<PreparedForm, readonly [string, string | null]> {
  const item = withoutMarks(published);
  const { title, language, translations, summary: description } = item;
  const isQuoted = isQuotation(context.types, item.type);
  const hasBody = item.markdown !== "";
  const blocks = (html: string, markdown: string) =>
    ownBlocks({ ...item, html, markdown }, context.types);
  const view = { title, language, translations };
  const main = mainHtml({ ...view, blocks: blocks(MARK, item.markdown) }, context.origin);
  // Each line of a quotation has its own mark, so that its body stands in the piece.
  const body = isQuoted ? item.markdown : hasBody ? MARK : "";
  const text = mainText({ ...view, blocks: blocks(MARK, body) }, context.origin);
  const subject = { kind: "item", item } as const;
  const described = description === "" ? MARK : description;
  const head = headParts({ title, description: described, subject }, context);
  const isDescribed = description !== "";
  return {
    html: before(
      [head.title, isDescribed ? head.description : "", head.preview, head.entities],
      hasBody ? cut(main) : [main, null],
    ),
    markdown: before(
      [quoteYaml(title), isDescribed ? quoteYaml(description) : ""],
      hasBody && !isQuoted ? cut(text) : [text, null],
    ),
  };
}

function before(
  head: readonly string[],
  [start, end]: readonly [string, string | null],
): readonly [string, string | null] {
  const marked = head.map((part) => part.replaceAll(MARK, "") + MARK);
  return [marked.join("") + start, end];
}

function cut(text: string): [string, string] {
  const at = text.indexOf(MARK);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + MARK.length)];
}

/** Characters that mean nothing are refused where texts are written, but a body may spell one. */
function withoutMarks<T extends ItemSummary>(item: T): T {
  if (!item.summary.includes(MARK) && !item.text.includes(MARK)) return item;
  const [summary, text] = [item.summary, item.text].map((part) => part.replaceAll(MARK, ""));
  return { ...item, summary: summary ?? "", text: text ?? "" };
}
