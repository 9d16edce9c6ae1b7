import type { Token } from "markdown-it";
import {
  escapeInline,
  escapeLineStart,
  escapeLinkDestination,
  formatCodeSpan,
} from "../markdown-text.ts";
import { copyTokenWithChanges } from "../pictures.ts";
import {
  type LinkDestination,
  resolveImageDestination,
  resolveLinkDestination,
} from "../site-links.ts";
import { sanitizeBody } from "./body-html.ts";
import { markdownOfSanitizedHtml } from "./html-text.ts";
import { footnoteNumber, taskCheckboxMarkdown } from "./markdown-extensions.ts";
import { convertRawHtmlLinks, isEmbed } from "./raw-links.ts";
import { replaceRecordingsWithLinks } from "./recordings.ts";

/** Matches a tag of `<q>`, which browsers show as a quotation mark. */
const QUOTE_TAG = /^<\/?q[\s>]/i;

const BREAK_TAG = /^<br[\s/>]/i;
const LINE_BREAK = "\\\n";

const RECORDING_TAG = /^<(?<end>\/?)(?<name>video|audio)[\s>]/i;

/**
 * Serializes inline tokens as Markdown. In raw HTML, keeps links and pictures, replaces embedded
 * pages and recordings with links, and drops other tags, but not the text between them.
 */
export function serializeInlineAsMarkdown(inline: readonly Token[], origin: string): string {
  const tokens = withBreaks(convertRawHtmlLinks(withWholeRecordings(inline)));
  const open: { destination: LinkDestination | null; token: Token }[] = [];
  const pieces = tokens.map((token, at) => {
    switch (token.type) {
      case "text":
      case "text_special":
        return plainText(token.content, nextShown(tokens, at));
      case "link_open": {
        const destination = resolveLinkDestination(String(token.attrGet("href") ?? ""), origin);
        open.push({ destination, token });
        return destination === null ? "" : "[";
      }
      case "link_close": {
        const opening = open.pop();
        return opening?.destination ? `](${target(opening.destination, opening.token)})` : "";
      }
      case "image":
        return image(token, origin);
      case "code_inline":
        return formatCodeSpan(token.content);
      case "softbreak":
        return "\n";
      case "hardbreak":
        return LINE_BREAK;
      case "footnote_ref":
        return `[^${footnoteNumber(token)}]`;
      case "task":
        return taskCheckboxMarkdown(token);
      case "file_note":
        return ` (${token.content})`;
      case "html_inline":
        if (isEmbed(token)) return markdownOfUnsanitizedHtml(token.content, origin);
        return QUOTE_TAG.test(token.content) ? '"' : "";
      default:
        return token.markup;
    }
  });
  // A break at the end of a block would be a backslash.
  const end = pieces.findLastIndex((piece) => piece !== LINE_BREAK && piece.trim() !== "") + 1;
  return pieces
    .slice(0, end)
    .join("")
    .split("\n")
    .map((line) => escapeLineStart(line.trimStart()))
    .join("\n")
    .trim();
}

/** Like {@link serializeInlineAsMarkdown}, for blocks of a single line, such as table cells. */
export function serializeLineAsMarkdown(inline: readonly Token[], origin: string): string {
  const tokens = inline.map((token) =>
    isBreakTag(token) ? copyTokenWithChanges(token, { type: "text", content: " " }) : token,
  );
  return serializeInlineAsMarkdown(tokens, origin).replaceAll("\n", " ");
}

/** Replaces `<br>`, and a line break in the source after it, by a hard line break. */
function withBreaks(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(isBreakTag)) return tokens;
  return tokens.flatMap((token, at) => {
    if (isBreakTag(token)) return [copyTokenWithChanges(token, { type: "hardbreak", content: "" })];
    return token.type === "softbreak" && isBreakTag(tokens[at - 1]) ? [] : [token];
  });
}

function isBreakTag(token: Token | undefined): boolean {
  return token?.type === "html_inline" && BREAK_TAG.test(token.content);
}

/** The next token that is not a dropped tag. */
function nextShown(tokens: readonly Token[], at: number): Token | undefined {
  for (let next = at + 1; next < tokens.length; next += 1) {
    const token = tokens[next];
    if (token !== undefined && !isDroppedTag(token)) return token;
  }
  return undefined;
}

function isDroppedTag(token: Token): boolean {
  return token.type === "html_inline" && !isEmbed(token) && !QUOTE_TAG.test(token.content);
}

/** Converts raw HTML to Markdown. Keeps only the text and the links of the HTML. */
export function markdownOfUnsanitizedHtml(html: string, origin: string): string {
  return markdownOfSanitizedHtml(sanitizeBody(html, { origin }), origin);
}

/**
 * Merges the tokens of each recording into one token of HTML. Drops the content of a recording,
 * which is for browsers without players.
 */
function withWholeRecordings(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(({ type, content }) => type === "html_inline" && RECORDING_TAG.test(content))) {
    return tokens;
  }
  const whole: Token[] = [];
  let open: { name: string; at: number } | null = null;
  for (const token of tokens) {
    whole.push(token);
    if (token.type !== "html_inline") continue;
    const { name = "", end } = RECORDING_TAG.exec(token.content)?.groups ?? {};
    if (open === null && end === "") open = { name, at: whole.length - 1 };
    if (open === null || end !== "/" || name.toLowerCase() !== open.name.toLowerCase()) continue;
    const parts = whole.slice(open.at).filter(({ type }) => type === "html_inline");
    const content = parts.map((part) => part.content).join("");
    if (replaceRecordingsWithLinks(content) !== content) {
      whole.splice(open.at, whole.length, copyTokenWithChanges(token, { content }));
    }
    open = null;
  }
  return whole;
}

function plainText(text: string, next: Token | undefined): string {
  const escaped = escapeInline(joinLines(text));
  // An exclamation mark before a link would turn the link into an image.
  const isBeforeLink = next?.type === "link_open" || (next !== undefined && isEmbed(next));
  return isBeforeLink ? escaped.replace(/!$/, "\\!") : escaped;
}

/**
 * Replaces each line break, with the white space around it, by one space. Takes linear time even
 * for long stretches of white space.
 */
function joinLines(text: string): string {
  if (!text.includes("\n")) return text;
  const [first = "", ...others] = text.split("\n");
  const last = others.pop() ?? "";
  const middle = others.map((line) => line.trim()).filter((line) => line !== "");
  return [first.trimEnd(), ...middle, last.trimStart()].join(" ");
}

function image(token: Token, origin: string): string {
  const destination = resolveImageDestination(String(token.attrGet("src") ?? ""), origin);
  const alternative = escapeInline(wordsOf(token).replaceAll(/\s+/g, " "));
  return destination === null ? alternative : `![${alternative}](${target(destination, token)})`;
}

/**
 * The alternative text of a picture's token. It is built from the child tokens, because the token's
 * `content` is the unparsed source.
 */
function wordsOf(token: Token): string {
  const pieces = (token.children ?? []).map((child) =>
    child.type === "image" ? wordsOf(child) : child.type === "softbreak" ? " " : child.content,
  );
  return pieces.join("");
}

function target(destination: LinkDestination, token: Token): string {
  const title = String(token.attrGet("title") ?? "").replaceAll(/\s+/g, " ");
  const quoted = title === "" ? "" : ` "${title.replaceAll(/["\\]/g, "\\$&")}"`;
  return escapeLinkDestination(destination.markdown) + quoted;
}
