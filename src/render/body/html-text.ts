import { Parser } from "htmlparser2";
import { codeBlock, escapeMarkdown } from "../markdown-text.ts";
import { BLOCK_TAGS } from "./body-html.ts";
import { ItemNumbers } from "./item-numbers.ts";
import { textWithLines } from "./simple-html.ts";

/**
 * The text of an HTML fragment without footnote marks, with straight quotation marks around each `q`. Items
 * of ordered lists begin with their number. Lines end as in {@link textWithLines}.
 */
export function textOfHtml(html: string): string {
  return textWithLines(
    passagesOf(html)
      .map(({ text }) => text)
      .join(""),
  );
}

/** The text of an HTML fragment as Markdown: each `pre` is a code block, and the text between is plain. */
export function markdownOfHtmlText(html: string): string {
  const blocks = passagesOf(html).map(({ text, code }) => {
    if (code === null) return escapeMarkdown(textWithLines(text));
    return code.trim() === "" ? "" : codeBlock(code.replace(/^\n/, ""), "");
  });
  return blocks.filter((block) => block !== "").join("\n\n");
}

interface Passage {
  /** Text with white space collapsed; lines and blocks end in line feeds. */
  text: string;
  /** The unchanged text of a `pre`; null: the passage is not in a `pre`. */
  code: string | null;
}

/** Splits the text at each `pre`. */
function passagesOf(html: string): Passage[] {
  let around: Passage = { text: "", code: null };
  const passages = [around];
  const numbers = new ItemNumbers();
  let noteMark: string | null = null;
  let preDepth = 0;
  let current = around;
  const add = (passage: Passage) => {
    passages.push(passage);
    current = passage;
  };
  const addMark = () => {
    around.text += numbers.take();
    current.text += '"';
  };
  const parser = new Parser({
    ontext(text) {
      if (noteMark !== null) return;
      if (text.trim() !== "") around.text += numbers.take();
      current.text += text.replaceAll(/\s+/g, " ");
      if (current.code !== null) current.code += text;
    },
    onopentag(name, attributes) {
      if (NOTE_MARKS.has(attributes["class"] ?? "")) noteMark = name;
      numbers.open(name, attributes);
      if (name === "q") addMark();
      current.text += lineEnd(name);
      if (name === "br" && current.code !== null) current.code += "\n";
      if (name !== "pre") return;
      preDepth += 1;
      if (preDepth === 1) add({ text: "", code: "" });
    },
    onclosetag(name) {
      if (name === noteMark) noteMark = null;
      numbers.close(name);
      if (name === "q") addMark();
      if (name === "pre") preDepth -= 1;
      if (name === "pre" && preDepth === 0) {
        around = { text: "", code: null };
        add(around);
      }
      if (name !== "br") current.text += lineEnd(name);
    },
  });
  parser.end(html);
  return passages;
}

/** Classes of footnote numbers and arrows, which are not part of the text. */
const NOTE_MARKS: ReadonlySet<string> = new Set(["footnote-ref", "footnote-backref"]);

function lineEnd(tag: string): string {
  if (tag === "br") return "\n";
  return BLOCK_TAGS.has(tag) ? "\n\n" : "";
}
