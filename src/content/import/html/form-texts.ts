import type { Element, Root } from "hast";
import type { HtmlLosses } from "./html-losses.ts";
import { countWords, hasWords, iterateElements, oneLineTextOf } from "./html-tree.ts";

const CONTROLS: ReadonlySet<string> = new Set(
  "input select textarea button datalist output progress meter".split(" "),
);
/** Elements whose words are content even within a form. */
const TEXT_ELEMENT = /^(?:p|h[1-6]|li|dd|td|blockquote|pre|article)$/;
/** A button with at least this many words is content. */
const BUTTON_WORDS_MIN = 3;
/** A form with more words than this outside its fields is content. */
const FIELD_WORDS_MAX = 8;

/** Whether an element is a form without content, such as a search, log-in or contact form. */
export function isFormWithoutContent(element: Element): boolean {
  if (element.tagName !== "form") return false;
  const words = countWords(element, isFieldPart);
  if (words === 0) return true;
  if (words > FIELD_WORDS_MAX) return false;
  return ![...iterateElements(element)].some(
    (each) =>
      TEXT_ELEMENT.test(each.tagName) &&
      countWords(each, isFieldPart) > 0 &&
      ![...iterateElements(each)].some(isControl),
  );
}

/**
 * Removes the fields of forms with their labels, and also buttons and fields outside forms. The text around
 * them is kept.
 */
export function removeFormFields(tree: Root, losses: HtmlLosses): void {
  const pending: { node: Root | Element; isInForm: boolean }[] = [{ node: tree, isInForm: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isInForm } = next;
    const fields = elementsOf(node).filter((each) =>
      isInForm ? isFieldPart(each) && !opensText(each, node) : isLooseField(each, node),
    );
    for (const field of fields) {
      if (isInForm) losses.addFields(oneLineTextOf(field));
      else losses.addLooseField(wordsOf(field));
    }
    const gone = new Set<unknown>(fields);
    node.children = node.children.filter((child) => !gone.has(child));
    for (const child of elementsOf(node)) {
      pending.push({ node: child, isInForm: isInForm || child.tagName === "form" });
    }
  }
}

/**
 * Whether an element is a control outside forms that is not content: an input, or a button whose text only
 * names an action, such as `Copy`.
 */
function isLooseField(element: Element, parent: Root | Element): boolean {
  if (!isControl(element)) return false;
  if (element.tagName === "button") {
    return countWords(element) < BUTTON_WORDS_MIN && !opensText(element, parent);
  }
  return /^(?:input|select|datalist)$/.test(element.tagName);
}

/** Whether a button is content because it is in a heading, or because it expands the text below. */
function opensText({ tagName, properties }: Element, parent: Root | Element): boolean {
  if (tagName !== "button") return false;
  const isHeading = parent.type === "element" && /^(?:h[1-6]|summary|dt)$/.test(parent.tagName);
  const keys = ["ariaExpanded", "ariaControls", "dataToggle", "dataBsToggle"];
  return isHeading || keys.some((key) => key in properties);
}

function wordsOf(field: Element): string {
  const { type, value, placeholder } = field.properties;
  if (field.tagName === "button") return oneLineTextOf(field);
  if (field.tagName !== "input") {
    const options = [...iterateElements(field)].filter((each) => each.tagName === "option");
    return options.map((option) => oneLineTextOf(option)).join(" ");
  }
  return type === "hidden" ? "" : String(value ?? placeholder ?? "").trim();
}

function elementsOf(node: Root | Element): Element[] {
  return node.children.flatMap((child) => (child.type === "element" ? [child] : []));
}

function isControl({ tagName, properties }: Element): boolean {
  // Disabled check boxes are kept, because they belong to task lists.
  return CONTROLS.has(tagName) && !(properties["type"] === "checkbox" && properties["disabled"]);
}

/** Whether an element is a control or the label of one. */
function isFieldPart(element: Element): boolean {
  if (isControl(element)) return true;
  if (element.tagName !== "label") return false;
  return (
    "htmlFor" in element.properties ||
    !hasWords(element) ||
    [...iterateElements(element)].some(isControl)
  );
}
