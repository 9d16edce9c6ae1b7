import type { Wording } from "../../../errors.ts";

const BLOCK_START = "<!-- wp:";
const BLOCK_NAME = /^<!-- wp:([a-z][\w-]*(?:\/[\w-]+)?)(\s|$)/;
const REUSED_DEPTH_MAX = 5;
const EXPANDED_CHARACTERS_MAX = 2 * 1024 * 1024;

/** Blocks without content of their own, whose removal is not reported. */
const BLOCKS_WITHOUT_CONTENT: ReadonlySet<string> = new Set(
  "more nextpage separator spacer footnotes template-part group navigation".split(" "),
);

/** Whether a text was written in the block editor, which marks paragraphs. */
export function hasBlocks(html: string): boolean {
  return html.includes(BLOCK_START);
}

/**
 * Wraps HTML in a block, so that the import does not split its text into paragraphs at line breaks. Escapes
 * brackets, which would otherwise begin shortcodes.
 */
export function wrapInHtmlBlock(html: string): string {
  return `<!-- wp:html -->\n${html.replaceAll("[", "&#91;")}\n<!-- /wp:html -->`;
}

/**
 * Inserts the texts of reusable blocks. Removes dynamic blocks, which WordPress rendered on each request, and
 * lists them in `leftOut`. Keeps the comments that delimit other blocks.
 */
export function replaceDynamicBlocks(
  html: string,
  blockOf: (id: string) => string | undefined,
): { html: string; leftOut: Wording[] } {
  const expansion: Expansion = { blockOf, leftOut: [], charactersLeft: EXPANDED_CHARACTERS_MAX };
  return { html: expandBlocks(html, 0, expansion), leftOut: expansion.leftOut };
}

interface Expansion {
  blockOf: (id: string) => string | undefined;
  /** Receives a description of each block that is left out. */
  leftOut: Wording[];
  /** Number of characters that reusable blocks can still add. */
  charactersLeft: number;
}

function expandBlocks(text: string, depth: number, expansion: Expansion): string {
  let result = "";
  let copiedTo = 0;
  for (let at = text.indexOf(BLOCK_START); at !== -1; at = text.indexOf(BLOCK_START, copiedTo)) {
    const end = text.indexOf("-->", at);
    if (end === -1) break;
    const delimiter = text.slice(at, end + 3);
    result += text.slice(copiedTo, at);
    result += delimiter.endsWith("/-->") ? replacementOf(delimiter, depth, expansion) : delimiter;
    copiedTo = end + 3;
  }
  return result + text.slice(copiedTo);
}

const REUSABLE_BLOCK: Wording = { en: "the reusable block", de: "der wiederverwendbare Block" };

function blockNamed(name: string): Wording {
  return { en: `the block ${name}`, de: `der Block ${name}` };
}

function replacementOf(delimiter: string, depth: number, expansion: Expansion): string {
  const name = BLOCK_NAME.exec(delimiter)?.[1] ?? "";
  if (name !== "block") {
    if (!BLOCKS_WITHOUT_CONTENT.has(name)) expansion.leftOut.push(blockNamed(name));
    return "";
  }
  const blockHtml = expansion.blockOf(/"ref":\s*(\d+)/.exec(delimiter)?.[1] ?? "");
  if (
    blockHtml === undefined ||
    blockHtml.length > expansion.charactersLeft ||
    depth >= REUSED_DEPTH_MAX
  ) {
    expansion.leftOut.push(REUSABLE_BLOCK);
    return "";
  }
  expansion.charactersLeft -= blockHtml.length;
  return expandBlocks(blockHtml, depth + 1, expansion);
}
