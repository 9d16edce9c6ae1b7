import type { Element, Nodes, Root } from "hast";
import type { FootnoteDefinition, Nodes as MarkdownNodes, Root as MarkdownRoot } from "mdast";
import { convertToMarkdownTree, parseHtmlTree } from "../../pasting/html-conversion.ts";
import { removePastedLayout } from "../../pasting/tidying.ts";
import { embeddedUrlOf, isInvisibleEmbed, svgText } from "../html/embedded-handlers.ts";
import { isNestedTooDeeply, serializeMarkdown } from "../html/html-page.ts";
import { readStartTags } from "../streams/open-tags.ts";
import { addParagraphElements } from "./paragraphs.ts";
import { POST_HANDLERS } from "./post-handlers.ts";

/** A text of the former site, ready to be converted. */
export interface PostHtml {
  /** The text as HTML, without shortcodes and dynamic blocks. */
  html: string;
  /** Whether the HTML already marks paragraphs and line breaks. */
  hasBlocks: boolean;
  /** New addresses of links, pictures and recordings, keyed by the address in the HTML. */
  addresses: ReadonlyMap<string, string>;
  /** Footnotes as HTML, each with its id in the text. */
  footnotes: readonly { id: string; content: string }[];
}

export interface PostMarkdown {
  markdown: string;
  /** Elements that were left out, such as `form`. */
  leftOut: string[];
}

/**
 * Classes that WordPress and Ghost give to controls and decoration around the content of a block.
 */
const PAGE_FURNITURE_CLASSES: ReadonlySet<string> = new Set(
  "wp-block-file__button kg-bookmark-metadata kg-bookmark-thumbnail kg-audio-player kg-audio-thumbnail kg-video-overlay kg-video-player-container kg-file-card-icon kg-file-card-metadata".split(
    " ",
  ),
);
const DROPPED_ELEMENTS: ReadonlySet<string> = new Set(
  "script style form noscript template object embed applet canvas button input select textarea link meta base title".split(
    " ",
  ),
);
/** Elements whose removal is reported to editors. */
const REPORTED_ELEMENTS: ReadonlySet<string> = new Set([
  "form",
  "script",
  "object",
  "embed",
  "applet",
  "svg",
  "iframe",
]);

/**
 * Converts a text to Markdown.
 *
 * @returns null if it nests too deep.
 */
export function convertPostToMarkdown(post: PostHtml): PostMarkdown | null {
  if (isNestedTooDeeply(post.html)) return null;
  const { root, leftOut } = convertedTree(post.html, post);
  const notes = new Map(post.footnotes.map((note) => [note.id, note]));
  for (const id of referencedFootnotes(root)) {
    const content = notes.get(id)?.content ?? "";
    if (isNestedTooDeeply(content)) continue;
    const note = convertedTree(content, { ...post, hasBlocks: true });
    leftOut.push(...note.leftOut);
    root.children.push(footnote(id, note.root));
  }
  return { markdown: serializeMarkdown(root).normalize("NFC"), leftOut };
}

/** The distinct addresses of links, pictures and recordings in a text. */
export function extractUrlsFromHtml(html: string): string[] {
  const found = new Set<string>();
  readStartTags(html, (_tag, attributes) => {
    for (const [name, value] of Object.entries(attributes)) {
      if ((name === "href" || name === "src" || name === "poster") && value !== "")
        found.add(value);
    }
  });
  return [...found];
}

function convertedTree(
  html: string,
  { hasBlocks, addresses }: PostHtml,
): { root: MarkdownRoot; leftOut: string[] } {
  const tree = parseHtmlTree(html, { fragment: true });
  const leftOut: string[] = [];
  clean(tree, { addresses, leftOut });
  if (!hasBlocks) addParagraphElements(tree);
  const root = convertToMarkdownTree(tree, { document: true, handlers: POST_HANDLERS });
  return { root: removePastedLayout(root), leftOut };
}

interface Cleaning {
  addresses: PostHtml["addresses"];
  /** Receives the name of each element that is left out. */
  leftOut: string[];
}

function clean(parent: Root | Element, cleaning: Cleaning): void {
  const { addresses, leftOut } = cleaning;
  const kept = parent.children.filter((child) => {
    if (child.type === "comment" || child.type === "doctype" || isPageFurniture(child))
      return false;
    if (child.type !== "element" || !isDropped(child)) return true;
    if (REPORTED_ELEMENTS.has(child.tagName)) leftOut.push(child.tagName);
    return false;
  });
  parent.children = kept;
  for (const child of parent.children) {
    if (child.type !== "element") continue;
    for (const key of ["href", "src", "poster"]) {
      const raw = child.properties[key];
      const address = typeof raw === "string" ? addresses.get(raw) : undefined;
      if (address !== undefined) child.properties[key] = address;
    }
    clean(child, cleaning);
  }
}

/**
 * Whether an element is left out. Drawings with words become text, and embedded content becomes a
 * link, so these are kept.
 */
function isDropped(element: Element): boolean {
  const { tagName } = element;
  if (tagName === "svg") return svgText(element) === "";
  if (tagName === "iframe") return embeddedUrlOf(element) === null && !isInvisibleEmbed(element);
  return DROPPED_ELEMENTS.has(tagName);
}

function isPageFurniture(child: Nodes): boolean {
  const classes = child.type === "element" ? [child.properties["className"] ?? []].flat() : [];
  return classes.some((name) => PAGE_FURNITURE_CLASSES.has(String(name)));
}

function referencedFootnotes(root: MarkdownRoot): Set<string> {
  const found = new Set<string>();
  const pending: MarkdownNodes[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "footnoteReference") found.add(node.identifier);
    if ("children" in node) for (const child of node.children.toReversed()) pending.push(child);
  }
  return found;
}

function footnote(identifier: string, { children }: MarkdownRoot): FootnoteDefinition {
  const blocks = children.filter(
    (child): child is FootnoteDefinition["children"][number] =>
      child.type !== "yaml" && !isPhrasing(child),
  );
  return { type: "footnoteDefinition", identifier, label: identifier, children: blocks };
}

function isPhrasing({ type }: MarkdownNodes): boolean {
  return /^(?:text|link|emphasis|strong|break|image|inlineCode|delete)$/.test(type);
}

/** The text of a short HTML fragment, such as a title. */
export function htmlToPlainText(html: string): string {
  let text = "";
  const pending: Nodes[] = [parseHtmlTree(isNestedTooDeeply(html) ? "" : html, { fragment: true })];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "text") text += node.value;
    if (node.type === "element" && DROPPED_ELEMENTS.has(node.tagName)) continue;
    if ("children" in node) for (const child of node.children.toReversed()) pending.push(child);
  }
  return text.replace(/\s+/g, " ").trim();
}
