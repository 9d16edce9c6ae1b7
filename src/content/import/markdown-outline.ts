import type { Definition, Html, Image, Link, Nodes, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { countLineBreaks } from "./lines.ts";

/** The links and the first heading of a Markdown body. */
export interface MarkdownOutline {
  /** The links in the order of the text. */
  links: readonly MarkdownLink[];
  /** The first-level heading at the start; null: there is none. */
  heading: { text: string; firstLine: number; lastLine: number } | null;
}

export interface MarkdownLink {
  /** The address as the author wrote it. */
  url: string;
  isImage: boolean;
  line: number;
  /** Position of the URL in the body; null if the URL is written with escapes. */
  place: { start: number; end: number } | null;
}

/** Parses a body, which may take quadratic time. Lines count from 1. */
export function parseMarkdownOutline(body: string): MarkdownOutline {
  const tree = fromMarkdown(body);
  return { links: linksIn(tree, body), heading: headingOf(tree) };
}

function isLink(node: Nodes): node is Link | Image | Definition {
  const isKind = node.type === "link" || node.type === "image" || node.type === "definition";
  return isKind && !isFootnote(node);
}

/** Finds the links in a tree. Iterative, because quotations may nest thousands of levels deep. */
function linksIn(tree: Root, body: string): MarkdownLink[] {
  const links: MarkdownLink[] = [];
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isLink(node)) {
      const line = node.position?.start.line ?? 1;
      const isImage = node.type === "image";
      links.push({ url: node.url, isImage, line, place: urlRange(node, body) });
    }
    if (node.type === "html") for (const link of linksInHtml(node, body)) links.push(link);
    if ("children" in node) for (const child of node.children.toReversed()) pending.push(child);
  }
  return links;
}

/** `<a href="…">` and `<img src="…">`, as people write them into Markdown. */
const HTML_LINK =
  /<(?:a\s(?:[^<>]{0,1000}?\s)?href|(img)\s(?:[^<>]{0,1000}?\s)?src)\s*=\s*(?:"([^"<>\n]*)"|'([^'<>\n]*)')/gi;

function linksInHtml({ position }: Html, body: string): MarkdownLink[] {
  const from = position?.start.offset ?? 0;
  const source = body.slice(from, position?.end.offset ?? from);
  const firstLine = position?.start.line ?? 1;
  return [...source.matchAll(HTML_LINK)].flatMap(
    ({ 0: whole, 1: image, 2: double, 3: single, index }) => {
      const url = double ?? single ?? "";
      // Links with HTML escapes are skipped, because they name no files.
      if (url === "" || url.includes("&") || url !== url.trim()) return [];
      const end = from + index + whole.length - 1;
      const line = firstLine + countLineBreaks(source.slice(0, index));
      return [{ url, isImage: image !== undefined, line, place: { start: end - url.length, end } }];
    },
  );
}

/**
 * Whether a node is a footnote. Markdown reads a footnote of one word, such as `[^1]: Ibid.`, as the
 * definition of a link.
 */
function isFootnote(node: Nodes): boolean {
  return node.type === "definition" && node.identifier.startsWith("^");
}

function urlRange(
  node: Link | Image | Definition,
  body: string,
): { start: number; end: number } | null {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? 0;
  const textEnd =
    "children" in node ? (node.children.at(-1)?.position?.end.offset ?? start) : start;
  const source = body.slice(textEnd, end);
  const mark = node.type === "definition" ? "]:" : "](";
  for (let from = source.lastIndexOf(mark); from >= 0; from = source.lastIndexOf(mark, from - 1)) {
    const url = source.slice(from + mark.length).replace(/^\s*<?/, "");
    const at = source.length - url.length;
    if (url.startsWith(node.url)) {
      return { start: textEnd + at, end: textEnd + at + node.url.length };
    }
    if (from === 0) break;
  }
  return null;
}

function headingOf({ children }: Root): MarkdownOutline["heading"] {
  const [first] = children;
  if (first?.type !== "heading" || first.depth !== 1) return null;
  const firstLine = first.position?.start.line ?? 1;
  const lastLine = first.position?.end.line ?? firstLine;
  return { text: textOf(first).trim(), firstLine, lastLine };
}

/** Tags left out of the text of a heading, because they only mark a place or affect appearance. */
const SILENT_TAG = /^<\/?(?:a|br|img|small|span)\b/i;

function textOf(node: Nodes): string {
  if (node.type === "html" && SILENT_TAG.test(node.value)) return "";
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
