import type { Element, ElementContent, Root, RootContent } from "hast";

const BLOCK_ELEMENTS: ReadonlySet<string> = new Set(
  "address article aside audio blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr iframe li main menu nav object ol p pre section summary table tbody td tfoot th thead tr ul video".split(
    " ",
  ),
);
/** Elements whose text is divided into paragraphs. */
const PARAGRAPH_CONTAINERS: ReadonlySet<string> = new Set(
  "article aside blockquote center div main section".split(" "),
);
/** Elements in which WordPress shows a line end as a line break. */
const LINE_BREAK_ELEMENTS: ReadonlySet<string> = new Set([
  "p",
  "li",
  "td",
  "th",
  "dd",
  "figcaption",
]);

type Content = RootContent | ElementContent;

/**
 * Adds paragraphs and line breaks to a text that was written without blocks. In such a text, an
 * empty line starts a new paragraph, and any other line end is a line break.
 */
export function addParagraphElements(root: Root): void {
  root.children = inParagraphs(root.children);
}

function inParagraphs(children: readonly Content[]): ElementContent[] {
  const result: ElementContent[] = [];
  let pending: ElementContent[] = [];
  const close = () => {
    if (pending.some(isNotBlank)) result.push(paragraph(pending));
    pending = [];
  };
  for (const child of children) {
    if (child.type === "text") {
      const [first = "", ...rest] = child.value.split(/\n[^\S\n]*\n\s*/);
      pending.push({ type: "text", value: first });
      for (const value of rest) {
        close();
        pending.push({ type: "text", value });
      }
    } else if (child.type === "element" && BLOCK_ELEMENTS.has(child.tagName)) {
      close();
      result.push(markWithin(child));
    } else if (child.type === "element") pending.push(child);
  }
  close();
  return result;
}

function isNotBlank(node: ElementContent): boolean {
  return node.type !== "text" || node.value.trim() !== "";
}

function paragraph(children: readonly ElementContent[]): Element {
  return { type: "element", tagName: "p", properties: {}, children: withLineBreaks(children) };
}

function markWithin(element: Element): Element {
  const { tagName, children } = element;
  if (tagName === "pre") return element;
  if (PARAGRAPH_CONTAINERS.has(tagName)) return { ...element, children: inParagraphs(children) };
  if (children.some((child) => child.type === "element" && BLOCK_ELEMENTS.has(child.tagName))) {
    return {
      ...element,
      children: children.map((each) => (isBlock(each) ? markWithin(each) : each)),
    };
  }
  return LINE_BREAK_ELEMENTS.has(tagName)
    ? { ...element, children: withLineBreaks(children) }
    : element;
}

function isBlock(node: ElementContent): node is Element {
  return node.type === "element" && BLOCK_ELEMENTS.has(node.tagName);
}

/** Converts line ends to `br`, except at the start and the end of the content. */
function withLineBreaks(children: readonly ElementContent[]): ElementContent[] {
  const last = children.length - 1;
  return children.flatMap((child, at): ElementContent[] => {
    if (child.type !== "text") return [child];
    const start = at === 0 ? child.value.trimStart() : child.value;
    const text = at === last ? start.trimEnd() : start;
    const previous = children[at - 1];
    const isAfterBreak = previous?.type === "element" && previous.tagName === "br";
    const lines = (isAfterBreak ? text.replace(/^\s*\n/, "") : text).split(/[^\S\n]*\n/);
    return lines.flatMap((value, line): ElementContent[] => [
      ...(line === 0 ? [] : [lineBreak()]),
      ...(value === "" ? [] : [{ type: "text" as const, value }]),
    ]);
  });
}

function lineBreak(): Element {
  return { type: "element", tagName: "br", properties: {}, children: [] };
}
