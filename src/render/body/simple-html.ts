import type { Token } from "markdown-it";

/** Types of tokens whose HTML has no attributes that need sanitising. */
const SIMPLE_BLOCKS: ReadonlySet<string> = new Set([
  "paragraph_open",
  "paragraph_close",
  "heading_open",
  "heading_close",
  "blockquote_open",
  "blockquote_close",
  "bullet_list_open",
  "bullet_list_close",
  "ordered_list_open",
  "ordered_list_close",
  "list_item_open",
  "list_item_close",
  "hr",
  "inline",
]);
const SIMPLE_INLINES: ReadonlySet<string> = new Set([
  "text",
  "softbreak",
  "hardbreak",
  "em_open",
  "em_close",
  "strong_open",
  "strong_close",
]);
/** A block with more inline tokens might nest elements deeper than the sanitiser allows. */
const INLINES_MAX = 40;

const INLINE_TAG = /<\/?(?:em|strong)>/g;
const BLOCK_TAG = /<[^>]*>/g;
const ESCAPED_CHARACTER = /&(?:lt|gt|amp);/g;
const CHARACTERS_BY_ENTITY: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};

/**
 * Whether the body has only text, emphasis, headings, lists, quotations and rules, and needs no sanitising.
 */
export function isSimpleMarkup(tokens: readonly Token[]): boolean {
  return tokens.every(({ type, children }) => {
    if (!SIMPLE_BLOCKS.has(type)) return false;
    if (children === null) return true;
    return (
      children.length <= INLINES_MAX && children.every((child) => SIMPLE_INLINES.has(child.type))
    );
  });
}

/** Gives the same output as the sanitiser for simple HTML, at a tenth of the cost. */
export function sanitizeSimpleHtml(written: string): string {
  return written
    .replaceAll("&quot;", '"')
    .replaceAll("<br>", "<br />")
    .replaceAll("<hr>", "<hr />")
    .trim();
}

/** Gives the same output as `textOfHtml` for simple HTML without ordered lists. */
export function textOfSimpleHtml(clean: string): string {
  const text = clean
    .replace(INLINE_TAG, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll("<br />", "\n")
    .replace(BLOCK_TAG, "\n\n")
    .replace(ESCAPED_CHARACTER, (escaped) => CHARACTERS_BY_ENTITY[escaped] ?? escaped);
  return normalizeLineBreaks(text);
}

/** Ends lines with one line feed and paragraphs with two; other white space becomes a single space. */
export function normalizeLineBreaks(text: string): string {
  return text
    .replaceAll(/ *\n[ \n]*/g, (ends) => (ends.split("\n").length > 2 ? "\n\n" : "\n"))
    .replaceAll(/ {2,}/g, " ")
    .trim();
}
