import { Parser } from "htmlparser2";
import type { Token } from "markdown-it";
import { copyTokenWithChanges, createReplacementTextToken } from "../pictures.ts";

const LINK_TAG = /^<a[\s/>]/i;
const LINK_END_TAG = /^<\/a\s*>/i;
const PICTURE_TAG = /^<img[\s/>]/i;
const LINK_OR_PICTURE_TAG = /^<(?:\/?a|img)[\s/>]/i;
/** The start tag of an embedded page or a recording, which becomes a link in the HTML. */
const EMBED_TAG = /^<(?:iframe|video|audio)[\s>]/i;

/**
 * Converts links and pictures in raw HTML to Markdown tokens. As in browsers, a link ends where the next
 * link begins, or at the end of its paragraph. Drops links without an address and links without content.
 * Also drops links inside a Markdown link, because links cannot be nested.
 */
export function convertRawHtmlLinks(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some((token) => isTag(token, LINK_OR_PICTURE_TAG))) return tokens;
  const shown: Token[] = [];
  let start: number | null = null;
  let isInLink = false;
  for (const token of tokens) {
    if (startsLink(token) || isTag(token, LINK_END_TAG)) {
      endLink(shown, start);
      start = null;
    }
    if (token.type === "link_open") isInLink = true;
    if (token.type === "link_close") isInLink = false;
    const link = isInLink ? null : linkStart(token);
    if (link !== null) start = shown.length;
    shown.push(link ?? pictureOf(token) ?? token);
  }
  endLink(shown, start);
  return shown;
}

/** Ends the link that starts at `start`, or removes it if it has no content. */
function endLink(shown: Token[], start: number | null): void {
  const open = start === null ? undefined : shown[start];
  if (start === null || open === undefined) return;
  if (shown.slice(start + 1).some(isContent)) shown.push(linkEnd(open));
  else shown.splice(start, 1);
}

/** Whether a token is the start of an embedded page or a recording in raw HTML. */
export function isEmbed(token: Token): boolean {
  return isTag(token, EMBED_TAG);
}

function isTag({ type, content }: Token, tag: RegExp): boolean {
  return type === "html_inline" && tag.test(content);
}

function startsLink(token: Token): boolean {
  return token.type === "link_open" || isEmbed(token) || isTag(token, LINK_TAG);
}

function isContent(token: Token): boolean {
  if (token.type === "image") return true;
  return token.type !== "html_inline" && token.content.trim() !== "";
}

/**
 * The start of a link; null for other tags and for an anchor without an address, such as `<a
 * name="x">`.
 */
function linkStart(tag: Token): Token | null {
  if (!isTag(tag, LINK_TAG)) return null;
  const { href, title = "" } = attributesOf(tag);
  if (href === undefined) return null;
  const attrs: [string, string][] = [
    ["href", href],
    ["title", title],
  ];
  return copyTokenWithChanges(tag, { type: "link_open", tag: "a", nesting: 1, attrs, content: "" });
}

function linkEnd(start: Token): Token {
  return copyTokenWithChanges(start, { type: "link_close", nesting: -1, attrs: null });
}

/**
 * The token of a picture or, if it has no address, of its alternative text; null for other tags.
 */
function pictureOf(tag: Token): Token | null {
  if (!isTag(tag, PICTURE_TAG)) return null;
  const { src, alt = "", title = "" } = attributesOf(tag);
  const words = createReplacementTextToken(tag, alt);
  if (src === undefined) return words;
  const attrs: [string, string][] = [
    ["src", src],
    ["title", title],
  ];
  return copyTokenWithChanges(tag, {
    type: "image",
    tag: "img",
    attrs,
    content: alt,
    children: [words],
  });
}

function attributesOf({ content }: Token): Readonly<Record<string, string>> {
  let found: Readonly<Record<string, string>> = {};
  const parser = new Parser({
    onopentag(_, attributes) {
      found = attributes;
    },
  });
  parser.end(content);
  return found;
}
