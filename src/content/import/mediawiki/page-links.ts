import { headingId } from "../../addresses/heading-id.ts";
import { escapeHtml } from "../wordpress/shortcodes.ts";
import { kindOfNamespaceWithoutText, NAMESPACES, type PageNames } from "./page-names.ts";
import { decodeLinkTarget, decodeSectionName, encodeTitleForUrl } from "./wiki-addresses.ts";
import { convertFileLinkToHtml, type WikiFileContext } from "./wiki-files.ts";

/** Context and callbacks for converting the links of a page. */
export interface WikiLinkContext extends WikiFileContext {
  names: PageNames;
  /** Full title of the page itself, for links to its sections and the pages below it. */
  title: string;
  /** Language of the wiki: `de`. Links to Wikipedia lead to the Wikipedia in that language. */
  language: string;
  /** The address of a page by its full title. */
  pageUrl(title: string): string;
  hasPage(title: string): boolean;
  /** Called with the title of each category of the page. */
  onCategory(title: string): void;
  /** Called for a link to the same page in another language. */
  onTranslation(): void;
  /** Called with the title of a page that the dump does not have; the link becomes plain text. */
  onMissingPage(title: string): void;
}

const MARK = /\[\[|\]\]|\|/g;
/** Maximum depth of nested brackets, such as a link in the caption of a picture. */
const DEPTH_MAX = 5;
/** Matches letters directly after a link. These letters are part of the link's text, as in `[[rose]]s`. */
const TRAIL = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]{1,100}/u;

/** Replaces the links, pictures and categories of a text. Unmatched brackets stay text. */
export function convertLinksToHtml(text: string, context: WikiLinkContext): string {
  /**
   * `open` begins with the text outside all brackets. Then comes the text in each pair of brackets that is
   * still open. Each text is a list of fields, which `|` separates.
   */
  const open: string[][] = [[""]];
  let at = 0;
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (index < at) continue;
    append(open, text.slice(at, index));
    at = index + mark.length;
    const isWithin = open.length > 1;
    if (mark === "[[" && open.length <= DEPTH_MAX) open.push([""]);
    else if (mark === "|" && isWithin) open.at(-1)?.push("");
    else if (mark === "]]" && isWithin) at += close(open, text.slice(at, at + 100), context);
    else append(open, mark);
  }
  append(open, text.slice(at));
  return open.map((fields) => fields.join("|")).join("[[");
}

/**
 * Closes the innermost brackets.
 *
 * @returns the number of characters to skip after the brackets.
 */
function close(open: string[][], after: string, context: WikiLinkContext): number {
  const trail = TRAIL.exec(after)?.[0] ?? "";
  const { html, isTrailUsed } = replacement(open.pop() ?? [], trail, context);
  append(open, html);
  // If a link at the start of a line shows nothing, skips the spaces after it: a line that begins with a
  // space would be preformatted.
  const isAtStart = html === "" && /(?:^|\n)$/.test(open.at(-1)?.at(-1) ?? "");
  if (isAtStart) return /^[ \t]*/.exec(after)?.[0].length ?? 0;
  return isTrailUsed ? trail.length : 0;
}

function append(open: readonly string[][], text: string): void {
  const fields = open.at(-1) ?? [];
  fields.push((fields.pop() ?? "") + text);
}

interface Replacement {
  html: string;
  isTrailUsed: boolean;
}

function replacement(
  [written = "", ...rest]: readonly string[],
  trail: string,
  context: WikiLinkContext,
): Replacement {
  const { names, onCategory } = context;
  const target = decodeLinkTarget(written.trim());
  const alone = (html: string) => ({ html, isTrailUsed: false });
  if (!isTitle(target)) return alone(`[[${[written, ...rest].join("|")}]]`);
  const isNamed = target.startsWith(":");
  const bare = target.replace(/^:\s*/, "");
  const name = names.parse(bare);
  if (!isNamed && name.namespace === NAMESPACES.category) {
    onCategory(name.title);
    return alone("");
  }
  if (!isNamed && name.namespace === NAMESPACES.file) {
    return alone(convertFileLinkToHtml(name.title, rest, context));
  }
  const elsewhere = otherWiki(bare, isNamed || rest.length > 0, context);
  if (elsewhere === "") return alone("");
  const shownWords = rest.join("|").trim() === "" ? bare.replace(/^\/|\/$/g, "") : rest.join("|");
  const words = shownWords + trail;
  const shown = words.replaceAll("\n", " ");
  const href = elsewhere ?? linkAddress(target, context);
  if (href === null) return { html: shown, isTrailUsed: true };
  const { kept } = context;
  return {
    html: `${kept.keep(`<a href="${escapeHtml(href)}">`)}${shown}${kept.keep("</a>")}`,
    isTrailUsed: true,
  };
}

/** Whether a title is valid. Placeholders, which represent HTML, cannot be part of a title. */
function isTitle(target: string): boolean {
  return target !== "" && target.length <= 500 && !/[[\]{}<>\u007f\n]/.test(target);
}

/** The address that a link leads to; null: the dump does not have the page. */
function linkAddress(target: string, context: WikiLinkContext): string | null {
  const { names, title, pageUrl, fileUrl, hasPage, onMissingPage } = context;
  const [page = "", ...section] = target.split("#");
  const fragment =
    section.length === 0 ? "" : `#${headingId(decodeSectionName(section.join("#")))}`;
  if (page === "") return fragment;
  const name = names.parse(wholeTitle(page, title));
  if (name.namespace === NAMESPACES.media) return fileUrl(name.title);
  const full = names.full(name);
  const isKnown = name.namespace === NAMESPACES.category || hasPage(full);
  if (isKnown && kindOfNamespaceWithoutText(name.namespace) === undefined)
    return pageUrl(full) + fragment;
  onMissingPage(full);
  return null;
}

/** Resolves a title that is relative to a page: `/Below`, `../Beside`. */
function wholeTitle(written: string, title: string): string {
  if (written.startsWith("/")) return title + written.replace(/\/$/, "");
  if (!written.startsWith("../")) return written.replace(/^:\s*/, "");
  const above = title.split("/");
  let rest = written;
  for (; rest.startsWith("../"); rest = rest.slice(3)) above.pop();
  return [...above, rest.replace(/\/$/, "")].filter((part) => part !== "").join("/");
}

/** Hosts of other wikis, keyed by the usual prefix of links to the wiki. */
const OTHER_WIKIS: Readonly<Record<string, string>> = {
  ...{ w: "wikipedia.org", wikipedia: "wikipedia.org", wikt: "wiktionary.org" },
  ...{ wiktionary: "wiktionary.org", s: "wikisource.org", wikisource: "wikisource.org" },
  ...{ q: "wikiquote.org", wikiquote: "wikiquote.org", b: "wikibooks.org", n: "wikinews.org" },
  ...{ wikibooks: "wikibooks.org", voy: "wikivoyage.org", v: "wikiversity.org" },
  ...{ c: "commons.wikimedia.org", commons: "commons.wikimedia.org", m: "meta.wikimedia.org" },
  ...{ meta: "meta.wikimedia.org", d: "www.wikidata.org", mw: "www.mediawiki.org" },
};

/**
 * The address of a target on another wiki, such as `w:Rose` or `w:de:Rose`. Empty for a link to the same
 * page in another language. Null: the target is on this wiki.
 */
function otherWiki(target: string, isNamed: boolean, context: WikiLinkContext): string | null {
  const { names, hasPage, language, onTranslation } = context;
  const [prefix = "", ...rest] = target.split(":");
  const name = prefix.trim().toLowerCase();
  if (rest.length === 0 || hasPage(names.full(names.parse(target)))) return null;
  const host = Object.hasOwn(OTHER_WIKIS, name) ? OTHER_WIKIS[name] : undefined;
  if (host === undefined) {
    if (isNamed || rest.length > 1 || !isLanguage(name)) return null;
    onTranslation();
    return "";
  }
  const [first = "", ...more] = rest;
  const hasLanguage = more.length > 0 && isLanguage(first.trim().toLowerCase());
  const title = (hasLanguage ? more : rest).join(":").trim();
  const hasLanguages = !/^(?:commons|meta|www)\./.test(host);
  const subdomain = hasLanguages ? `${hasLanguage ? first.trim() : language || "en"}.` : "";
  return `https://${subdomain}${host}/wiki/${encodeTitleForUrl(title)}`;
}

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language", fallback: "none" });

function isLanguage(code: string): boolean {
  return /^[a-z]{2,3}$/.test(code) && LANGUAGES.of(code) !== undefined;
}
