import type { Nodes, PhrasingContent, Root } from "mdast";
import { flattenTableCells } from "./table-cells.ts";

/**
 * Matches the non-breaking spaces that typography requires, such as before a colon or within a
 * number.
 */
const FIXED_SPACE = /(?<=«)\u00a0|\u00a0(?=[:;!?»])|(?<=\d)\u00a0(?=\d{3})/g;
const INVISIBLE_CHARACTERS = /[\u200b\u2060\ufeff]/g;

/**
 * Removes what remains of the layout of the pasted document: empty paragraphs, most non-breaking
 * spaces, bold in headings, and the redirects that some programs put around links.
 */
export function removePastedLayout(root: Root): Root {
  const isTopUsed = root.children.some((block) => block.type === "heading" && block.depth === 1);
  tidy(flattenTableCells(root), { isTopUsed });
  return root;
}

interface Context {
  isTopUsed: boolean;
}

function tidy(node: Nodes, context: Context): void {
  if (node.type === "text") node.value = plainSpaces(node.value);
  if (node.type === "link") node.url = unwrapRedirect(node.url);
  if (node.type === "heading") {
    if (context.isTopUsed && node.depth < 6) node.depth = levelBelow(node.depth);
    node.children = node.children.flatMap((child) =>
      child.type === "strong" ? child.children : child,
    );
  }
  if (node.type === "list" || node.type === "listItem") node.spread = false;
  if (!("children" in node)) return;
  for (const child of node.children) tidy(child, context);
  const filled = node.children.filter((child) => !isEmpty(child));
  const kept = mergeEmphasis(filled.flatMap(withSpacesOutside));
  if (node.type === "paragraph" || node.type === "heading") trimEnds(kept);
  setChildren(node, kept);
}

function setChildren(node: { children: Nodes[] }, children: Nodes[]): void {
  node.children = children;
}

/** Moves leading and trailing spaces out of emphasis, where Markdown does not allow them. */
function withSpacesOutside(node: Nodes): Nodes[] {
  if (!isEmphasis(node)) return [node];
  const first = node.children[0];
  const startsWithSpace = first?.type === "text" && first.value.startsWith(" ");
  if (startsWithSpace) first.value = first.value.trimStart();
  const end = node.children.at(-1);
  const endsWithSpace = end?.type === "text" && end.value.endsWith(" ");
  if (endsWithSpace) end.value = end.value.trimEnd();
  const space: Nodes = { type: "text", value: " " };
  return [...(startsWithSpace ? [space] : []), node, ...(endsWithSpace ? [{ ...space }] : [])];
}

function trimEnds(children: Nodes[]): void {
  while (children[0] !== undefined && isSpace(children[0])) children.shift();
  for (let end = children.at(-1); end !== undefined && isSpace(end); end = children.at(-1)) {
    children.pop();
  }
  const first = children[0];
  if (first?.type === "text") first.value = first.value.trimStart();
  const end = children.at(-1);
  if (end?.type === "text") end.value = end.value.trimEnd();
}

/** Merges adjacent emphasis, which word processors split at every edit. */
function mergeEmphasis(children: readonly Nodes[]): Nodes[] {
  const result: Nodes[] = [];
  for (const child of children) {
    const last = result.at(-1);
    if (last !== undefined && isEmphasis(child) && isEmphasis(last) && last.type === child.type) {
      for (const merged of child.children) last.children.push(merged);
    } else {
      result.push(child);
    }
  }
  return result;
}

function isEmphasis(
  node: Nodes,
): node is Extract<PhrasingContent, { type: "strong" | "emphasis" }> {
  return node.type === "strong" || node.type === "emphasis";
}

function isEmpty(node: Nodes): boolean {
  switch (node.type) {
    case "paragraph":
    case "heading":
    case "list":
    case "blockquote":
    case "link":
    case "strong":
    case "emphasis":
    case "delete":
      return node.children.every((child) => isEmpty(child) || isSpace(child));
    default:
      return node.type === "text" && node.value === "";
  }
}

function isSpace(node: Nodes): boolean {
  return node.type === "break" || (node.type === "text" && node.value.trim() === "");
}

function plainSpaces(text: string): string {
  const withPlaceholders = text
    .replaceAll(INVISIBLE_CHARACTERS, "")
    .replaceAll(FIXED_SPACE, "\u0000");
  return withPlaceholders
    .replaceAll(/\u00a0/g, " ")
    .replaceAll(/ {2,}/g, " ")
    .replaceAll("\u0000", "\u00a0");
}

function levelBelow(depth: 1 | 2 | 3 | 4 | 5 | 6): 2 | 3 | 4 | 5 | 6 {
  switch (depth) {
    case 1:
      return 2;
    case 2:
      return 3;
    case 3:
      return 4;
    case 4:
      return 5;
    default:
      return 6;
  }
}

/** Returns the target of a link that Google Docs or Outlook wrapped in a redirect. */
function unwrapRedirect(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname, searchParams } = new URL(url);
  const isGoogle = hostname === "www.google.com" && pathname === "/url";
  const target = isGoogle
    ? searchParams.get("q")
    : hostname.endsWith(".safelinks.protection.outlook.com")
      ? searchParams.get("url")
      : null;
  return target !== null && /^https?:/.test(target) ? target : url;
}
