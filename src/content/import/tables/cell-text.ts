import type { PhrasingContent, RootContent } from "mdast";
import { convertHtmlToMarkdown, serializeMarkdown } from "../html/html-page.ts";

/** The markup in the texts of a column. */
export type TextMarkup = "plain" | "markdown" | "html";

const HTML_ELEMENT = /<(?:p|br|b|i|em|strong|a|ul|ol|li|div|span|h[1-6]|blockquote|img)\b[^<>]*>/i;
const MARKDOWN_SYNTAX =
  /\]\(|\*\*\S|^#{1,6} \S|^ {0,3}(?:[-*]|\d+\.) \S.*\n {0,3}(?:[-*]|\d+\.) \S/m;

/**
 * Detects the markup in the texts of a column. Texts without markup are plain: all characters and
 * line breaks are shown as they are.
 */
export function detectTextMarkup(texts: Iterable<string>): TextMarkup {
  let form: TextMarkup = "plain";
  for (const text of texts) {
    if (HTML_ELEMENT.test(text)) return "html";
    if (MARKDOWN_SYNTAX.test(text)) form = "markdown";
  }
  return form;
}

/** The text of a cell as Markdown; null if its HTML nests too deep. */
export function convertCellToMarkdown(text: string, form: TextMarkup): string | null {
  if (form === "markdown") return text;
  if (form === "html" && HTML_ELEMENT.test(text))
    return convertHtmlToMarkdown(withParagraphs(text))?.markdown.trim() ?? null;
  return markdownOfPlain(text);
}

/**
 * Adds paragraphs to HTML without block elements, because HTML from databases often has plain line
 * breaks.
 */
function withParagraphs(html: string): string {
  if (/<(?:p|div|br|li|h[1-6]|blockquote)\b/i.test(html)) return html;
  return html
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll("\n", "<br>")}</p>`)
    .join("\n");
}

function markdownOfPlain(text: string): string {
  const children = text
    .trim()
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph): RootContent => ({ type: "paragraph", children: linesOf(paragraph) }));
  return serializeMarkdown({ type: "root", children }).trim();
}

function linesOf(paragraph: string): PhrasingContent[] {
  return paragraph
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .flatMap((value, at): PhrasingContent[] => [
      ...(at === 0 ? [] : [{ type: "break" as const }]),
      { type: "text", value },
    ]);
}
