import type { Element, Nodes, Root } from "hast";
import { isOnlyFields, withoutFields } from "./form-texts.ts";
import type { HtmlLosses } from "./html-losses.ts";
import { hasWords, textOf, wordCount } from "./html-tree.ts";

/** Elements that are never part of a text. */
const NEVER_CONTENT: ReadonlySet<string> = new Set(
  "head script style template noscript nav svg link meta base".split(" "),
);
/** Elements outside the text of a page; kept within `main` or `article`. */
const FRAME_ELEMENTS: ReadonlySet<string> = new Set(["header", "footer", "aside"]);
const SKIPPED_ROLES: ReadonlySet<string> = new Set([
  ..."navigation banner contentinfo search complementary menu menubar dialog".split(" "),
]);
/** Classes and ids that sites give to elements around their texts. */
const FRAME_NAME =
  /^(?:site-|page-|main-|top-|global-)?(?:nav(?:bar|igation)?|menu|header|footer|sidebar|breadcrumbs?|masthead|skip(?:-link|-to-content)?|cookie(?:s|-banner|-notice)?|share(?:-buttons)?|social(?:-links)?|toc|table-of-contents|pagination|pager)$/i;
/** An only `article` with a smaller share of the words is one of several parts of the page. */
const ARTICLE_SHARE_MIN = 0.5;

/**
 * The content of a page or fragment: its `main`, its only `article`, or everything but navigation,
 * header and footer.
 */
export function mainContent(tree: Root, losses: HtmlLosses): Root {
  const main = onlyElement(tree, isMain);
  if (main !== null && hasWords(main)) return withoutElements(main, isLeftOut, losses);
  const article = onlyElement(tree, ({ tagName }) => tagName === "article");
  if (article !== null) {
    const isMost = wordCount(article) >= ARTICLE_SHARE_MIN * wordCount(tree, isFrame);
    if (isMost) return withoutElements(article, isLeftOut, losses);
  }
  return withoutElements(tree, isFrame, losses);
}

function isMain({ tagName, properties }: Element): boolean {
  return tagName === "main" || properties["role"] === "main";
}

/** Whether an element frames the text of a page, judged by its tag, role and name. */
function isFrame(element: Element): boolean {
  const { tagName, properties } = element;
  const names = [properties["className"] ?? [], properties["id"] ?? []].flat().map(String);
  return (
    isLeftOut(element) ||
    (FRAME_ELEMENTS.has(tagName) && !isNote(element)) ||
    (!isTextual(tagName) && names.some((name) => FRAME_NAME.test(name)))
  );
}

function isNote({ properties }: Element): boolean {
  return /^doc-(?:foot|end)note/.test(String(properties["role"]));
}

/** Whether an element is kept regardless of its class: a heading may have the class `header`. */
function isTextual(tagName: string): boolean {
  return /^(?:h[1-6]|p|body|html|table|img|a)$/.test(tagName);
}

function isLeftOut(element: Element): boolean {
  const { tagName, properties } = element;
  return (
    NEVER_CONTENT.has(tagName) || SKIPPED_ROLES.has(String(properties["role"])) || isHidden(element)
  );
}

function isHidden({ tagName, properties }: Element): boolean {
  const isShown = properties["hidden"] !== true && properties["ariaHidden"] !== "true";
  return !isShown || tagName === "dialog";
}

function onlyElement(tree: Root, isSought: (element: Element) => boolean): Root | null {
  const found: Element[] = [];
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "element" && isSought(node)) found.push(node);
    else if ("children" in node) for (const child of node.children) pending.push(child);
  }
  const [first] = found;
  return first === undefined || found.length > 1
    ? null
    : { type: "root", children: first.children };
}

function withoutElements(
  tree: Root,
  isUnwanted: (element: Element) => boolean,
  losses: HtmlLosses,
): Root {
  const isKept = (element: Element) => {
    if (isUnwanted(element)) {
      if (isHidden(element)) losses.addHidden(textOf(element));
      return false;
    }
    if (!isOnlyFields(element)) return true;
    losses.addFields(textOf(element, ({ tagName }) => NEVER_CONTENT.has(tagName)));
    return false;
  };
  const pending: (Root | Element)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const kept = node.children.filter((child) => child.type !== "element" || isKept(child));
    node.children = kept.filter((child) => child.type !== "comment" && child.type !== "doctype");
    for (const child of node.children) if (child.type === "element") pending.push(child);
  }
  withoutFields(tree, losses);
  return tree;
}
