import { type Anchor, type InlineContent, LINE_BREAK } from "../content/pages/view.ts";
import { LinkCache } from "./body/link-cache.ts";
import {
  collapseWhiteSpace,
  escapeInline,
  escapeLineStart,
  escapeLinkDestination,
  formatCodeSpan,
} from "./markdown-text.ts";
import { resolveLinkDestination } from "./site-links.ts";

export interface MarkdownLinkContext {
  origin: string;
  /**
   * Returns the name by which tools find the item with this title; null if tools need the item's
   * address. If the function is absent, links are written as Markdown links.
   */
  nameOf?: (title: string) => string | null;
}

const knownLinks = new LinkCache();

/**
 * Writes a line of text and links as Markdown. `place` says whether the result begins a line of Markdown:
 * at the start of a line, more characters are escaped.
 */
export function inlineMarkdown(
  line: readonly InlineContent[],
  context: MarkdownLinkContext,
  place: "start" | "inside" = "start",
): string {
  const text = line.map((piece) => inlineText(piece, context)).join("");
  return place === "start" ? escapeLineStart(text) : text;
}

function inlineText(piece: InlineContent, context: MarkdownLinkContext): string {
  if (typeof piece === "string") return pieceText(piece);
  if ("code" in piece) return formatCodeSpan(piece.code);
  if ("match" in piece) return `**${escapeInline(collapseWhiteSpace(piece.match))}**`;
  if ("seal" in piece) return escapeInline(piece.seal.label);
  if ("unbroken" in piece) return escapeInline(piece.unbroken);
  const { text, to, pieces } = piece;
  const { origin, nameOf } = context;
  if (nameOf !== undefined) return namedText({ text, to }, origin, nameOf);
  if (pieces !== undefined) {
    return linkTo({ label: pieces.map(pieceText).join(""), to }, origin);
  }
  return knownLinks.get(`${text}\n${to}\n${origin}`, () => markdownLink({ text, to }, origin));
}

/**
 * The escaped text of a piece. A line break is followed by an indent, so that the next line stays in
 * the same list entry.
 */
function pieceText(piece: string | { match: string }): string {
  if (piece === LINE_BREAK) return "\\\n  ";
  return escapeInline(collapseWhiteSpace(typeof piece === "string" ? piece : piece.match));
}

function markdownLink({ text, to }: Anchor, origin: string): string {
  return linkTo({ label: escapeInline(collapseWhiteSpace(text)), to }, origin);
}

function linkTo({ label, to }: { label: string; to: string }, origin: string): string {
  const destination = resolveLinkDestination(to, origin)?.markdown ?? to;
  return `[${label}](${escapeLinkDestination(destination)})`;
}

/**
 * The text of a link within the site, followed by the link's address if tools need the address. A link
 * to another site becomes a Markdown link.
 */
function namedText(
  { text, to }: Anchor,
  origin: string,
  nameOf: NonNullable<MarkdownLinkContext["nameOf"]>,
): string {
  if (!to.startsWith("/")) return markdownLink({ text, to }, origin);
  const name = nameOf(text);
  const shown = escapeInline(collapseWhiteSpace(text));
  return name === null ? `${shown} <${origin}${to}>` : shown;
}
