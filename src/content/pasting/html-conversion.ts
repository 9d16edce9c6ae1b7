import type { Element, ElementContent, Parents, Root, RootContent } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { defaultNodeHandlers, type Options, type State, toMdast } from "hast-util-to-mdast";
import type { Nodes as MarkdownNodes, Root as MarkdownRoot } from "mdast";
import { parse, parseFragment } from "parse5";

/** Block elements. White space next to them has no effect on the page. */
const BLOCK =
  /^(?:address|article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;
/** Inline elements, which are invisible without text. */
const INLINE =
  /^(?:a|abbr|b|big|cite|del|dfn|em|font|i|ins|mark|q|s|small|span|strike|strong|sub|sup|u)$/;
const PREFORMATTED = /^(?:pre|textarea|listing|xmp|plaintext)$/;

/** Parses HTML without source positions, which would use most of the time and memory. */
export function parseHtmlTree(html: string, { fragment }: { fragment: boolean }): Root {
  const options = { scriptingEnabled: false };
  const tree = fromParse5(fragment ? parseFragment(html, options) : parse(html, options));
  return tree.type === "root" ? tree : { type: "root", children: [] };
}

/**
 * Converts an HTML tree to a Markdown tree; modifies the HTML tree. First removes needless spaces
 * and joins texts, because `toMdast` takes quadratic time for large elements.
 *
 * @throws {RangeError} if an element has more than about 100,000 children that do not belong in it.
 */
export function convertToMarkdownTree(
  tree: Root,
  options: Pick<Options, "handlers" | "document">,
): MarkdownRoot {
  removeSpaces(tree);
  const converted = toMdast(tree, { ...options, newlines: false, nodeHandlers: { root: rootOf } });
  return converted.type === "root" ? converted : { type: "root", children: [] };
}

function removeSpaces(tree: Root): void {
  const parents: (Root | Element)[] = [tree];
  for (const { children } of parents) {
    for (const child of children) {
      if (child.type === "element" && !PREFORMATTED.test(child.tagName)) parents.push(child);
    }
  }
  // Starts with the innermost elements, so that an element with only empty children counts as
  // empty.
  for (const parent of parents.reverse()) parent.children = withoutSpaces(parent.children);
}

/** Joins adjacent texts and removes white space next to blocks. */
function withoutSpaces(nodes: readonly RootContent[]): ElementContent[] {
  const kept: ElementContent[] = [];
  let texts: string[] = [];
  const addText = (next?: Element) => {
    const value = texts.join("");
    texts = [];
    if (value === "" || (isSpace(value) && (isBlock(kept.at(-1)) || isBlock(next)))) return;
    kept.push({ type: "text", value });
  };
  for (const node of nodes) {
    if (node.type === "text") texts.push(node.value);
    if (node.type !== "element") continue;
    const space = spaceOf(node);
    if (space !== null) {
      texts.push(space);
      continue;
    }
    addText(node);
    kept.push(node);
  }
  addText();
  return kept;
}

/**
 * The text that replaces an inline element without visible content: "" or a space. Null for other
 * elements. Also null for elements with attributes, which may be footnote marks or link targets.
 */
function spaceOf({ tagName, properties, children }: Element): string | null {
  const isPlain = INLINE.test(tagName) && Object.keys(properties).length === 0;
  if (!isPlain || children.length > 1) return null;
  const [text] = children;
  if (text === undefined) return "";
  return text.type === "text" && isSpace(text.value) ? " " : null;
}

function isBlock(node: ElementContent | undefined): boolean {
  return node?.type === "element" && BLOCK.test(node.tagName);
}

/** Whether a text consists of ordinary white space, without non-breaking spaces. */
function isSpace(text: string): boolean {
  return !/[^ \t\n\f\r]/.test(text);
}

function rootOf(state: State, root: Root): MarkdownRoot {
  state.all = (parent) => convertChildren(state, parent);
  const converted = defaultNodeHandlers.root(state, root);
  joinTexts(converted);
  return converted;
}

/**
 * Replaces `all` of hast-util-to-mdast. That function passes the converted nodes of a child as
 * arguments, and fails if there are too many nodes.
 */
function convertChildren(state: State, parent: Parents): ReturnType<State["all"]> {
  const converted: ReturnType<State["all"]> = [];
  for (const child of parent.children) {
    for (const node of [state.one(child, parent) ?? []].flat()) {
      if (node.type !== "root") converted.push(node);
    }
  }
  return converted;
}

function joinTexts(root: MarkdownRoot): void {
  const pending: MarkdownNodes[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!("children" in node)) continue;
    setChildren(node, withTextsJoined(node.children));
    for (const child of node.children) pending.push(child);
  }
}

function setChildren(node: { children: MarkdownNodes[] }, children: MarkdownNodes[]): void {
  node.children = children;
}

function withTextsJoined(nodes: readonly MarkdownNodes[]): MarkdownNodes[] {
  const joined: MarkdownNodes[] = [];
  let texts: string[] = [];
  const addText = () => {
    if (texts.length > 0) joined.push({ type: "text", value: texts.join("") });
    texts = [];
  };
  for (const node of nodes) {
    if (node.type === "text") {
      texts.push(node.value);
      continue;
    }
    addText();
    joined.push(node);
  }
  addText();
  return joined;
}
