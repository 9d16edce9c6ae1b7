import type { Element, ElementContent, Nodes, Root } from "hast";

/** Word's paragraph styles for headings. */
const HEADING_CLASSES: Readonly<Record<string, string>> = { MsoTitle: "h1", MsoSubtitle: "h2" };

/** Converts the styles and classes of word processors to HTML elements. */
export function convertOfficeMarkup(root: Root): Root {
  rewrite(root);
  return root;
}

function rewrite(parent: Root | Element): void {
  const children: ElementContent[] = [];
  for (const child of parent.children) {
    if (child.type === "doctype") continue;
    if (child.type === "element") rewrite(child);
    const converted = child.type === "element" ? convertElement(child) : [child];
    for (const each of converted) children.push(each);
  }
  parent.children = nestLists(children);
}

const INLINE_MARKS = ["span", "font", "b", "strong", "i", "em"];

function convertElement(element: Element): ElementContent[] {
  const { tagName, children } = element;
  if (tagName === "table") return [withHeader(element)];
  if (INLINE_MARKS.includes(tagName) && !isMarker(element)) {
    // A `b` around blocks is not bold, because Google Docs wraps all copied content in a `b`.
    return children.some(isBlock) ? children : withEmphasis(element);
  }
  const heading = Object.entries(HEADING_CLASSES).find(([name]) =>
    classOf(element).includes(name),
  )?.[1];
  return [heading === undefined ? element : { ...element, tagName: heading }];
}

/** Converts emphasis in CSS into elements. */
function withEmphasis(element: Element): ElementContent[] {
  const { tagName } = element;
  const weight = styleValue(element, "font-weight");
  const slant = styleValue(element, "font-style");
  const isStrong = weight === "" ? /^(b|strong)$/.test(tagName) : /^(bold|[6-9]00)/.test(weight);
  const isEmphasis = slant === "" ? /^(i|em)$/.test(tagName) : slant.startsWith("italic");
  let content = element.children;
  if (styleValue(element, "text-decoration").includes("line-through")) {
    content = [newElement("del", content)];
  }
  if (isEmphasis) content = [newElement("em", content)];
  if (isStrong) content = [newElement("strong", content)];
  return content;
}

/**
 * The value of a style property. The whole name has to match, so that `font-weight` does not match
 * `mso-bidi-font-weight`.
 */
function styleValue(element: Element, property: string): string {
  const declarations = styleOf(element).toLowerCase().split(";");
  const found = declarations.find((each) => each.trim().startsWith(`${property}:`));
  return found === undefined ? "" : found.slice(found.indexOf(":") + 1).trim();
}

/** Markdown has no table without a header, so the first row becomes the header. */
function withHeader(table: Element): Element {
  const row = rowsOf(table)[0];
  for (const cell of row?.children ?? []) {
    if (cell.type === "element" && cell.tagName === "td") cell.tagName = "th";
  }
  return table;
}

function rowsOf(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (child.type !== "element") return [];
    return child.tagName === "tr" ? [child] : rowsOf(child);
  });
}

/** Turns Word's list paragraphs into nested lists, and moves a list that follows an item into that item. */
function nestLists(children: readonly ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  let openLists: OpenList[] = [];
  for (const child of children) {
    const item = wordItem(child);
    if (item !== null) {
      openLists = withItem(openLists, item, result);
      continue;
    }
    const last = result.at(-1);
    if (isList(child) && last?.type === "element" && last.tagName === "li") {
      last.children.push(child);
    } else if (!(isBlank(child) && openLists.length > 0)) {
      openLists = [];
      result.push(child);
    }
  }
  return result;
}

interface OpenList {
  level: number;
  list: Element;
}

/**
 * Adds a list item to the open list of its level, or starts a list if there is none. The new list
 * is put into the last item of the outer list. Without an outer list, it is put into `result`.
 */
function withItem(
  before: readonly OpenList[],
  { level, isOrdered, content }: WordItem,
  result: ElementContent[],
): OpenList[] {
  const open = before.filter((each) => each.level <= level);
  const current = open.at(-1);
  if (current?.level === level) {
    current.list.children.push(newElement("li", content));
    return open;
  }
  const list = newElement(isOrdered ? "ol" : "ul", [newElement("li", content)]);
  const parent = current?.list.children.at(-1);
  if (parent?.type === "element") parent.children.push(list);
  else result.push(list);
  return [...open, { level, list }];
}

interface WordItem {
  level: number;
  isOrdered: boolean;
  content: ElementContent[];
}

/**
 * Parses a Word paragraph that is a list item; null for other nodes. Word writes the list marker as
 * text in a `span`.
 */
function wordItem(node: ElementContent): WordItem | null {
  if (node.type !== "element" || node.tagName !== "p") return null;
  const level = /mso-list:[^;]*\blevel(\d)/i.exec(styleOf(node))?.[1];
  if (level === undefined) return null;
  const marker = listMarker(node);
  const isOrdered = /^\(?[\p{L}\d]{1,4}[.)]/u.test(marker === null ? "" : textOf(marker).trim());
  return { level: Number(level), isOrdered, content: childrenWithout(node, marker) };
}

function listMarker(element: Element): Element | null {
  for (const child of element.children) {
    if (child.type !== "element") continue;
    if (isMarker(child)) return child;
    const found = listMarker(child);
    if (found !== null) return found;
  }
  return null;
}

function isMarker(element: Element): boolean {
  return /mso-list:\s*ignore/i.test(styleOf(element));
}

function childrenWithout(element: Element, removed: Element | null): ElementContent[] {
  return element.children
    .filter((child) => child !== removed)
    .map((child) =>
      child.type === "element" ? { ...child, children: childrenWithout(child, removed) } : child,
    );
}

function newElement(tagName: string, children: ElementContent[]): Element {
  return { type: "element", tagName, properties: {}, children };
}

function isBlock(node: Nodes): boolean {
  return node.type === "element" && /^(p|div|h\d|ul|ol|table|blockquote|pre)$/.test(node.tagName);
}

function isList(node: ElementContent): boolean {
  return node.type === "element" && (node.tagName === "ul" || node.tagName === "ol");
}

function isBlank(node: ElementContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}

function styleOf({ properties }: Element): string {
  return String(properties["style"] ?? "");
}

function classOf({ properties }: Element): string {
  const { className } = properties;
  return Array.isArray(className) ? className.join(" ") : "";
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
