import type { Element, Nodes as HtmlNodes } from "hast";
import { defaultHandlers, type Handle, type State } from "hast-util-to-mdast";
import type { List, PhrasingContent, TableCell } from "mdast";
import { joinBlocksIntoLine } from "../../pasting/table-cells.ts";
import { isUsableLink } from "./html-tree.ts";

/**
 * Maximum number of nodes that a handler may return. The library passes the nodes as arguments of a single
 * call, and the number of arguments is limited.
 */
export const HANDLER_NODES_MAX = 10_000;

/** A cell without white space around it. */
function cell(state: State, node: Element): TableCell {
  const found = defaultHandlers.td(state, node);
  return { ...found, children: trimmed(found.children) };
}

function trimmed(phrases: readonly PhrasingContent[]): PhrasingContent[] {
  const isFilled = (node: PhrasingContent) => !isSpace(node);
  return phrases.slice(phrases.findIndex(isFilled), phrases.findLastIndex(isFilled) + 1);
}

function isSpace(node: PhrasingContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}

/**
 * Handlers for cells and for lists within them. These lists become inline HTML, because a cell in Markdown
 * is a single line.
 */
export const CELL_HANDLERS: Readonly<Record<string, Handle>> = {
  td: cell,
  th: cell,
  ul(state, node) {
    const list = defaultHandlers.ul(state, node);
    return state.inTable ? listInLine(list) : list;
  },
  ol(state, node) {
    const list = defaultHandlers.ol(state, node);
    return state.inTable ? listInLine(list) : list;
  },
  dl(state, node) {
    const list = defaultHandlers.dl(state, node);
    return state.inTable && list !== undefined ? listInLine(list) : list;
  },
};

function listInLine(list: List): PhrasingContent[] | List {
  const { ordered, children } = list;
  const name = ordered === true ? "ol" : "ul";
  const items = children.map((item) => [
    html("<li>"),
    ...joinBlocksIntoLine(item.children),
    html("</li>"),
  ]);
  const parted = items.flatMap((item, at) => (at === 0 ? item : [text(" "), ...item]));
  if (parted.length > HANDLER_NODES_MAX) return list;
  return [text(" "), html(`<${name}>`), ...parted, html(`</${name}>`), text(" ")];
}

/**
 * Converts a code block within a cell to inline content, with its lines and links. Null: the block is too
 * long.
 */
export function convertCodeBlockInCell(node: Element): PhrasingContent[] | null {
  const lines = linesOf(node);
  if (lines.length > HANDLER_NODES_MAX) return null;
  return [text(" "), html("<pre>"), ...lines, html("</pre>"), text(" ")];
}

function linesOf(node: HtmlNodes): PhrasingContent[] {
  if (node.type === "text") {
    const lines = node.value.replace(/\n+$/, "\n").split("\n");
    return lines.flatMap((line, at) => [
      ...(at === 0 ? [] : [text(" "), html("<br>")]),
      code(line),
    ]);
  }
  if (!("children" in node)) return [];
  if (node.type === "element" && node.tagName === "br") return [text(" "), html("<br>")];
  const pieces = node.children.flatMap(linesOf);
  if (node.type !== "element" || !isUsableLink(node)) return pieces;
  const phrases = pieces.flatMap((each) => (each.type === "link" ? each.children : [each]));
  const url = String(node.properties["href"]);
  return [{ type: "link", url, title: null, children: phrases }];
}

function code(value: string): PhrasingContent {
  return { type: "inlineCode", value };
}

function html(value: string): PhrasingContent {
  return { type: "html", value };
}

function text(value: string): PhrasingContent {
  return { type: "text", value };
}
