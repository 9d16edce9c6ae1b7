import type { Element, Root } from "hast";
import { defaultHandlers, type Handle } from "hast-util-to-mdast";
import type { FootnoteDefinition, Nodes, RootContent } from "mdast";
import { convertToMarkdownTree, parseHtmlTree } from "../../pasting/html-conversion.ts";
import { TABLE_HANDLERS } from "../../pasting/table-handlers.ts";
import { removePastedLayout } from "../../pasting/tidying.ts";
import { isNestedTooDeeply, serializeMarkdown } from "../html/html-page.ts";
import { applyMarkedNumbers } from "./marked-numbers.ts";

/** A link to a footnote or endnote. */
const NOTE_LINK = /^#(foot|end)note-(\d+)$/;
/** A link from a note back to the text. */
const BACK_LINK = /^#(?:foot|end)note-ref-\d+$/;
const NOTE_ID = /^(foot|end)note-(\d+)$/;

export interface ConvertedWordDocument {
  /** The heading at the start; null: there is none. */
  title: string | null;
  markdown: string;
  /** The text of title and page, without Markdown syntax and addresses. */
  text: string;
}

/**
 * Converts a document from mammoth's HTML to Markdown with footnotes; null if it nests too deep.
 */
export function convertWordToMarkdown(html: string): ConvertedWordDocument | null {
  if (isNestedTooDeeply(html)) return null;
  const tree = applyMarkedNumbers(parseHtmlTree(html, { fragment: true }));
  for (const child of tree.children) if (isElement(child)) makeHeaderRows(child);
  const elements = tree.children.filter(isElement);
  const notes = elements.filter(isNoteList).flatMap(({ children }) => children.filter(isElement));
  const blocks = blocksOf({ ...tree, children: elements.filter((each) => !isNoteList(each)) });
  const [first, ...rest] = blocks;
  const title = first?.type === "heading" && first.depth <= 2 ? plainText(first) : "";
  const root = removePastedLayout({
    type: "root",
    children: [...(title === "" ? blocks : rest), ...notes.flatMap(footnoteDefinitions)],
  });
  const text = `${title} ${plainText(root)}`;
  return { title: title === "" ? null : title, markdown: serializeMarkdown(root), text };
}

/** Makes the first row of each table a header, which Markdown requires. */
function makeHeaderRows(element: Element): void {
  const rows = element.children.filter(isElement);
  if (element.tagName === "table" && rows[0]?.tagName === "tbody") {
    const [first] = rows[0].children.filter(isElement);
    for (const cell of first?.children.filter(isElement) ?? []) cell.tagName = "th";
  }
  for (const child of rows) makeHeaderRows(child);
}

function plainText(node: Nodes): string {
  if ("value" in node) return node.value;
  const text = "children" in node ? node.children.map(plainText).join("") : "";
  return text.replace(/\s+/g, " ");
}

const ELEMENT_HANDLERS: Readonly<Record<string, Handle>> = {
  ...TABLE_HANDLERS,
  /** Turns links to notes into footnotes, and other links within the document into their text. */
  a(state, node) {
    const href = String(node.properties["href"] ?? "");
    const [, kind = "", number = ""] = NOTE_LINK.exec(href) ?? [];
    const id = noteId(kind, number);
    if (number !== "") return { type: "footnoteReference", identifier: id, label: id };
    if (BACK_LINK.test(href)) return undefined;
    return href === "" || href.startsWith("#") ? state.all(node) : defaultHandlers.a(state, node);
  },
};

function blocksOf(tree: Root): RootContent[] {
  return convertToMarkdownTree(tree, { document: true, handlers: ELEMENT_HANDLERS }).children;
}

function isElement(node: { type: string }): node is Element {
  return node.type === "element";
}

function isNoteList({ tagName, children }: Element): boolean {
  const [first] = children.filter(isElement);
  return tagName === "ol" && NOTE_ID.test(String(first?.properties["id"] ?? ""));
}

function footnoteDefinitions({ properties, children }: Element): FootnoteDefinition[] {
  const [, kind = "", number = ""] = NOTE_ID.exec(String(properties["id"] ?? "")) ?? [];
  if (number === "") return [];
  const id = noteId(kind, number);
  const blocks = blocksOf({ type: "root", children }).filter(isNoteBlock);
  return [{ type: "footnoteDefinition", identifier: id, label: id, children: blocks }];
}

function noteId(kind: string, number: string): string {
  return kind === "end" ? `e${number}` : number;
}

function isNoteBlock(node: RootContent): node is FootnoteDefinition["children"][number] {
  return ["paragraph", "list", "table", "blockquote", "code", "heading", "html"].includes(
    node.type,
  );
}
