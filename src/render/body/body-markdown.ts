import type { Token } from "markdown-it";
import { formatCodeBlock } from "../markdown-text.ts";
import {
  markdownOfUnsanitizedHtml,
  serializeInlineAsMarkdown,
  serializeLineAsMarkdown,
} from "./body-markdown-inline.ts";
import { footnoteNumber } from "./markdown-extensions.ts";

interface Block {
  type: string;
  text: string;
  /** Whether the block is a paragraph of a tight list. No blank line may follow such a paragraph. */
  isTight: boolean;
}

interface Cursor {
  tokens: readonly Token[];
  at: number;
  origin: string;
}

/**
 * Serializes the parsed body as portable Markdown: balanced fences, resolved references, and raw
 * HTML reduced to its text, links and preformatted lines. Works from tokens, because the only
 * parser that reports source positions takes minutes for a hostile text of 1 MiB.
 */
export function serializeBodyAsMarkdown(tokens: readonly Token[], origin: string): string {
  return joinBlocks(readBlocks({ tokens, at: 0, origin }));
}

function readBlocks(cursor: Cursor): Block[] {
  const blocks: Block[] = [];
  while (cursor.at < cursor.tokens.length) {
    const token = cursor.tokens[cursor.at];
    cursor.at += 1;
    if (token === undefined || token.nesting === -1) break;
    const text = blockText(token, cursor, blocks.at(-1));
    if (text !== "") blocks.push({ type: token.type, text, isTight: token.hidden });
  }
  return blocks;
}

function joinBlocks(blocks: readonly Block[]): string {
  return blocks
    .map((block, at) => {
      const previous = blocks[at - 1];
      if (previous === undefined) return block.text;
      return (isClose(previous, block) ? "\n" : "\n\n") + block.text;
    })
    .join("");
}

/**
 * True if no blank line may separate the blocks. A blank line would turn the lines of a tight list into
 * paragraphs.
 */
function isClose(previous: Block, block: Block): boolean {
  return previous.isTight || (block.isTight && !/list|quote/.test(previous.type));
}

function blockText(token: Token, cursor: Cursor, previous: Block | undefined): string {
  switch (token.type) {
    case "paragraph_open":
      return readInline(cursor);
    case "heading_open":
      return heading(token, readInline(cursor, serializeLineAsMarkdown));
    case "blockquote_open":
      return prefixed(joinBlocks(readBlocks(cursor)), "> ", "> ") || ">";
    case "bullet_list_open":
      return readList(cursor, () => (/^-( |$)/.test(firstLine(previous)) ? "* " : "- "));
    case "ordered_list_open": {
      const start = Number(token.attrGet("start") ?? 1);
      const delimiter = /^\d+\.( |$)/.test(firstLine(previous)) ? ") " : ". ";
      return readList(cursor, (at) => `${start + at}${delimiter}`);
    }
    case "figure_open":
      return joinBlocks(readBlocks(cursor));
    case "fence":
    case "code_block":
      return formatCodeBlock(token.content, token.info);
    case "dl_open":
      return readDefinitions(cursor);
    case "footnote_block_open":
      return joinBlocks(readBlocks(cursor));
    case "footnote_open":
      return prefixed(joinBlocks(readBlocks(cursor)), `[^${footnoteNumber(token)}]: `, "    ");
    case "footnote_anchor":
      return "";
    case "hr":
      // Uses underscores, because three hyphens or stars could merge with the marker of a list
      // item: `- ---` is a rule.
      return "___";
    case "table_open":
      return readTable(cursor);
    case "html_block":
      return markdownOfUnsanitizedHtml(token.content, cursor.origin);
    default:
      throw new Error(`No Markdown is known for the token ${token.type}`);
  }
}

function firstLine(block: Block | undefined): string {
  return block?.text.split("\n", 1)[0] ?? "";
}

function heading(token: Token, inline: string): string {
  const line = inline.replace(/(?<=\s)#+$/, "\\$&");
  return `${"#".repeat(Number(token.tag.slice(1)))} ${line}`;
}

function readInline(cursor: Cursor, serialize = serializeInlineAsMarkdown): string {
  const inline = cursor.tokens[cursor.at];
  cursor.at += 1;
  while (cursor.tokens[cursor.at]?.type === "footnote_anchor") cursor.at += 1;
  cursor.at += 1;
  return serialize(inline?.children ?? [], cursor.origin);
}

/** Reads a definition list: each term is followed by its definitions. */
function readDefinitions(cursor: Cursor): string {
  const lines: string[] = [];
  for (
    let token = cursor.tokens[cursor.at];
    token !== undefined && token.type !== "dl_close";
    token = cursor.tokens[cursor.at]
  ) {
    cursor.at += 1;
    if (token.type === "dt_open") {
      if (lines.length > 0) lines.push("");
      lines.push(readInline(cursor, serializeLineAsMarkdown));
      continue;
    }
    const blocks = readBlocks(cursor);
    // Puts a blank line only before definitions with paragraphs: a blank line turns the text after
    // it into a paragraph.
    if (blocks.some(({ type, isTight }) => type === "paragraph_open" && !isTight)) lines.push("");
    lines.push(prefixed(joinBlocks(blocks), ": ", "  ") || ":");
  }
  cursor.at += 1;
  return lines.join("\n");
}

function readList(cursor: Cursor, marker: (at: number) => string): string {
  const items: string[] = [];
  let isTight = true;
  while (cursor.tokens[cursor.at]?.type === "list_item_open") {
    cursor.at += 1;
    const blocks = readBlocks(cursor);
    const mark = marker(items.length);
    isTight &&= blocks.every((block) => block.type !== "paragraph_open" || block.isTight);
    items.push(prefixed(joinBlocks(blocks), mark, " ".repeat(mark.length)) || mark.trimEnd());
  }
  cursor.at += 1;
  return items.join(isTight ? "\n" : "\n\n");
}

function readTable(cursor: Cursor): string {
  const rows: string[] = [];
  let cells: string[] = [];
  let rules: string[] = [];
  for (
    let token = cursor.tokens[cursor.at];
    token?.type !== "table_close";
    token = cursor.tokens[cursor.at]
  ) {
    cursor.at += 1;
    if (token === undefined) break;
    if (token.type === "th_open" || token.type === "td_open") {
      if (token.type === "th_open") rules.push(columnRule(token));
      cells.push(readInline(cursor, serializeLineAsMarkdown));
    } else if (token.type === "tr_close") {
      rows.push(tableRow(cells), ...(rules.length > 0 ? [tableRow(rules)] : []));
      cells = [];
      rules = [];
    }
  }
  cursor.at += 1;
  return rows.join("\n");
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function columnRule(token: Token): string {
  const style = token.attrGet("style");
  if (style === "text-align:right") return "--:";
  return style === "text-align:center" ? ":-:" : "---";
}

function prefixed(text: string, first: string, others: string): string {
  if (text === "") return "";
  const lines = text.split("\n");
  return lines
    .map((line, at) => (at === 0 ? first : others) + line)
    .map((line, at) => (lines[at] === "" ? line.trimEnd() : line))
    .join("\n");
}
