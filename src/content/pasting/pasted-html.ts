import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { AppError } from "../../errors.ts";
import { sanitizePaste } from "./allowed-html.ts";
import { convertFootnotes } from "./footnotes.ts";
import { convertToMarkdownTree, parseHtmlTree } from "./html-conversion.ts";
import { convertOfficeMarkup } from "./office-markup.ts";
import { TABLE_HANDLERS } from "./table-handlers.ts";
import { removePastedLayout } from "./tidying.ts";

/** Enough for the HTML that a word processor copies from a document of a few hundred pages. */
const HTML_CHARACTERS_MAX = 2 * 1024 * 1024;
/** The limit after sanitising, which removes style sheets and most attributes. */
const CLEAN_CHARACTERS_MAX = 512 * 1024;

/**
 * Converts HTML that word processors, mail programs and browsers put on the clipboard to Markdown:
 * headings, emphasis, lists, links, quotations, tables and footnotes. Drops fonts, colours and
 * scripts; replaces pictures by their alternative texts. Headings start at level 2, because level 1
 * is the page's title.
 *
 * @throws {AppError} `invalid` if the HTML is too long.
 */
export function convertPasteToMarkdown(html: string): string {
  if (html.length > HTML_CHARACTERS_MAX) throw tooLong();
  const clean = sanitizePaste(html);
  if (clean.length > CLEAN_CHARACTERS_MAX) throw tooLong();
  const tree = convertOfficeMarkup(parseHtmlTree(clean, { fragment: true }));
  const root = convertToMarkdownTree(tree, { handlers: TABLE_HANDLERS });
  const text = toMarkdown(removePastedLayout(convertFootnotes(root)), {
    bullet: "-",
    emphasis: "*",
    rule: "-",
    listItemIndent: "one",
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  });
  return text.normalize("NFC");
}

function tooLong(): AppError {
  return new AppError("invalid", {
    en: "Too much was pasted at once: paste it in parts",
    de: "Das ist zu viel auf einmal: Fügen Sie es in Teilen ein",
  });
}
