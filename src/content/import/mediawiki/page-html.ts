import type { Wording } from "../../../errors.ts";
import type { ExpansionContext } from "./expansion-context.ts";
import {
  replaceExtensionWithPlaceholder,
  type WikiFootnote,
  WikiFootnotes,
} from "./extension-html.ts";
import { HtmlPlaceholders } from "./html-placeholders.ts";
import { escapeAngleBrackets, keepAllowedTags } from "./html-tags.ts";
import { extractOwnPageText } from "./inclusion.ts";
import { convertLineToInlineHtml } from "./line-marks.ts";
import { convertLinksToHtml, type WikiLinkContext } from "./page-links.ts";
import { expandTemplates } from "./template-expansion.ts";
import { WikitextLossCounter } from "./wiki-losses.ts";
import { convertBlocksToHtml } from "./wikitext-blocks.ts";
import { parseWikitext } from "./wikitext-parts.ts";

/** Context for converting the pages of a wiki. */
export interface WikiContext
  extends Pick<WikiLinkContext, "names" | "language" | "pageUrl" | "fileUrl">,
    Pick<ExpansionContext, "templateParts" | "hasPage" | "siteName"> {}

export interface WikiPageHtml {
  html: string;
  footnotes: WikiFootnote[];
  /** Titles of categories, without the namespace. */
  categories: string[];
  /** Names of the uploaded files that the page shows or links to. */
  files: string[];
  /** Messages about what was changed or left out. */
  notes: Wording[];
  /** Whether templates made the page longer than the limit. */
  isTooLong: boolean;
}

/**
 * Removes references to control characters, such as `&#127;`, because no text may contain these characters.
 */
function withoutControls(html: string): string {
  return html.replaceAll(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));?/gi, (written, hex, decimal) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    const isControl = code < 32 || (code >= 127 && code < 160);
    return isControl && code !== 9 && code !== 10 ? "" : written;
  });
}

/** Limits on the expansion of the templates of a page. */
const EXPANDED_CHARACTERS_MAX = 2 * 1024 * 1024;
const STEPS_MAX = 200_000;
/** Maximum depth of nested elements, such as a picture in a footnote. */
const DEPTH_MAX = 5;

/**
 * Converts the wikitext of a page to HTML, and expands templates from the dump. The rules:
 * https://www.mediawiki.org/wiki/Help:Formatting
 *
 * @param wikitext must not contain characters that delimit placeholders, and neither may the templates.
 * @param title the full title of the page.
 */
export function convertWikiPageToHtml(
  wikitext: string,
  title: string,
  wiki: WikiContext,
): WikiPageHtml {
  const kept = new HtmlPlaceholders();
  const footnotes = new WikiFootnotes();
  const categories = new Set<string>();
  const files = new Set<string>();
  const losses = new WikitextLossCounter();
  const links: WikiLinkContext = {
    ...wiki,
    ...{ kept, title },
    fileUrl(name) {
      files.add(name);
      return wiki.fileUrl(name);
    },
    onCategory: (category) => categories.add(category),
    onTranslation: () => losses.add("translation", ""),
    onMissingPage: (missing) => losses.add("page", missing),
  };
  let depth = 0;
  const expansion: ExpansionContext = {
    ...wiki,
    page: wiki.names.parse(title),
    charactersLeft: EXPANDED_CHARACTERS_MAX,
    stepsLeft: STEPS_MAX,
    onUnknown: (name) => losses.add("template", name),
    onLimit: (name) => losses.add("limit", name),
    onExtension: (extension) =>
      replaceExtensionWithPlaceholder(extension, {
        ...{ kept, footnotes, links, phraseHtml },
        onLeftOut: (element) => losses.add("element", element),
      }),
  };
  const linked = (text: string) =>
    convertLinksToHtml(
      keepAllowedTags(expandTemplates(parseWikitext(text), expansion), kept),
      links,
    );
  function phraseHtml(text: string): string {
    if (depth >= DEPTH_MAX) return escapeAngleBrackets(text);
    depth += 1;
    const html = kept.restored(convertLineToInlineHtml(linked(text).replaceAll("\n", " "), kept));
    depth -= 1;
    return html;
  }
  const text = linked(extractOwnPageText(wikitext));
  const html = withoutControls(
    kept.restored(convertBlocksToHtml(text, (line) => convertLineToInlineHtml(line, kept))),
  );
  return {
    ...{ html, categories: [...categories], footnotes: footnotes.all() },
    ...{ files: [...files], notes: losses.notes() },
    isTooLong: expansion.charactersLeft < 0 || kept.isFull,
  };
}
