import type { Element, ElementContent, Root } from "hast";
import { iterateElements } from "./html-tree.ts";

const BLOCK =
  /^(?:address|article|aside|blockquote|center|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;

/** Replaces links around blocks with links around the text within the blocks. */
export function moveLinksIntoBlocks(tree: Root): Root {
  for (const link of [...iterateElements(tree)]) {
    if (link.tagName !== "a" || !("href" in link.properties) || !holdsBlock(link)) continue;
    const { id, name } = link.properties;
    link.children = linked(link.children, link.properties);
    Object.assign(link, { tagName: "div", properties: { id: id ?? name ?? null } });
  }
  return tree;
}

function holdsBlock(element: Element): boolean {
  return [...iterateElements(element)].some((each) => each !== element && BLOCK.test(each.tagName));
}

/** Puts a link around each sequence of inline nodes, both between blocks and inside them. */
function linked(
  children: readonly ElementContent[],
  { href, title }: Element["properties"],
): ElementContent[] {
  const content: ElementContent[] = [];
  let run: Element | null = null;
  for (const child of children) {
    const isWithBlock =
      child.type === "element" && (BLOCK.test(child.tagName) || holdsBlock(child));
    if (isWithBlock) {
      child.children = linked(child.children, { href, title });
      content.push(child);
      run = null;
    } else {
      run ??= { type: "element", tagName: "a", properties: { href, title }, children: [] };
      if (run.children.length === 0) content.push(run);
      run.children.push(child);
    }
  }
  return content;
}
