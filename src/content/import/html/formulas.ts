import type { Element, ElementContent } from "hast";

/** A MathML formula in two forms: as TeX, if the page contains it, and as plain text on one line. */
export interface Formula {
  /** The formula as TeX; empty if the page does not contain the formula as TeX. */
  tex: string;
  text: string;
}

export function formulaOf(math: Element): Formula {
  const { alttext } = math.properties;
  const stated = texIn(math) ?? (typeof alttext === "string" ? alttext : "");
  return { tex: stated.replaceAll(/\s+/g, " ").trim(), text: lineOf(math) };
}

function texIn({ children }: Element): string | null {
  for (const child of children) {
    if (child.type !== "element") continue;
    const isTex = /tex/i.test(String(child.properties["encoding"]));
    if (child.tagName === "annotation" && isTex) return rawText(child);
    const inner = child.tagName === "semantics" ? texIn(child) : null;
    if (inner !== null) return inner;
  }
  return null;
}

/** Writes a formula on one line: `E = m c^2`, `(a + b)/2`, `√(x + 1)`. */
function lineOf(element: Element): string {
  const parts = element.children.filter(isShown).map(partOf);
  const [first = "", second = "", third = ""] = parts;
  switch (element.tagName) {
    case "mfrac":
      return `${grouped(first)}/${grouped(second)}`;
    case "msup":
    case "mover":
      return `${grouped(first)}^${grouped(second)}`;
    case "msub":
    case "munder":
      return `${grouped(first)}_${grouped(second)}`;
    case "msubsup":
    case "munderover":
      return `${grouped(first)}_${grouped(second)}^${grouped(third)}`;
    case "mroot":
      return `${grouped(second)}√(${first})`;
    case "msqrt":
      return `√(${joined(parts, " ")})`;
    case "mtable":
      return joined(parts, "; ");
    case "mtr":
      return joined(parts, ", ");
    default:
      return joined(parts, " ");
  }
}

function joined(parts: readonly string[], separator: string): string {
  return parts.filter((text) => text !== "").join(separator);
}

function partOf(node: ElementContent): string {
  if (node.type === "text") return node.value.replaceAll(/[\s\u2061-\u2064]+/g, " ").trim();
  return node.type === "element" ? lineOf(node) : "";
}

function isShown(node: ElementContent): boolean {
  if (node.type === "text") return node.value.trim() !== "";
  return node.type === "element" && !/^annotation/.test(node.tagName);
}

function grouped(text: string): string {
  return text.includes(" ") ? `(${text})` : text;
}

function rawText({ children }: Element): string {
  return children.map((child) => (child.type === "text" ? child.value : "")).join("");
}
