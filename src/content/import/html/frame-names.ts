import type { Element, Root } from "hast";
import {
  countWords,
  fragmentTarget,
  hasWords,
  iterateElements,
  oneLineTextOf,
} from "./html-tree.ts";

/** Elements that are never part of a text. */
export const NON_CONTENT_ELEMENTS: ReadonlySet<string> = new Set(
  "head script style template noscript nav link meta base".split(" "),
);
const SKIPPED_ROLES: ReadonlySet<string> = new Set([
  ..."navigation banner contentinfo search complementary menu menubar dialog".split(" "),
]);
/** Classes and ids of navigation: `navbar`, `site-navigation`, `nav-header`, `breadcrumbs`. */
const NAVIGATION_NAME =
  /^(?:[a-z]+[-_])*(?:nav|navbar|navigation|navheader|navfooter|docnav|breadcrumbs?|pagination|pager)(?:[-_]?(?:bar|bottom|container|footer|header|inner|left|links|list|panel|right|top|wrap|wrapper))?$/i;
/** Classes and ids of further elements that are not content, such as headers, sidebars and cookie notices. */
const FRAME_NAME =
  /^(?:site-|page-|main-|top-|global-)?(?:menu|header|footer|sidebar|masthead|skip(?:-link|-to-content)?|cookie(?:s|-banner|-notice)?|share(?:-buttons)?|social(?:-links)?|toc|table-of-contents)$/i;
/** Classes and ids of elements that are not content if most of their words are links. */
const EDGE_NAME = /(?:sidebar|footer|header|menu)$/i;
const SIDE_NAME = /sidebar$/i;
const CONTENTS_NAME = /(?:toc|table-of-contents)$/i;
/** A sidebar with fewer words than this is not content. */
const SIDE_WORDS_MIN = 5;
/** An element with more than this share of a page's words is content, even if its name says otherwise. */
const WORDS_SHARE_MAX = 0.5;

/** Whether an element is left out even within the main content. */
export function isNonContent(element: Element): boolean {
  const { tagName, properties } = element;
  return (
    NON_CONTENT_ELEMENTS.has(tagName) ||
    SKIPPED_ROLES.has(String(properties["role"])) ||
    isHidden(element) ||
    isPermalink(element)
  );
}

/** Whether an element is a permalink mark, such as `¶`, by which a heading or a term links to itself. */
export function isPermalink(element: Element): boolean {
  return fragmentTarget(element) !== null && /^[¶#🔗∞]$/u.test(oneLineTextOf(element));
}

export function isHidden({ tagName, properties }: Element): boolean {
  const isShown = properties["hidden"] !== true && properties["ariaHidden"] !== "true";
  return !isShown || tagName === "dialog";
}

/** Returns a function that checks by tag, class and id whether an element is outside the content. */
export function createOutsideContentPredicate(page: Root): (element: Element) => boolean {
  const titles = [...iterateElements(page)].filter(
    (each) => each.tagName === "h1" && hasWords(each),
  );
  const title = titles.length === 1 ? titles[0] : undefined;
  const wordsMax = WORDS_SHARE_MAX * countWords(page, isNonContent);
  const known = new Map<Element, boolean>();
  return (element) => {
    const before = known.get(element);
    if (before !== undefined) return before;
    const isFrame = isNonContent(element) || isNamedFrame(element, { title, wordsMax });
    known.set(element, isFrame);
    return isFrame;
  };
}

function isNamedFrame(
  element: Element,
  { title, wordsMax }: { title: Element | undefined; wordsMax: number },
): boolean {
  const { tagName, properties } = element;
  // Headings are content, even if their class is `header`.
  if (/^(?:h[1-6]|body|html|img)$/.test(tagName) || isNote(element)) return false;
  const names = [properties["className"] ?? [], properties["id"] ?? []].flat().map(String);
  const hasName = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const holdsTitle = () => title !== undefined && [...iterateElements(element)].includes(title);
  const isSmall = () => countWords(element, isNonContent) <= wordsMax;
  if (hasName(NAVIGATION_NAME)) return isSmall() && !holdsTitle();
  if (/^(?:p|table|a)$/.test(tagName)) return false;
  if (/^(?:header|footer|aside)$/.test(tagName)) return !holdsTitle();
  if (hasName(FRAME_NAME)) return !holdsTitle() && !isContent(element, hasName);
  return hasName(EDGE_NAME) && isMostlyLinks(element) && isSmall() && !holdsTitle();
}

/** Whether an element is content although its class or id suggests that it is not. */
function isContent(element: Element, hasName: (pattern: RegExp) => boolean): boolean {
  if (hasName(CONTENTS_NAME)) return !leadsWithin(element);
  const isSide = hasName(SIDE_NAME) && countWords(element, isNonContent) >= SIDE_WORDS_MIN;
  return isSide && !isMostlyLinks(element);
}

function isNote({ properties }: Element): boolean {
  return /^doc-(?:foot|end)note/.test(String(properties["role"]));
}

/** Whether all links of a table of contents lead to the page itself. */
function leadsWithin(element: Element): boolean {
  const links = [...iterateElements(element)].filter(({ properties }) => "href" in properties);
  return links.every((link) => fragmentTarget(link) !== null);
}

/** Whether at least half of the words are in links. */
function isMostlyLinks(element: Element): boolean {
  const words = countWords(element, isNonContent);
  return 2 * countWords(element, (each) => isNonContent(each) || each.tagName === "a") <= words;
}
