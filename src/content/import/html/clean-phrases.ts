import type { Link, Nodes, Root } from "mdast";

/** Rewrites inline content that Markdown would otherwise show differently from the page. */
export function normalizeInlineContent(root: Root): Root {
  const pending: Nodes[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!("children" in node)) continue;
    joinCode(node.children);
    if (node.type === "link") splitAddressText(node);
    for (const child of node.children) pending.push(child);
  }
  return root;
}

/**
 * Joins adjacent pieces of inline code, because the backticks between them would be read as text. Removes
 * empty pieces.
 */
function joinCode(children: Nodes[]): void {
  for (let at = children.length - 1; at >= 0; at -= 1) {
    const [before, code] = [children[at - 1], children[at]];
    if (code?.type !== "inlineCode") continue;
    if (before?.type === "inlineCode") before.value += code.value;
    if (before?.type === "inlineCode" || code.value === "") children.splice(at, 1);
  }
}

/**
 * Splits the text of a link if it is an address with percent signs. As a single text node, the address would
 * be shown decoded.
 */
function splitAddressText(link: Link): void {
  const [text] = link.children;
  if (text?.type !== "text" || link.children.length > 1 || !text.value.includes("%")) return;
  const [first = "", ...rest] = text.value.split(/(?=%)/);
  link.children = [first, rest.join("")].map((value) => ({ type: "text", value }));
}
