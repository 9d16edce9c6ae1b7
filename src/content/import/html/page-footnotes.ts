import type { Element, ElementContent, Root } from "hast";
import {
  AncestorFinder,
  anchorNamesOf,
  countWords,
  fragmentTarget,
  iterateElements,
  oneLineTextOf,
} from "./html-tree.ts";

/** Elements that {@link convertPageFootnotes} creates; their property `label` names the note. */
export const NOTE_REFERENCE_ELEMENT = "note-reference";
export const NOTE_DEFINITION_ELEMENT = "note-definition";

/** Matches a mark in the text that refers to a note: `1`, `[2]`, `*`, `iv`. */
const NOTE_MARK = /^[[({]?\s?(?:\d{1,4}|[ivx]{1,6}|[a-z]|[*†‡§]{1,4})\s?[\])}]?\.?$/i;
/** Typical names of notes. Only used for notes that do not link back to the text. */
const NOTE_NAME = /^_?(?:fn|ftn|edn|foot-?note|end-?note|note|cite_note)[-_:.]?\w{1,20}$/i;
const NOTE_BLOCK = /^(?:li|p|div|dd|dt|td|aside|table|section)$/;
const HEADING = /^h[1-6]$/;
/** Maximum number of words of a note. Notes in scholarly books can be pages long. */
const NOTE_WORDS_MAX = 4000;
/**
 * How many of the elements around a mark are searched for names, innermost first. A note may link back to one
 * of these names.
 */
const NAME_DEPTH_MAX = 3;

interface Note {
  label: string;
  block: Element;
  /** The names in the text to which the note links back. */
  markNames: Set<string>;
}

/**
 * Converts marks to footnotes. A mark qualifies if its note links back to it, or if it is superscript and the
 * note has a typical name. Moves the notes to the end of the page.
 */
export function convertPageFootnotes(tree: Root): Root {
  const parents = new AncestorFinder(tree);
  const targets = new Map<string, Element>();
  for (const element of iterateElements(tree)) {
    for (const name of anchorNamesOf(element)) if (!targets.has(name)) targets.set(name, element);
  }
  const notes = new Map<Element, Note>();
  const linksByBlock = new Map<Element, ReadonlySet<string> | null>();
  for (const link of iterateElements(tree)) {
    const block = noteBlockOf(link, { targets, parents, linksByBlock });
    if (block === null) continue;
    const note = notes.get(block) ?? { label: `${notes.size + 1}`, block, markNames: new Set() };
    notes.set(block, note);
    for (const name of namesAround(link, parents)) note.markNames.add(name);
    makeReference(link, note.label, parents);
  }
  for (const { label, block, markNames } of notes.values()) {
    const children = contentOfNote(block, { markNames, parents });
    tree.children.push({
      type: "element",
      tagName: NOTE_DEFINITION_ELEMENT,
      properties: { label },
      children,
    });
  }
  return tree;
}

interface Page {
  targets: ReadonlyMap<string, Element>;
  parents: AncestorFinder;
  /** The targets of a block's links; null if the block is not a note. */
  linksByBlock: Map<Element, ReadonlySet<string> | null>;
}

function noteBlockOf(link: Element, { targets, parents, linksByBlock }: Page): Element | null {
  const name = fragmentTarget(link);
  const target = name === null ? undefined : targets.get(name);
  if (target === undefined || !NOTE_MARK.test(oneLineTextOf(link))) return null;
  const around = [target, ...parents.around(target)];
  const block = around.find(({ tagName }) => NOTE_BLOCK.test(tagName));
  if (block === undefined || around.some(({ tagName }) => HEADING.test(tagName))) return null;
  const links = linksByBlock.has(block) ? linksByBlock.get(block) : linksOfNote(block);
  linksByBlock.set(block, links ?? null);
  if (links == null || [...parents.around(link)].includes(block)) return null;
  const leadsBack = [...namesAround(link, parents)].some((each) => links.has(each));
  const isRaised = [...parents.around(link)].some(({ tagName }) => tagName === "sup");
  const holdsRaised = [...iterateElements(link)].some(({ tagName }) => tagName === "sup");
  const isNamed = name !== null && NOTE_NAME.test(name) && (isRaised || holdsRaised);
  return leadsBack || isNamed ? block : null;
}

function linksOfNote(block: Element): ReadonlySet<string> | null {
  const parts = [...iterateElements(block)];
  const isText = parts.some(({ tagName }) => HEADING.test(tagName));
  if (isText || countWords(block) > NOTE_WORDS_MAX) return null;
  return new Set(parts.map((part) => fragmentTarget(part) ?? ""));
}

/** The names of a mark, of the elements in it, and of the nearest elements around it. */
function namesAround(link: Element, parents: AncestorFinder): Set<string> {
  const around = [...parents.around(link)].slice(0, NAME_DEPTH_MAX);
  const raised = around.filter(({ tagName }) => /^(?:sup|span|a|b|i|em|strong)$/.test(tagName));
  return new Set([...iterateElements(link), ...raised].flatMap(anchorNamesOf));
}

/** Turns a mark, including the element that makes it superscript, into a reference to a note. */
function makeReference(link: Element, label: string, parents: AncestorFinder): void {
  const mark = oneLineTextOf(link);
  const raised = [...parents.around(link)].find(({ tagName }) => tagName === "sup");
  const bare = raised === undefined ? "" : oneLineTextOf(raised).replace(mark, "");
  const whole = raised !== undefined && /^[[\](){}\s]*$/.test(bare) ? raised : link;
  if (whole === link) dropBrackets(link, parents);
  Object.assign(whole, {
    tagName: NOTE_REFERENCE_ELEMENT,
    properties: { label },
    children: [{ type: "text", value: label }],
  });
}

/** Removes the brackets around the link of a mark, as in `[<a>1</a>]`. */
function dropBrackets(link: Element, parents: AncestorFinder): void {
  const siblings = parents.of(link)?.children ?? [];
  const at = siblings.indexOf(link);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before?.type !== "text" || after?.type !== "text") return;
  if (!/[[(]$/.test(before.value) || !/^[\])]/.test(after.value)) return;
  before.value = before.value.slice(0, -1);
  after.value = after.value.slice(1);
}

/** Removes a note from the page and returns its content without its number and its links back. */
function contentOfNote(
  block: Element,
  { markNames, parents }: { markNames: ReadonlySet<string>; parents: AncestorFinder },
): ElementContent[] {
  if (block.tagName === "dt") moveDescriptionsInto(block, parents);
  for (const link of [...iterateElements(block)]) {
    const isBack = markNames.has(fragmentTarget(link) ?? "");
    if (isBack && countWords(link) <= 3) removeWithin(block, link, parents);
  }
  for (const each of iterateElements(block)) {
    if (/^(?:table|tbody|tr|td|th)$/.test(each.tagName)) each.tagName = "div";
  }
  const first = firstText(block);
  if (first !== undefined) first.value = first.value.replace(LEADING_MARK, "");
  const { children } = block;
  block.children = [];
  parents.remove(block);
  return children;
}

/**
 * Matches a number at the start of a note, such as `1.`. Also matches marks that remain when the link back
 * has been removed, such as `[`, `]` or `^`.
 */
const LEADING_MARK =
  /^\s*(?:[[({]?\s*\d{1,4}\s*(?:[\])}]|[.:](?=\s))|[[({^]?\s*[\])}]|\^|[.:])?\s*/;

const NO_WORDS = /^[[\](){}^.:\s]*$/;

function removeWithin(block: Element, link: Element, parents: AncestorFinder): void {
  let gone = link;
  for (const parent of parents.around(link)) {
    parent.children = parent.children.filter((child) => child !== gone);
    if (parent === block || !NO_WORDS.test(oneLineTextOf(parent))) return;
    gone = parent;
  }
}

/** Moves the descriptions of a term into the term: in a definition list, a note consists of both. */
function moveDescriptionsInto(term: Element, parents: AncestorFinder): void {
  const siblings = parents.of(term)?.children ?? [];
  for (const sibling of siblings.slice(siblings.indexOf(term) + 1)) {
    if (sibling.type !== "element") continue;
    if (sibling.tagName !== "dd") return;
    term.children.push(...sibling.children);
    sibling.children = [];
  }
}

function firstText(element: Element): { value: string } | undefined {
  for (const child of element.children) {
    if (child.type === "text" && child.value.trim() !== "") return child;
    const within = child.type === "element" ? firstText(child) : undefined;
    if (within !== undefined) return within;
  }
  return undefined;
}
