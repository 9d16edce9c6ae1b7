import type { Nodes, PhrasingContent, Root, TableCell } from "mdast";

/**
 * Flattens the blocks in each table cell to one line, because Markdown cells cannot contain line
 * breaks. Joins paragraphs with spaces, and puts a bullet before each list entry.
 */
export function flattenTableCells(root: Root): Root {
  const pending: Nodes[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "tableCell") makeOneLine(node);
    if ("children" in node) for (const child of node.children) pending.push(child);
  }
  return root;
}

/** Cells converted from HTML can contain blocks, although the type `TableCell` excludes them. */
function makeOneLine(cell: TableCell): void {
  const content: readonly Nodes[] = cell.children;
  if (content.every(isPhrase)) return;
  cell.children = joinBlocksIntoLine(content);
}

/** Joins the content of block elements into one line, with a space between blocks. */
export function joinBlocksIntoLine(nodes: readonly Nodes[]): PhrasingContent[] {
  const pieces: PhrasingContent[][] = [];
  let isAfterBlock = true;
  for (const node of nodes) {
    const isBlock = !isPhrase(node);
    if (isBlock || isAfterBlock) pieces.push([]);
    // Pushes phrases one by one, because passing all as arguments could overflow the stack.
    for (const phrase of isPhrase(node) ? [node] : blockPhrases(node)) pieces.at(-1)?.push(phrase);
    isAfterBlock = isBlock;
  }
  const filled = pieces.filter((piece) => !piece.every(isSpace));
  return filled.flatMap((piece, at) => (at === 0 ? piece : [text(" "), ...piece]));
}

function blockPhrases(node: Nodes): PhrasingContent[] {
  if (node.type === "code") return [{ type: "inlineCode", value: node.value }];
  if (node.type === "listItem") return [text("• "), ...joinBlocksIntoLine(node.children)];
  return "children" in node ? joinBlocksIntoLine(node.children) : [];
}

const PHRASES: ReadonlySet<string> = new Set(
  "text link linkReference emphasis strong delete inlineCode break image imageReference footnoteReference html".split(
    " ",
  ),
);

function isPhrase(node: Nodes): node is PhrasingContent {
  return PHRASES.has(node.type);
}

function isSpace(node: PhrasingContent): boolean {
  return node.type === "text" && node.value.trim() === "";
}

function text(value: string): PhrasingContent {
  return { type: "text", value };
}
