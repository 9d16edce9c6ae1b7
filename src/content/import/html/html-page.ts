import type { Element } from "hast";
import { defaultHandlers, type Handle } from "hast-util-to-mdast";
import { Parser } from "htmlparser2";
import type { FootnoteDefinition, Root as MarkdownRoot, RootContent } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import type { Wording } from "../../../errors.ts";
import { convertToMarkdownTree, parseHtmlTree } from "../../pasting/html-conversion.ts";
import { flattenTableCells } from "../../pasting/table-cells.ts";
import { TABLE_HANDLERS } from "../../pasting/table-handlers.ts";
import { toIsoDateTime } from "../iso-date-time.ts";
import { moveLinksIntoBlocks } from "./block-links.ts";
import { CELL_HANDLERS } from "./cell-handlers.ts";
import { normalizeInlineContent } from "./clean-phrases.ts";
import { CODE_HANDLERS } from "./code-handlers.ts";
import { EMBEDDED_HANDLERS } from "./embedded-handlers.ts";
import { HtmlLosses } from "./html-losses.ts";
import { hasVisibleContent, isUsableLink, iterateElements, oneLineTextOf } from "./html-tree.ts";
import { unwrapLayoutTables } from "./layout-tables.ts";
import { extractMainContent, findMainHeading } from "./main-content.ts";
import { HEADING_ID_ELEMENT, repairFragmentLinks } from "./page-anchors.ts";
import {
  convertPageFootnotes,
  NOTE_DEFINITION_ELEMENT,
  NOTE_REFERENCE_ELEMENT,
} from "./page-footnotes.ts";
import {
  NO_REPEATED_PARTS,
  type RepeatedParts,
  removeRepeatedTitleEnds,
} from "./repeated-parts.ts";

/** Limits the recursion of later steps. No author nests elements this deep. */
const DEPTH_MAX = 400;
const PIECE_CHARACTERS = 16 * 1024;

export interface HtmlMetadata {
  /** Text of the first heading, or the title without the name of the site. */
  title?: string;
  description?: string;
  language?: string;
  /**
   * When the page was published, according to its Open Graph metadata; ISO 8601. `changed` is the last
   * change.
   */
  published?: string;
  changed?: string;
  /** The target of an immediate redirect (`meta refresh`). */
  redirectsTo?: string;
}

/** Matches a self-closing element, such as `<a id="top"/>`, except elements that have no content in HTML. */
const SELF_CLOSED =
  /<(?!(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)\b)([a-z][\w:-]{0,50})(?![\w:-])([^<>]*)\/>/gi;

/**
 * Returns the text of a page as HTML. Self-closing elements of XHTML get a closing tag: without one, HTML
 * would put all that follows into the element.
 */
export function xhtmlToHtml(file: string, text: string): string {
  return /\.xhtml$/i.test(file) ? text.replaceAll(SELF_CLOSED, "<$1$2></$1>") : text;
}

/** Reads the metadata of a page; empty if the page nests too deep. */
export function readHtmlMetadata(html: string, repeated = NO_REPEATED_PARTS): HtmlMetadata {
  if (isNestedTooDeeply(html)) return {};
  const tree = parseHtmlTree(html, { fragment: false });
  const metadata: HtmlMetadata = {};
  for (const element of iterateElements(tree)) {
    const { tagName, properties } = element;
    const language = tagName === "html" ? properties["lang"] : undefined;
    if (typeof language === "string" && language !== "") metadata.language = language;
    if (tagName === "meta") readMeta(properties, metadata);
  }
  const title = [...iterateElements(tree)].find(({ tagName }) => tagName === "title");
  const stated = title === undefined ? "" : withoutSiteName(oneLineTextOf(title), repeated);
  const text = findMainHeading(tree, repeated) ?? stated;
  if (text !== "") metadata.title = text.replaceAll(CONTROL_CHARACTER, "");
  return metadata;
}

/** Matches the content of a `meta refresh` that redirects within 5 seconds, such as `0; url=/new/`. */
const META_REFRESH = /^\s*[0-5]\s*[;,]\s*url\s*=\s*["']?([^"'\s]+)/i;

const TIME_KEYS: ReadonlyMap<string, "published" | "changed"> = new Map([
  ["article:published_time", "published"],
  ["article:modified_time", "changed"],
]);

function readMeta(
  { name, property, content, httpEquiv }: Element["properties"],
  metadata: HtmlMetadata,
): void {
  const isRefresh = /^refresh$/i.test(String(httpEquiv));
  const target = isRefresh ? META_REFRESH.exec(String(content))?.[1] : undefined;
  if (target !== undefined) metadata.redirectsTo = target;
  const key = TIME_KEYS.get(String(property));
  const time = key === undefined ? null : toIsoDateTime(content);
  if (key !== undefined && time !== null) metadata[key] = time;
  if (!/^description$/i.test(String(name)) || typeof content !== "string") return;
  const description = content.replaceAll(CONTROL_CHARACTER, "").trim();
  if (description !== "") metadata.description = description;
}

/** Removes the name of the site: `About us | The Society` → `About us`. */
function withoutSiteName(title: string, repeated: RepeatedParts): string {
  const [first = ""] = removeRepeatedTitleEnds(title, repeated).split(/\s+[|–—·»]\s+|\s+-\s+/);
  return first.trim();
}

/** The text of a page, and messages about what was left out of it. */
interface ConvertedPage {
  markdown: string;
  notes: readonly Wording[];
}

/**
 * The content of a page or a fragment as Markdown, without navigation, header and footer.
 *
 * @returns null if the HTML nests too deep.
 */
export function convertHtmlToMarkdown(
  html: string,
  repeated = NO_REPEATED_PARTS,
): ConvertedPage | null {
  if (isNestedTooDeeply(html)) return null;
  const losses = new HtmlLosses();
  const page = parseHtmlTree(html, { fragment: false });
  const content = moveLinksIntoBlocks(extractMainContent(page, losses, repeated));
  const tree = unwrapLayoutTables(repairFragmentLinks(convertPageFootnotes(content), losses));
  const converted = convertToMarkdownTree(tree, { handlers: PAGE_HANDLERS });
  const markdown = serializeMarkdown(normalizeInlineContent(flattenTableCells(converted)));
  losses.addControls(markdown.match(CONTROL_CHARACTER)?.length ?? 0);
  return { markdown: markdown.replaceAll(CONTROL_CHARACTER, ""), notes: losses.notes() };
}

/** Control characters, which browsers do not show and the site refuses. */
const CONTROL_CHARACTER = /(?![\t\n\r])\p{Cc}/gu;

const PAGE_HANDLERS: Readonly<Record<string, Handle>> = {
  ...TABLE_HANDLERS,
  ...CODE_HANDLERS,
  ...CELL_HANDLERS,
  ...EMBEDDED_HANDLERS,
  a(state, node) {
    if (!isUsableLink(node) || !hasVisibleContent(node)) return state.all(node);
    return defaultHandlers.a(state, node);
  },
  summary: defaultHandlers.div,
  [NOTE_REFERENCE_ELEMENT](_state, { properties }) {
    const label = String(properties["label"]);
    return { type: "footnoteReference", identifier: label, label };
  },
  [NOTE_DEFINITION_ELEMENT](state, node) {
    const label = String(node.properties["label"]);
    const children = state.toFlow(state.all(node)).filter(isNoteBlock);
    return { type: "footnoteDefinition", identifier: label, label, children };
  },
  [HEADING_ID_ELEMENT](_state, { properties }) {
    return { type: "html", value: ` {#${String(properties["name"])}}` };
  },
};

function isNoteBlock(node: RootContent): node is FootnoteDefinition["children"][number] {
  return ["paragraph", "list", "table", "blockquote", "code", "heading", "html"].includes(
    node.type,
  );
}

/** Serialises Markdown in this service's style. */
export function serializeMarkdown(root: MarkdownRoot): string {
  return toMarkdown(root, {
    bullet: "-",
    emphasis: "*",
    rule: "-",
    listItemIndent: "one",
    extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  });
}

/**
 * Whether the tree of a page would overflow the stack. Parses the page as a stream, because
 * building the tree could overflow the stack too.
 */
export function isNestedTooDeeply(html: string): boolean {
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
  // Parsing in chunks allows an early stop: the parser's time grows with the square of the depth.
  for (let at = 0; at < html.length && deepest <= DEPTH_MAX; at += PIECE_CHARACTERS) {
    parser.write(html.slice(at, at + PIECE_CHARACTERS));
  }
  return deepest > DEPTH_MAX;
}
