import type { Element, Root } from "hast";
import { hasWords, iterateElements } from "./html-tree.ts";

/** Elements that do not fit into a cell in Markdown, which is a single line. */
const BLOCK = /^(?:h[1-6]|pre|ul|ol|dl|table|blockquote|hr)$/;
const PARAGRAPH = /^(?:p|div|center)$/;

/** Replaces layout tables with the content of their cells, in order. */
export function unwrapLayoutTables(tree: Root): Root {
  for (const table of [...iterateElements(tree)]) {
    if (table.tagName !== "table" || !isLayoutTable(table)) continue;
    for (const part of [table, ...partsOf(table)]) {
      const { id } = part.properties;
      Object.assign(part, { tagName: "div", properties: id === undefined ? {} : { id } });
    }
  }
  return tree;
}

/** Whether a table is used only for layout. */
export function isLayoutTable(table: Element): boolean {
  if (/^(?:presentation|none)$/.test(String(table.properties["role"]))) return true;
  const parts = partsOf(table);
  const rows = parts
    .filter(({ tagName }) => tagName === "tr")
    .map((row) => row.children.filter(isFilledCell));
  const filled = rows.filter((cells) => cells.length > 0);
  const cells = filled.flat();
  if (cells.some((cell) => holds(cell, (each) => /^(?:h[1-6])$/.test(each.tagName)))) return true;
  const isLine = filled.length <= 1 || filled.every((row) => row.length === 1);
  return isLine && cells.some((cell) => holds(cell, isBlock));
}

function isBlock({ tagName }: Element): boolean {
  return BLOCK.test(tagName) || PARAGRAPH.test(tagName);
}

/** The sections, rows and cells of a table, without those of nested tables. */
function partsOf(table: Element): Element[] {
  return table.children.flatMap((child) => {
    if (child.type !== "element") return [];
    if (/^(?:thead|tbody|tfoot|tr)$/.test(child.tagName)) return [child, ...partsOf(child)];
    return /^(?:td|th|caption)$/.test(child.tagName) ? [child] : [];
  });
}

function isFilledCell(child: Element["children"][number]): child is Element {
  if (child.type !== "element" || !/^t[dh]$/.test(child.tagName)) return false;
  return hasWords(child) || holds(child, ({ tagName }) => tagName === "img");
}

function holds(cell: Element, isSought: (element: Element) => boolean): boolean {
  return [...iterateElements(cell)].some((each) => each !== cell && isSought(each));
}
