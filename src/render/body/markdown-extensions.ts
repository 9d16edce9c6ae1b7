import type { MarkdownIt, Token } from "markdown-it";
import definitionLists from "markdown-it-deflist";
import footnotes from "markdown-it-footnote";
import { moveFootnotesToEnd } from "./footnote-tail.ts";

const TASK_MARKER = /^\[([ xX])\][ \t]/;

/** Adds footnotes, definition lists, task lists and notes on files to a CommonMark parser. */
export function addMarkdownExtensions(parser: MarkdownIt): void {
  parser.use(footnotes).use(definitionLists);
  // Disables inline footnotes, because they can nest, which makes short texts slow to parse.
  parser.inline.ruler.disable("footnote_inline");
  parser.core.ruler.at("footnote_tail", moveFootnotesToEnd);
  parser.core.ruler.after("inline", "tasks", ({ tokens }) => markTasks(tokens));
  parser.renderer.rules["task"] = (all, at) => (isDone(all[at]) ? "☑ " : "☐ ");
  parser.renderer.rules["file_note"] = (all, at) => ` <bdi>(${all[at]?.content ?? ""})</bdi>`;
}

/** The number of a footnote, from 1. */
export function footnoteNumber({ meta }: Token): number {
  return Number(meta?.["id"]) + 1;
}

/** The checkbox of a task as Markdown. */
export function taskCheckboxMarkdown(token: Token): string {
  return isDone(token) ? "[x] " : "[ ] ";
}

function isDone(token: Token | undefined): boolean {
  return token?.markup === "x";
}

/** Turns `[ ]` and `[x]` at the start of list items into `task` tokens. */
function markTasks(tokens: readonly Token[]): void {
  for (const [at, item] of tokens.entries()) {
    const inline = tokens[at + 2];
    if (item.type !== "list_item_open" || tokens[at + 1]?.type !== "paragraph_open") continue;
    const [first, ...others] = inline?.children ?? [];
    const mark = first?.type === "text" ? TASK_MARKER.exec(first.content) : null;
    if (inline === undefined || first === undefined || mark === null) continue;
    const task = Object.assign(Object.create(Object.getPrototypeOf(first)), first, {
      type: "task",
      content: "",
      markup: mark[1] === " " ? "" : "x",
    });
    first.content = first.content.slice(mark[0].length);
    inline.children = [task, first, ...others];
  }
}
