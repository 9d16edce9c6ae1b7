import type { Element, Nodes, Root } from "hast";
import {
  EMBEDDED_ELEMENTS,
  embeddedUrlOf,
  isInvisibleEmbed,
  isLargeDrawing,
  svgText,
} from "./embedded-handlers.ts";
import { isFormWithoutContent, removeFormFields } from "./form-texts.ts";
import {
  createOutsideContentPredicate,
  isHidden,
  isNonContent,
  isPermalink,
  NON_CONTENT_ELEMENTS,
} from "./frame-names.ts";
import type { HtmlLosses } from "./html-losses.ts";
import { countWords, hasWords, iterateElements, oneLineTextOf } from "./html-tree.ts";
import { removeRepeatedParts } from "./remove-repeated.ts";
import type { RepeatedParts } from "./repeated-parts.ts";

/** An `article` is the content of a page only if it has at least this share of the page's words. */
const ARTICLE_SHARE_MIN = 0.5;

/**
 * The content of a page or fragment: its `main`, or else its only `article`, or else everything except
 * navigation, header and footer. Leaves out parts that repeat at the top and bottom of the site's pages.
 */
export function extractMainContent(tree: Root, losses: HtmlLosses, repeated: RepeatedParts): Root {
  const main = onlyElement(tree, isMain);
  if (main !== null && hasWords(main)) {
    removeRepeatedParts(main, repeated, { isFrame: isNonContent, menusOnly: true });
    return withoutElements(main, isNonContent, losses);
  }
  const isFrame = createOutsideContentPredicate(tree);
  removeRepeatedParts(tree, repeated, { isFrame });
  const article = onlyElement(tree, ({ tagName }) => tagName === "article");
  if (article !== null) {
    const isMost = countWords(article) >= ARTICLE_SHARE_MIN * countWords(tree, isFrame);
    if (isMost) return withoutElements(article, isNonContent, losses);
  }
  return withoutElements(tree, isFrame, losses);
}

/**
 * The text of the first `h1` that does not repeat on other pages. Looks in the content first, then in the
 * whole page. Null: there is none.
 */
export function findMainHeading(tree: Root, repeated: RepeatedParts): string | null {
  removeRepeatedParts(tree, repeated, { isFrame: createOutsideContentPredicate(tree) });
  const main = onlyElement(tree, isMain);
  for (const root of [...(main === null ? [] : [main]), tree]) {
    for (const element of iterateElements(root)) {
      const text = element.tagName === "h1" ? oneLineTextOf(element, isPermalink) : "";
      if (text !== "") return text;
    }
  }
  return null;
}

function isMain({ tagName, properties }: Element): boolean {
  return tagName === "main" || properties["role"] === "main";
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
      if (isHidden(element)) losses.addHidden(oneLineTextOf(element));
      return false;
    }
    addEmbeddedLoss(element, losses);
    if (!isFormWithoutContent(element)) return true;
    losses.addFields(oneLineTextOf(element, ({ tagName }) => NON_CONTENT_ELEMENTS.has(tagName)));
    return false;
  };
  const pending: (Root | Element)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const kept = node.children.filter((child) => child.type !== "element" || isKept(child));
    node.children = kept.filter((child) => child.type !== "comment" && child.type !== "doctype");
    for (const child of node.children) if (child.type === "element") pending.push(child);
  }
  removeFormFields(tree, losses);
  return tree;
}

/** Reports an embedded element or a drawing that neither a link nor a text can replace. */
function addEmbeddedLoss(element: Element, losses: HtmlLosses): void {
  if (element.tagName === "svg") {
    if (svgText(element) === "" && isLargeDrawing(element)) losses.addDrawing();
  } else if (EMBEDDED_ELEMENTS.has(element.tagName) && !isInvisibleEmbed(element)) {
    const shown = [...iterateElements(element)].some(
      (each) => each.tagName === "img" || embeddedUrlOf(each) !== null,
    );
    if (!shown && !hasWords(element)) losses.addEmbedded();
  }
}
