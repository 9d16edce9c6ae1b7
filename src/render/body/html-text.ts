import { Parser } from "htmlparser2";
import {
  collapseWhiteSpace,
  escapeInline,
  escapeLineStart,
  escapeLinkDestination,
  formatCodeBlock,
} from "../markdown-text.ts";
import { resolveImageDestination, resolveLinkDestination } from "../site-links.ts";
import { BLOCK_TAGS } from "./body-html.ts";
import { ListItemNumbers } from "./list-item-numbers.ts";
import { normalizeLineBreaks } from "./simple-html.ts";

/**
 * The text of an HTML fragment without footnote marks, with straight quotation marks around each `q`. Items
 * of ordered lists begin with their number. Lines end as in {@link normalizeLineBreaks}.
 */
export function textOfHtml(html: string): string {
  return normalizeLineBreaks(
    passagesOf(html)
      .map(({ text }) => text)
      .join(""),
  );
}

/**
 * The text of an HTML fragment as Markdown. Each `pre` becomes a code block. Other text loses all
 * markup except links and pictures.
 */
export function markdownOfSanitizedHtml(html: string, origin: string): string {
  const blocks = passagesOf(html).map(({ text, links, code }) => {
    if (code === null) return linkedText(text, links, origin);
    return code.trim() === "" ? "" : formatCodeBlock(code.replace(/^\n/, ""), "");
  });
  return blocks.filter((block) => block !== "").join("\n\n");
}

/**
 * A text on one line, with its links and pictures. Keeps only the words of a link or picture whose address
 * is not allowed.
 */
function linkedText(text: string, links: readonly TextLink[], origin: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { isPicture, address, alternative, start, end } of links) {
    const words = escapeInline(
      collapseWhiteSpace(text.slice(start, end).trim() || alternative).trim(),
    );
    const destination = (isPicture ? resolveImageDestination : resolveLinkDestination)(
      address,
      origin,
    );
    if (!isPicture && (words === "" || destination === null)) continue;
    // An exclamation mark before a link would turn the link into an image.
    const before = escapeInline(collapseWhiteSpace(text.slice(copied, start))).replace(/!$/, "\\!");
    pieces.push(before);
    if (destination === null) pieces.push(words);
    else {
      const mark = isPicture ? "!" : "";
      pieces.push(`${mark}[${words}](${escapeLinkDestination(destination.markdown)})`);
    }
    copied = end;
  }
  pieces.push(escapeInline(collapseWhiteSpace(text.slice(copied))));
  return escapeLineStart(collapseWhiteSpace(pieces.join("")).trim());
}

interface Passage {
  /** Text with white space collapsed; lines and blocks end in line feeds. */
  text: string;
  /** Outermost links, and pictures outside links, in their order. */
  links: TextLink[];
  /** The unchanged text of a `pre`; null if the passage is not in a `pre`. */
  code: string | null;
}

interface TextLink {
  isPicture: boolean;
  address: string;
  /** The alternative text of the picture, or of the pictures in the link. */
  alternative: string;
  /** Start and end of the link's words in the passage's text. Equal for a picture, which has no words. */
  start: number;
  end: number;
}

type Attributes = Readonly<Record<string, string>>;

/** Splits HTML into passages: one for each `pre`, and one for the text before, between and after them. */
function passagesOf(html: string): Passage[] {
  let around: Passage = { text: "", links: [], code: null };
  const passages = [around];
  const numbers = new ListItemNumbers();
  let noteMark: string | null = null;
  let preDepth = 0;
  let linkDepth = 0;
  let link: TextLink | null = null;
  let current = around;
  const add = (passage: Passage) => {
    passages.push(passage);
    current = passage;
    link = null;
  };
  const write = (text: string) => {
    // A link begins with its first words, after the number of a list item.
    if (link !== null && link.end === link.start) link.start = current.text.length;
    current.text += text;
    if (link !== null) link.end = current.text.length;
  };
  const addMark = () => {
    around.text += numbers.take();
    write('"');
  };
  const readPicture = (tag: string, { src, alt = "" }: Attributes) => {
    if (tag === "img" && link !== null) link.alternative += alt;
    if (tag !== "img" || link !== null || src === undefined) return;
    around.text += numbers.take();
    current.links.push(linkAt(current, { isPicture: true, address: src, alternative: alt }));
  };
  const readLink = (tag: string, { href }: Attributes) => {
    if (tag !== "a") return;
    linkDepth += 1;
    if (linkDepth > 1 || href === undefined || noteMark !== null) return;
    link = linkAt(current, { isPicture: false, address: href, alternative: "" });
    current.links.push(link);
  };
  const parser = new Parser({
    ontext(text) {
      if (noteMark !== null) return;
      if (text.trim() !== "") around.text += numbers.take();
      write(text.replaceAll(/\s+/g, " "));
      if (current.code !== null) current.code += text;
    },
    onopentag(name, attributes) {
      if (NOTE_MARKS.has(attributes["class"] ?? "")) noteMark = name;
      numbers.open(name, attributes);
      if (name === "q") addMark();
      readPicture(name, attributes);
      readLink(name, attributes);
      current.text += lineEnd(name);
      if (name === "br" && current.code !== null) current.code += "\n";
      if (name !== "pre") return;
      preDepth += 1;
      if (preDepth === 1) add({ text: "", links: [], code: "" });
    },
    onclosetag(name) {
      if (name === noteMark) noteMark = null;
      numbers.close(name);
      if (name === "q") addMark();
      if (name === "a") linkDepth -= 1;
      if (linkDepth === 0) link = null;
      if (name === "pre") preDepth -= 1;
      if (name === "pre" && preDepth === 0) {
        around = { text: "", links: [], code: null };
        add(around);
      }
      if (name !== "br") current.text += lineEnd(name);
    },
  });
  parser.end(html);
  return passages;
}

/** Places a link or picture at the end of the passage. The words of a link are added later. */
function linkAt({ text }: Passage, link: Omit<TextLink, "start" | "end">): TextLink {
  return { ...link, start: text.length, end: text.length };
}

/** Classes of footnote numbers and arrows, which are not part of the text. */
const NOTE_MARKS: ReadonlySet<string> = new Set(["footnote-ref", "footnote-backref"]);

function lineEnd(tag: string): string {
  if (tag === "br") return "\n";
  return BLOCK_TAGS.has(tag) ? "\n\n" : "";
}
