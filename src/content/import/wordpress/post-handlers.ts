import type { Element, ElementContent } from "hast";
import { defaultHandlers, type Handle } from "hast-util-to-mdast";
import type { Link, Nodes, Paragraph, PhrasingContent } from "mdast";
import { TABLE_HANDLERS } from "../../pasting/table-handlers.ts";
import { EMBEDDED_HANDLERS } from "../html/embedded-handlers.ts";

/** Conversions to Markdown for elements of posts that the default conversion would lose. */
export const POST_HANDLERS: Readonly<Record<string, Handle>> = {
  ...TABLE_HANDLERS,
  ...EMBEDDED_HANDLERS,

  /** Removes the link around a picture if the link leads to the picture itself, at any size. */
  a(state, node) {
    if (String(node.properties["href"] ?? "") === "") return state.all(node);
    const link = defaultHandlers.a(state, node);
    const [only] = link.children;
    if (link.children.length !== 1 || only?.type !== "image") return link;
    return only.url === link.url ? only : link;
  },

  /** Turns the text next to a picture into the picture's caption. */
  figure(state, node) {
    const shown = node.children.filter(isVisible);
    const words = node.children.filter((child) => !isVisible(child)).flatMap(captionContent);
    const blocks = state.toFlow(state.all({ ...node, children: shown }));
    const text = state.all({ ...node, children: words });
    const phrases = text
      .flatMap((each) => (each.type === "paragraph" ? each.children : each))
      .filter(isPhrasing);
    while (phrases.at(-1)?.type === "break") phrases.pop();
    const isEmpty = phrases.every((each) => each.type === "text" && each.value.trim() === "");
    if (isEmpty) return blocks;
    return titledPicture(blocks, phrases) ?? [...blocks, captionOf(phrases)];
  },

  audio: recording,
  video: recording,

  /** Converts terms and their definitions to this service's Markdown syntax. */
  dl(state, node) {
    return termList(state, node) ?? defaultHandlers.dl(state, node);
  },

  /** Converts the block editor's references to footnotes. Other superscripts become plain text. */
  sup(state, node) {
    const id = node.properties["dataFn"];
    if (typeof id !== "string" || id === "") return state.all(node);
    return { type: "footnoteReference", identifier: id, label: id };
  },

  /**
   * A paragraph that consists of only a URL becomes a link. WordPress would embed the URL's target instead.
   */
  div: standaloneLinkOrFlow,
  p(state, node) {
    return standaloneLink(node) ?? defaultHandlers.p(state, node);
  },
};

/**
 * Converts a list of terms. Null if a term or definition does not fit on one line, or if a
 * definition precedes the first term.
 */
function termList(state: Parameters<Handle>[0], { children }: Element): Paragraph[] | null {
  const paragraphs: Paragraph[] = [];
  for (const child of children) {
    if (child.type !== "element") continue;
    const nodes = state.all(child);
    const phrases = nodes.filter(isPhrasing);
    const isLine = phrases.length === nodes.length && !phrases.some(({ type }) => type === "break");
    const last = paragraphs.at(-1);
    if (!isLine) return null;
    if (child.tagName === "dt") paragraphs.push({ type: "paragraph", children: phrases });
    else if (last === undefined) return null;
    else last.children.push({ type: "text", value: "\n: " }, ...phrases);
  }
  return paragraphs;
}

function standaloneLinkOrFlow(
  state: Parameters<Handle>[0],
  node: Element,
): Paragraph | ReturnType<typeof state.toFlow> {
  return standaloneLink(node) ?? state.toFlow(state.all(node));
}

const URL_ALONE = /^https?:\/\/[^\s<>"]{1,2000}$/;

function standaloneLink({ children }: Element): Paragraph | null {
  const [only] = children.filter((child) => child.type !== "text" || child.value.trim() !== "");
  const isOnly = children.every(
    (child) => child === only || (child.type === "text" && child.value.trim() === ""),
  );
  if (!isOnly || only?.type !== "text") return null;
  const url = only.value.trim();
  return URL_ALONE.test(url) ? linkTo(url, url) : null;
}

function linkTo(url: string, text: string): Paragraph {
  const link: Link = { type: "link", url, title: null, children: [{ type: "text", value: text }] };
  return { type: "paragraph", children: [link] };
}

/**
 * Replaces a recording with a link to its file. The element's content is left out, because it is
 * for browsers that cannot play recordings.
 */
function recording(_state: unknown, node: Element): Paragraph | undefined {
  const sources = node.children.filter(
    (child) => child.type === "element" && child.tagName === "source",
  );
  const [source] = [node, ...sources].flatMap((each) =>
    each.type === "element" ? (each.properties["src"] ?? []) : [],
  );
  if (source === undefined) return undefined;
  const url = String(source);
  return linkTo(
    url,
    url
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) || url,
  );
}

const VISIBLE_ELEMENTS: ReadonlySet<string> = new Set(
  "img picture iframe video audio table blockquote pre ul ol div figure".split(" "),
);

function isVisible(child: ElementContent): boolean {
  if (child.type !== "element" || child.tagName === "figcaption") return false;
  return VISIBLE_ELEMENTS.has(child.tagName) || child.children.some(isVisible);
}

function captionContent(child: ElementContent): ElementContent[] {
  const isFrame = child.type === "element" && child.tagName === "figcaption";
  return isFrame ? child.children : [child];
}

/**
 * Makes a caption the title of its picture; null unless there is exactly one picture and the
 * caption is plain text.
 */
function titledPicture(
  blocks: readonly Nodes[],
  caption: readonly PhrasingContent[],
): Paragraph | null {
  const [block, ...others] = blocks;
  const [picture, ...more] = block?.type === "paragraph" ? block.children : [];
  const words = caption.map((each) => (each.type === "text" ? each.value : null));
  if (others.length > 0 || more.length > 0 || words.includes(null)) return null;
  const title = words.join("").replaceAll(/\s+/g, " ").trim();
  if (picture?.type === "image") return { type: "paragraph", children: [{ ...picture, title }] };
  if (picture?.type !== "link" || picture.children[0]?.type !== "image") return null;
  return { type: "paragraph", children: [{ ...picture, title }] };
}

/**
 * A caption as a paragraph in italics. Italics within the caption are dropped, because Markdown
 * cannot nest italics.
 */
function captionOf(phrases: readonly PhrasingContent[]): Paragraph {
  const children = phrases.flatMap((each) => (each.type === "emphasis" ? each.children : [each]));
  return { type: "paragraph", children: [{ type: "emphasis", children }] };
}

function isPhrasing(node: Nodes): node is PhrasingContent {
  return /^(?:text|link|emphasis|strong|break|inlineCode|delete|footnoteReference)$/.test(
    node.type,
  );
}
