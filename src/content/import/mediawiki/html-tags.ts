import { escapeHtml } from "../wordpress/shortcodes.ts";
import type { HtmlPlaceholderPosition, HtmlPlaceholders } from "./html-placeholders.ts";

/**
 * Block elements that wikitext may contain. {@link PHRASES} lists the inline ones. Any other tag is shown
 * as text, as on the wiki.
 */
const BLOCKS: ReadonlySet<string> = new Set(
  "blockquote caption center dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);
const PHRASES: ReadonlySet<string> = new Set(
  "abbr b bdi bdo big br cite code data del dfn em font i ins kbd mark q rb rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const TAG = /<(\/?)([a-z][a-z0-9]{0,11})(\s[^<>]{0,2000}|\/)?>/gi;
const KEPT_ATTRIBUTES = /\b(colspan|rowspan|start)\s*=\s*["']?(\d{1,4})/gi;

/** Keeps the tags that wikitext may contain, and escapes all others. */
export function keepAllowedTags(text: string, kept: HtmlPlaceholders): string {
  let result = "";
  let at = 0;
  for (const found of text.matchAll(TAG)) {
    const [whole, slash = "", written = "", attributes = ""] = found;
    const name = written.toLowerCase();
    const isBlock = BLOCKS.has(name);
    if (!isBlock && !PHRASES.has(name)) continue;
    const isEnd = slash === "/" || name === "hr";
    const place: HtmlPlaceholderPosition = !isBlock ? "I" : isEnd ? "E" : "B";
    const tag = `<${slash}${name}${slash === "" ? keptAttributes(attributes) : ""}>`;
    result += escapeAngleBrackets(text.slice(at, found.index)) + kept.keep(tag, place);
    at = found.index + whole.length;
  }
  return result + escapeAngleBrackets(text.slice(at));
}

/** Returns the attributes that change the meaning of a cell or a list. */
export function keptAttributes(attributes: string): string {
  return [...attributes.matchAll(KEPT_ATTRIBUTES)]
    .map(([, name = "", number = ""]) => ` ${name.toLowerCase()}="${escapeHtml(number)}"`)
    .join("");
}

/** Escapes angle brackets, but keeps entities. */
export function escapeAngleBrackets(text: string): string {
  return text.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
