import type { Element, Nodes, Root } from "hast";
import type { HtmlLosses } from "./html-losses.ts";
import { anchorNamesOf, fragmentTarget, iterateElements, oneLineTextOf } from "./html-tree.ts";

/** The element that {@link repairFragmentLinks} adds to a heading; its property `name` is the heading's id. */
export const HEADING_ID_ELEMENT = "heading-id";

const HEADING = /^h[1-6]$/;
/** The fragment for the top of a page. */
const TOP = "top";

/**
 * Keeps links within a page working. A heading that is the target of a link keeps its id. A link to anything
 * else leads to the heading above the target, or else to the top of the page. A link whose target is missing
 * becomes text.
 */
export function repairFragmentLinks(tree: Root, losses: HtmlLosses): Root {
  const links = [...iterateElements(tree)].filter((element) => fragmentTarget(element) !== null);
  if (links.length === 0) return tree;
  const headings = headingsByName(tree);
  const firstTitle = [...iterateElements(tree)].find(({ tagName }) => tagName === "h1");
  const ids = new Map<Element, string>();
  for (const link of links) {
    const name = fragmentTarget(link) ?? "";
    const heading = headings.get(name);
    if (name === TOP || heading === null || (heading !== undefined && heading === firstTitle)) {
      link.properties["href"] = `#${TOP}`;
    } else if (heading === undefined) {
      losses.addLink(oneLineTextOf(link));
      Object.assign(link, { tagName: "span", properties: {} });
    } else {
      const id = ids.get(heading) ?? idOf(name);
      ids.set(heading, id);
      link.properties["href"] = `#${encodeURIComponent(id)}`;
    }
  }
  for (const [heading, id] of ids) {
    const properties = { name: id };
    heading.children.push({
      type: "element",
      tagName: HEADING_ID_ELEMENT,
      properties,
      children: [],
    });
  }
  return tree;
}

/**
 * Maps each link target to the heading that contains it, or else to the heading above it. Null: there is no
 * heading.
 */
function headingsByName(tree: Root): Map<string, Element | null> {
  const found = new Map<string, Element | null>();
  const waiting: string[] = [];
  let last: Element | null = null;
  const settle = () => {
    for (const name of waiting.splice(0)) if (!found.has(name)) found.set(name, last);
  };
  for (const node of contentIn(tree)) {
    const isHeading = node.type === "element" && HEADING.test(node.tagName);
    if (isHeading) {
      last = node;
      for (const part of iterateElements(node)) waiting.push(...anchorNamesOf(part));
    } else if (node.type === "element") waiting.push(...anchorNamesOf(node));
    // Names are mapped only at the next visible content, because an empty anchor names the content after it.
    if (isHeading || isShown(node)) settle();
  }
  settle();
  return found;
}

/** Yields all nodes in document order, except those within headings. */
function* contentIn(tree: Root): Generator<Nodes> {
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    yield node;
    if (node.type === "element" && HEADING.test(node.tagName)) continue;
    if ("children" in node) for (const child of node.children.toReversed()) pending.push(child);
  }
}

function isShown(node: Nodes): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  return node.type === "element" && node.tagName === "img";
}

/** Converts a name to a heading id, which may contain letters, digits and some marks. */
function idOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_.:-]+/gu, "-").slice(0, 200);
}
