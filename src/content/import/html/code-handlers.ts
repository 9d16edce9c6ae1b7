import type { Element, Nodes } from "hast";
import { defaultHandlers, type Handle, type State } from "hast-util-to-mdast";
import type { InlineCode, Link, PhrasingContent } from "mdast";
import { escapeHtml } from "../wordpress/shortcodes.ts";
import { convertCodeBlockInCell, HANDLER_NODES_MAX } from "./cell-handlers.ts";
import { hasWords, isUsableLink, iterateElements } from "./html-tree.ts";

/** Elements whose text becomes inline code. */
const INLINE_CODE = ["code", "kbd", "samp", "tt", "var"] as const;
const LINE_ELEMENT = /^(?:div|p|li|tr)$/;

/** Handlers for code. They keep links within code, which the default conversion loses. */
export const CODE_HANDLERS: Readonly<Record<string, Handle>> = {
  ...Object.fromEntries(INLINE_CODE.map((name) => [name, inlineCode])),
  pre(state, node) {
    const line = state.inTable ? convertCodeBlockInCell(node) : null;
    if (line !== null) return line;
    if (state.inTable || !holdsLink(node)) return defaultHandlers.pre(state, node);
    // Returns HTML, because code in Markdown cannot contain links.
    return { type: "html", value: `<pre><code>${htmlOf(node).replace(/\n+$/, "")}</code></pre>` };
  },
};

function inlineCode(state: State, node: Element): PhrasingContent[] | InlineCode {
  const pieces = holdsLink(node) ? codePieces(state, node) : [];
  const isUsable = pieces.length > 0 && pieces.length <= HANDLER_NODES_MAX;
  return isUsable ? pieces : defaultHandlers.code(state, node);
}

function holdsLink(node: Element): boolean {
  return [...iterateElements(node)].some((each) => isUsableLink(each) && hasWords(each));
}

/** Splits code into pieces of code, links around code, and pictures. */
function codePieces(state: State, { children }: Element): PhrasingContent[] {
  return children.flatMap((child): PhrasingContent[] => {
    if (child.type === "text") return [codeOrSpace(child.value)];
    if (child.type !== "element") return [];
    if (child.tagName === "img") return [defaultHandlers.img(state, child)];
    if (child.tagName === "br") return [{ type: "text", value: " " }];
    const pieces = codePieces(state, child);
    return isUsableLink(child) && hasWords(child) ? [linkTo(child, pieces)] : pieces;
  });
}

function linkTo({ properties }: Element, children: PhrasingContent[]): Link {
  const phrases = children.flatMap((each) => (each.type === "link" ? each.children : [each]));
  return { type: "link", url: String(properties["href"]), title: null, children: phrases };
}

function codeOrSpace(value: string): PhrasingContent {
  const line = value.replaceAll(/\s+/g, " ");
  return line.trim() === "" ? { type: "text", value: line } : { type: "inlineCode", value: line };
}

function htmlOf(node: Nodes): string {
  if (node.type === "text") return escapeHtml(node.value);
  if (!("children" in node)) return "";
  const inner = node.children.map(htmlOf).join("");
  if (node.type !== "element") return inner;
  if (node.tagName === "br") return "\n";
  if (isUsableLink(node) && hasWords(node)) {
    return `<a href="${escapeHtml(String(node.properties["href"]))}">${inner}</a>`;
  }
  return LINE_ELEMENT.test(node.tagName) && !inner.endsWith("\n") ? `${inner}\n` : inner;
}
