import type { Wording } from "../../../errors.ts";

const BLOCK_START = "<!-- wp:";
const BLOCK_NAME = /^<!-- wp:([a-z][\w-]*(?:\/[\w-]+)?)(\s|$)/;
const REUSED_DEPTH_MAX = 5;
const EXPANDED_CHARACTERS_MAX = 2 * 1024 * 1024;

/** Blocks without visible content of their own. */
const BLOCKS_WITHOUT_CONTENT: ReadonlySet<string> = new Set(
  "more nextpage separator spacer footnotes template-part group navigation".split(" "),
);

/** Whether a text was written in the block editor, so that its paragraphs are marked. */
export function hasBlocks(html: string): boolean {
  return html.includes(BLOCK_START);
}

/**
 * Inserts the texts of reusable blocks. Removes and lists dynamic blocks, which WordPress rendered
 * on each request. The comments that delimit other blocks stay.
 */
export function withoutDynamicBlocks(
  html: string,
  blockOf: (id: string) => string | undefined,
): { html: string; leftOut: Wording[] } {
  const expansion: Expansion = { blockOf, leftOut: [], left: EXPANDED_CHARACTERS_MAX };
  return { html: expanded(html, 0, expansion), leftOut: expansion.leftOut };
}

interface Expansion {
  blockOf: (id: string) => string | undefined;
  /** Receives what is left out. */
  leftOut: Wording[];
  /** Characters that reusable blocks may still add. */
  left: number;
}

function expanded(text: string, depth: number, expansion: Expansion): string {
  let result = "";
  let done = 0;
  for (let at = text.indexOf(BLOCK_START); at !== -1; at = text.indexOf(BLOCK_START, done)) {
    const end = text.indexOf("-->", at);
    if (end === -1) break;
    const mark = text.slice(at, end + 3);
    result += text.slice(done, at);
    result += mark.endsWith("/-->") ? textInstead(mark, depth, expansion) : mark;
    done = end + 3;
  }
  return result + text.slice(done);
}

const REUSABLE_BLOCK: Wording = { en: "the reusable block", de: "der wiederverwendbare Block" };

function blockNamed(name: string): Wording {
  return { en: `the block ${name}`, de: `der Block ${name}` };
}

function textInstead(mark: string, depth: number, expansion: Expansion): string {
  const name = BLOCK_NAME.exec(mark)?.[1] ?? "";
  if (name !== "block") {
    if (!BLOCKS_WITHOUT_CONTENT.has(name)) expansion.leftOut.push(blockNamed(name));
    return "";
  }
  const inside = expansion.blockOf(/"ref":\s*(\d+)/.exec(mark)?.[1] ?? "");
  if (inside === undefined || inside.length > expansion.left || depth >= REUSED_DEPTH_MAX) {
    expansion.leftOut.push(REUSABLE_BLOCK);
    return "";
  }
  expansion.left -= inside.length;
  return expanded(inside, depth + 1, expansion);
}
