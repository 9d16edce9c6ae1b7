import type { Element, Nodes, Root } from "hast";

/** Elements that are never part of a text. */
const NEVER_CONTENT: ReadonlySet<string> = new Set(
  "head script style template noscript nav form button dialog svg link meta base".split(" "),
);
/** Elements outside the text of a page; kept within `main` or `article`. */
const FRAME_ELEMENTS: ReadonlySet<string> = new Set(["header", "footer", "aside"]);
const SKIPPED_ROLES: ReadonlySet<string> = new Set([
  ..."navigation banner contentinfo search complementary menu menubar dialog".split(" "),
]);
/** Classes and ids that sites give to elements around their texts. */
const FRAME_NAME =
  /^(?:site-|page-|main-|top-|global-)?(?:nav(?:bar|igation)?|menu|header|footer|sidebar|breadcrumbs?|masthead|skip(?:-link|-to-content)?|cookie(?:s|-banner|-notice)?|share(?:-buttons)?|social(?:-links)?|toc|table-of-contents|pagination|pager)$/i;

/**
 * The content of a page or fragment: its `main`, its only `article`, or everything but navigation,
 * header and footer.
 */
export function mainContent(tree: Root): Root {
  const marked =
    onlyElement(tree, isMain) ?? onlyElement(tree, ({ tagName }) => tagName === "article");
  return marked === null ? withoutElements(tree, isFrame) : withoutElements(marked, isLeftOut);
}

function isMain({ tagName, properties }: Element): boolean {
  return tagName === "main" || properties["role"] === "main";
}

function isFrame(element: Element): boolean {
  const { tagName, properties } = element;
  const names = [properties["className"] ?? [], properties["id"] ?? []].flat().map(String);
  return (
    isLeftOut(element) ||
    FRAME_ELEMENTS.has(tagName) ||
    (!isTextual(tagName) && names.some((name) => FRAME_NAME.test(name)))
  );
}

/** Whether an element is kept regardless of its class: a heading may have the class `header`. */
function isTextual(tagName: string): boolean {
  return /^(?:h[1-6]|p|body|html|table|img|a)$/.test(tagName);
}

function isLeftOut({ tagName, properties }: Element): boolean {
  return (
    NEVER_CONTENT.has(tagName) ||
    SKIPPED_ROLES.has(String(properties["role"])) ||
    properties["hidden"] === true ||
    properties["ariaHidden"] === "true"
  );
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

function withoutElements(tree: Root, isUnwanted: (element: Element) => boolean): Root {
  const pending: (Root | Element)[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const kept = node.children.filter((child) => child.type !== "element" || !isUnwanted(child));
    node.children = kept.filter((child) => child.type !== "comment" && child.type !== "doctype");
    for (const child of node.children) if (child.type === "element") pending.push(child);
  }
  return tree;
}
