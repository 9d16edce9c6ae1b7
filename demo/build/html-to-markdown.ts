import type { ElementContent, Nodes, Root } from "hast";
import { toMdast } from "hast-util-to-mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { parseHtmlTree } from "../../src/content/pasting/html-conversion.ts";

/** Word joiners and hair spaces set type; as text they only hinder searching and copying. */
const WORD_JOINER = /\u2060/g;
const TYPOGRAPHIC_SPACE = /[\u00a0\u200a]/g;

/**
 * Markdown of an HTML fragment: emphasis, lists and verse lines stay; marks of endnotes go, and so
 * do links to other files of the book, which are not here.
 */
export function htmlToMarkdown(html: string): string {
  const tree = parseHtmlTree(plainSpaces(html), { fragment: true });
  return toMarkdown(toMdast(withoutBookMarks(tree)), {
    extensions: [gfmToMarkdown()],
    bullet: "-",
    emphasis: "*",
  }).trimEnd();
}

/** Text as a person would type it: no invisible characters, ordinary spaces. */
export function plainSpaces(text: string): string {
  return text.replace(WORD_JOINER, "").replace(TYPOGRAPHIC_SPACE, " ");
}

/** The words of a chapter without marks of endnotes, and those of each introduction that it has. */
export function wordsOfChapter(html: string): { words: string; introductions: string[] } {
  const tree = withoutBookMarks(parseHtmlTree(plainSpaces(html), { fragment: true }));
  return { words: textOf(tree), introductions: introductionsIn(tree).map(textOf) };
}

function withoutBookMarks(root: Root): Root {
  const keep = (child: ElementContent): ElementContent[] => {
    if (isNoteMark(child)) return [];
    if (child.type !== "element") return [child];
    const children = child.children.flatMap(keep);
    return isLinkWithinBook(child) ? children : [{ ...child, children }];
  };
  const children = root.children.flatMap((child) => {
    if (child.type === "doctype") return [];
    return keep(child);
  });
  return { ...root, children };
}

function isLinkWithinBook(node: ElementContent): boolean {
  if (node.type !== "element" || node.tagName !== "a") return false;
  return !/^https?:/.test(String(node.properties["href"] ?? ""));
}

function isNoteMark(node: ElementContent): boolean {
  return node.type === "element" && node.properties["epub:type"] === "noteref";
}

function introductionsIn(node: Nodes): Nodes[] {
  if (node.type === "element" && String(node.properties["id"]).endsWith("-introduction")) {
    return [node];
  }
  return "children" in node ? node.children.flatMap(introductionsIn) : [];
}

function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
