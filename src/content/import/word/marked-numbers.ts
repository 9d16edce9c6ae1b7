import type { Element, ElementContent, Root } from "hast";
import { iterateElements } from "../html/html-tree.ts";

/** The marks before and after a number. They are Unicode noncharacters, which occur in no text. */
const [BEFORE, AFTER] = ["\uFDD0", "\uFDD1"];
const MARKED = /\uFDD0([^\uFDD0\uFDD1]*)\uFDD1/;
/** Matches a number that a list in Markdown can show. */
const PLAIN_NUMBER = /^([1-9]\d{0,8})[.)]$/;

/**
 * Marks a number that Word shows before a paragraph. The marks help to find the number in mammoth's output.
 */
export function markWordNumber(label: string): string {
  return `${BEFORE}${label}${AFTER}`;
}

/**
 * Gives list items the numbers that {@link markWordNumber} marked. A number becomes part of the text if
 * it belongs to a heading, or if Markdown cannot show it in a list, such as `(a)`.
 */
export function applyMarkedNumbers(tree: Root): Root {
  const cells = [...iterateElements(tree)].filter(({ tagName }) => /^t[dh]$/.test(tagName));
  const inCells = new Set<Root | Element>(cells.flatMap((cell) => [...iterateElements(cell)]));
  for (const parent of [...iterateElements(tree)]) {
    const isInCell = inCells.has(parent);
    parent.children = parent.children.flatMap((child) => listsOf(child, isInCell));
  }
  tree.children = tree.children.flatMap((child) =>
    child.type === "doctype" ? [] : listsOf(child, false),
  );
  for (const element of iterateElements(tree)) insertListNumbers(element);
  return tree;
}

/** Splits a list into lists with consecutive numbers. */
function listsOf(node: ElementContent, isInCell: boolean): ElementContent[] {
  if (node.type !== "element" || !/^[ou]l$/.test(node.tagName)) return [node];
  const items = node.children.filter((child) => child.type === "element");
  const inner = listsWithin(items);
  if (inner !== null) return inner.flatMap((list) => listsOf(list, isInCell));
  // A cell in Markdown is one line, so a list in a cell would lose its numbers.
  if (isInCell && items.some((item) => labelOf(item) !== null)) return items.map(asBlock);
  return node.tagName === "ol" ? numberedLists(node, items) : [node];
}

/**
 * The inner lists, if a list has only one item and this item contains only lists; otherwise null. The outer
 * list then only represents a level of headings.
 */
function listsWithin(items: readonly Element[]): ElementContent[] | null {
  const [item, ...others] = items;
  if (item === undefined || others.length > 0 || item.children.length === 0) return null;
  const isList = (child: ElementContent) =>
    child.type === "element" && /^[ou]l$/.test(child.tagName);
  return item.children.every(isList) ? item.children : null;
}

function asBlock(item: Element): Element {
  item.tagName = "div";
  return item;
}

function numberedLists({ properties }: Element, items: readonly Element[]): Element[] {
  const lists: Element[] = [];
  let next: ItemNumber | null = null;
  for (const item of items) {
    const number = numberOf(item);
    if (number !== next || lists.length === 0) lists.push(newList(number, properties));
    lists.at(-1)?.children.push(item);
    next = typeof number === "number" ? number + 1 : number;
  }
  return lists;
}

/**
 * The number of an item. `text`: the item's text shows the number; `none`: the item has no number.
 */
type ItemNumber = number | "text" | "none";

/** The number of an item. Removes the number from the text if a list in Markdown can show it. */
function numberOf(item: Element): ItemNumber {
  const label = labelOf(item);
  if (label === null) return "none";
  const plain = PLAIN_NUMBER.exec(label)?.[1];
  if (plain === undefined) return "text";
  takeLabel(item);
  return Number(plain);
}

function newList(number: ItemNumber, properties: Element["properties"]): Element {
  const start = typeof number === "number" ? { start: number } : {};
  return {
    ...{ type: "element", tagName: number === "text" ? "ul" : "ol", children: [] },
    properties: { ...properties, ...start },
  };
}

/** The marked number before the first words of an item; null: there is none. */
function labelOf(item: Element): string | null {
  const text = firstText(item);
  return text === null ? null : (MARKED.exec(text.value)?.[1] ?? null);
}

function takeLabel(item: Element): void {
  const text = firstText(item);
  if (text !== null) text.value = text.value.replace(MARKED, "");
}

function firstText(element: Element): { value: string } | null {
  for (const child of element.children) {
    if (child.type === "text" && child.value !== "") return child;
    const isList = child.type === "element" && /^[ou]l$/.test(child.tagName);
    const found = child.type === "element" && !isList ? firstText(child) : null;
    if (found !== null) return found;
  }
  return null;
}

function insertListNumbers({ children }: Element): void {
  for (const child of children) {
    if (child.type === "text") child.value = child.value.replace(MARKED, "$1 ");
  }
}
