import type { Element, Root } from "hast";
import { iterateElements } from "./html-tree.ts";
import { type PagePart, PagePartFinder } from "./page-parts.ts";
import { isMenu, type RepeatedParts } from "./repeated-parts.ts";

/**
 * Nothing is removed if the repeated texts have more words than this limit and more words than the rest of
 * the page. The repeated texts are then content that similar pages share.
 */
const REMOVED_WORDS_MAX = 150;

interface RemovalOptions {
  /** Whether an element is outside the content, even if it does not repeat. */
  isFrame: (element: Element) => boolean;
  /** Whether only menus are removed. Set for the element that a page marks as its main content. */
  menusOnly?: boolean;
}

/**
 * Removes repeated parts from the top and the bottom of a page, up to the first part that does not repeat.
 * Menus found there are also removed from the rest of the page. A page whose parts all repeat is unchanged.
 */
export function removeRepeatedParts(
  tree: Root,
  { keys }: Pick<RepeatedParts, "keys">,
  { isFrame, menusOnly = false }: RemovalOptions,
): void {
  if (keys.length === 0) return;
  const known = new Set(keys);
  const isRepeated = (part: PagePart) => known.has(part.key) && (!menusOnly || isMenu(part));
  removeParts(tree, { parts: new PagePartFinder(), isRepeated, isFrame });
}

interface Page {
  parts: PagePartFinder;
  isRepeated: (part: PagePart) => boolean;
  isFrame: (element: Element) => boolean;
}

function removeParts(tree: Root, page: Page): void {
  const found = [...repeatedAtTop(tree, page), ...repeatedAtBottom(tree, page)];
  if (found.length === 0) return;
  const countWords = (parts: readonly PagePart[]) =>
    parts.reduce((sum, { words }) => sum + words, 0);
  const left = countWords(page.parts.of(tree)) - countWords(found);
  const texts = countWords(found.filter((part) => !isMenu(part)));
  if (left <= 0 || (texts > REMOVED_WORDS_MAX && texts > left)) return;
  const menus = new Set(found.filter(isMenu).map(({ key }) => key));
  const gone = new Set<unknown>(found.flatMap(({ nodes }) => nodes));
  for (const { key, nodes } of page.parts.all(tree)) {
    if (menus.has(key)) for (const node of nodes) gone.add(node);
  }
  for (const parent of [tree, ...iterateElements(tree)]) {
    parent.children = parent.children.filter((child) => !gone.has(child));
  }
}

function isHeading(part: PagePart | undefined): boolean {
  return part !== undefined && part.words > 0 && part.headingWords >= part.words;
}

function repeatedAtTop(tree: Root, page: Page): PagePart[] {
  const found: PagePart[] = [];
  let hasTitle = false;
  for (const part of partsFrom(tree, page, "top")) {
    const isTitle = !hasTitle && /^h1 /.test(kindOf(part) ?? "");
    if (page.isRepeated(part) && !(hasTitle && isOfText(part))) found.push(part);
    else if (isTitle) hasTitle = true;
    else break;
  }
  // Keeps headings at the end of the repeated parts, because the text below them does not repeat.
  while (isHeading(found.at(-1))) found.pop();
  return found;
}

/** Whether a part below the title is content even if it repeats on many pages. */
function isOfText(part: PagePart): boolean {
  return part.headingWords > 0 || /^(?:pre|table|dl) /.test(kindOf(part) ?? "");
}

function repeatedAtBottom(tree: Root, page: Page): PagePart[] {
  const sections = new Sections();
  const found: PagePart[] = [];
  for (const part of partsFrom(tree, page, "bottom")) {
    if (!page.isRepeated(part)) break;
    const { parent } = part;
    if (sections.includes(part, page)) {
      return isHeading(part) ? found.filter((below) => below.parent !== parent) : found;
    }
    found.push(part);
  }
  return found;
}

/**
 * Yields the parts of a page, starting at one end. A part that repeats is yielded whole. Any other part is
 * divided into the parts within it, if it has any.
 */
function* partsFrom(tree: Root, page: Page, end: "top" | "bottom"): Generator<PagePart> {
  const ordered = (list: PagePart[]) => (end === "top" ? list.toReversed() : list);
  const pending = ordered(page.parts.of(tree));
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const [node] = part.nodes;
    const isRepeated = page.isRepeated(part);
    if (!isRepeated && node?.type === "element" && page.isFrame(node)) continue;
    if (isRepeated || part.container === null) yield part;
    else for (const inner of ordered(page.parts.of(part.container))) pending.push(inner);
  }
}

/**
 * Compares a part with the sections that have the same parent. A section is a part that has a heading and
 * does not repeat. Caches the tags and classes of sections by parent element.
 */
class Sections {
  readonly #kinds = new Map<PagePart["parent"], ReadonlySet<string | null>>();

  /** Whether a part has a heading, and the same tag and class as a section of the same parent. */
  includes(part: PagePart, { isRepeated, parts }: Page): boolean {
    if (part.headingWords === 0 || isMenu(part)) return false;
    const { parent } = part;
    const known = this.#kinds.get(parent);
    const kinds =
      known ??
      new Set(
        parts
          .of(parent)
          .filter((other) => other.headingWords > 0 && !isRepeated(other))
          .map(kindOf),
      );
    if (known === undefined) this.#kinds.set(parent, kinds);
    return kinds.has(kindOf(part));
  }
}

/** The tag and class of a part's element; null: the part begins with text. */
function kindOf({ nodes }: PagePart): string | null {
  const [node] = nodes;
  return node?.type === "element" ? `${node.tagName} ${node.properties["className"]}` : null;
}
