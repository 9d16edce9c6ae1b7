import type {
  FootnoteDefinition,
  Link,
  Paragraph,
  PhrasingContent,
  Root,
  RootContent,
} from "mdast";

/**
 * The targets of links between a text and its notes, as Word, LibreOffice and Google Docs write
 * them.
 */
const TO_NOTE = /^#(?:_ftn|_edn|ftnt|sdfootnote|sdendnote)(\d+)(?:sym)?$/;
const FROM_NOTE = /^#(?:_ftnref|_ednref|ftnt_ref|sdfootnote|sdendnote)(\d+)(?:anc)?$/;

/**
 * Converts footnotes of word processors to Markdown footnotes. Other links within the document
 * become text.
 */
export function convertFootnotes(root: Root): Root {
  const blocks = root.children.map((block) => parseFootnote(block) ?? block);
  for (const block of blocks) rewriteLinks(block);
  return { ...root, children: blocks };
}

function parseFootnote(block: RootContent): FootnoteDefinition | null {
  if (block.type !== "paragraph") return null;
  const at = block.children.findIndex(({ type }) => type !== "text");
  const link = block.children[at];
  const before = block.children.slice(0, Math.max(at, 0));
  if (link?.type !== "link" || before.some((each) => "value" in each && each.value.trim() !== "")) {
    return null;
  }
  const noteNumber = FROM_NOTE.exec(link.url)?.[1];
  if (noteNumber === undefined || (TO_NOTE.test(link.url) && !link.url.endsWith("anc")))
    return null;
  const rest = block.children.slice(at + 1);
  const [first] = rest;
  if (first?.type === "text") first.value = first.value.trimStart();
  const text: Paragraph = { type: "paragraph", children: rest };
  return {
    type: "footnoteDefinition",
    identifier: noteNumber,
    label: noteNumber,
    children: [text],
  };
}

interface Parent {
  children: unknown[];
}

function rewriteLinks(node: object): void {
  if (!isParent(node)) return;
  node.children = node.children.flatMap((child) => {
    if (typeof child !== "object" || child === null) return [child];
    rewriteLinks(child);
    return isLink(child) && /^(#|$)/.test(child.url) ? referenceOrText(child) : [child];
  });
}

function referenceOrText({ url, children }: Link): PhrasingContent[] {
  const noteNumber = TO_NOTE.exec(url)?.[1];
  if (noteNumber === undefined) return children;
  return [{ type: "footnoteReference", identifier: noteNumber, label: noteNumber }];
}

function isParent(node: object): node is Parent {
  return "children" in node && Array.isArray(node.children);
}

function isLink(node: object): node is Link {
  return "type" in node && node.type === "link";
}
