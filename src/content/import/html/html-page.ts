import type { Element, Nodes, Root } from "hast";
import { fromHtml } from "hast-util-from-html";
import { toMdast } from "hast-util-to-mdast";
import { Parser } from "htmlparser2";
import type { Root as MarkdownRoot } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { withOneLineCells } from "../../pasting/table-cells.ts";
import { TABLE_HANDLERS } from "../../pasting/table-handlers.ts";
import { mainContent } from "./main-content.ts";

/** Limits the recursion of later steps. No author nests elements this deep. */
const DEPTH_MAX = 400;
const PIECE_CHARACTERS = 16 * 1024;

export interface HtmlMetadata {
  /** Text of the first heading, or the title without the name of the site. */
  title?: string;
  description?: string;
  language?: string;
  /** The target of an immediate redirect (`meta refresh`). */
  redirectsTo?: string;
}

/** Reads the metadata of a page; empty if it nests too deep. */
export function readHtmlMetadata(html: string): HtmlMetadata {
  if (nestsTooDeep(html)) return {};
  const tree = fromHtml(html);
  const metadata: HtmlMetadata = {};
  for (const element of elementsIn(tree)) {
    const { tagName, properties } = element;
    const language = tagName === "html" ? properties["lang"] : undefined;
    if (typeof language === "string" && language !== "") metadata.language = language;
    if (tagName === "h1") metadata.title ??= textOf(element);
    if (tagName === "meta") readMeta(properties, metadata);
  }
  const title = [...elementsIn(tree)].find(({ tagName }) => tagName === "title");
  if (title !== undefined) metadata.title ??= withoutSiteName(textOf(title));
  if (metadata.title === "") delete metadata.title;
  return metadata;
}

/** The content of `meta refresh` that redirects within 5 seconds: `0; url=/new/`. */
const META_REFRESH = /^\s*[0-5]\s*[;,]\s*url\s*=\s*["']?([^"'\s]+)/i;

function readMeta(
  { name, content, httpEquiv }: Element["properties"],
  metadata: HtmlMetadata,
): void {
  const isRefresh = /^refresh$/i.test(String(httpEquiv));
  const target = isRefresh ? META_REFRESH.exec(String(content))?.[1] : undefined;
  if (target !== undefined) metadata.redirectsTo = target;
  if (!/^description$/i.test(String(name)) || typeof content !== "string") return;
  if (content.trim() !== "") metadata.description = content.trim();
}

/** `About us | The Society` → `About us`. */
function withoutSiteName(title: string): string {
  const [first = ""] = title.split(/\s+[|–—·»]\s+|\s+-\s+/);
  return first.trim();
}

/**
 * The content of a page or a fragment as Markdown, without navigation, header and footer.
 *
 * @returns null if it nests too deep.
 */
export function markdownOfHtml(html: string): string | null {
  if (nestsTooDeep(html)) return null;
  const mdast = toMdast(mainContent(fromHtml(html)), { newlines: false, handlers: TABLE_HANDLERS });
  return mdast.type === "root" ? markdownText(withOneLineCells(mdast)) : "";
}

/** Serialises Markdown in this service's style. */
export function markdownText(root: MarkdownRoot): string {
  return toMarkdown(root, {
    bullet: "-",
    emphasis: "*",
    rule: "-",
    listItemIndent: "one",
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  });
}

/** In document order; iterative, because pages may nest thousands of levels deep. */
function* elementsIn(tree: Root): Generator<Element> {
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "element") yield node;
    if ("children" in node) for (const child of node.children.toReversed()) pending.push(child);
  }
}

function textOf(element: Element): string {
  let text = "";
  const pending: Nodes[] = [element];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "text") text += node.value;
    if ("children" in node) for (const child of node.children.toReversed()) pending.push(child);
  }
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Whether the tree of a page would overflow the stack. Parses the page as a stream, since building
 * the tree could overflow it too.
 */
export function nestsTooDeep(html: string): boolean {
  let depth = 0;
  let deepest = 0;
  const parser = new Parser({
    onopentagname() {
      depth += 1;
      deepest = Math.max(deepest, depth);
    },
    onclosetag() {
      depth -= 1;
    },
  });
  // Parses in chunks, so that it can stop early: the parser's time grows with the square of the
  // depth.
  for (let at = 0; at < html.length && deepest <= DEPTH_MAX; at += PIECE_CHARACTERS) {
    parser.write(html.slice(at, at + PIECE_CHARACTERS));
  }
  return deepest > DEPTH_MAX;
}
