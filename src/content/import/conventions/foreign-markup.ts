import { findFenceOpenAfter, indentOf, splitCodeAndProse } from "./code-parts.ts";

/** Names of the boxes (admonitions) of other site generators. Markdown has no syntax for boxes. */
const BOX_NAMES: ReadonlySet<string> = new Set([
  ..."note tip info important warning caution danger error success question example quote".split(
    " ",
  ),
  ..."abstract summary tldr details todo hint attention bug failure fail missing help faq".split(
    " ",
  ),
  ..."cite done check secondary seealso".split(" "),
]);
/** The first or last line of a box: `:::note[Title]`, `::: tip Title`, `:::`. */
const COLON_BOX =
  /^(\s*)(:{3,})\s*(?:\{?\.?([\w-]+))?\s*(?:\[([^\]\n]*)\])?(?:\{[^}\n]*\})?\s*(.*)$/;
/** The first line of a box whose content is indented: `!!! note "Title"`, `??? tip`. */
const MARKED_BOX =
  /^(\s*)(?:!!!|\?\?\?\+?)\s{1,20}([\w-]{1,50})(?: [\w -]{0,100}?)?(?:\s{1,20}"([^"\n]{0,300})")?\s*$/;
/** The first line of a box in quotation syntax, such as `> [!NOTE] Title`. */
const ALERT_BOX = /^([\s>]*>\s*)\[!([\w-]+)\][+-]?[ \t]*(.*)$/;
/** Attributes of blocks and words: `{: .note}`, `{#id}`, `{.class target="_blank"}`. */
const ATTRIBUTE_LINE =
  /^\s*\{:?\s*(?:[.#][^\s{}]|:?[\w-]+=|::?|(?:toc|no_toc)\b)[^{}\n]{0,300}\}\s*$|^\s*\{:toc\}\s*$/;
const INLINE_ATTRIBUTES =
  /(?:(?<=[)\]*_`>}\w.!?:»”"]|[\u0080-\uffff])[ \t]*\{(?::\s*[^{}\n]{1,300}|\s*[.#][^\s{}][^{}\n]{0,300}|\s*(?:target|loading|width|height|align|data-[\w-]+|rel)=[^{}\n]{1,300})\}|\{:\s?[.#][\w-][^{}\n]{0,300}\})/g;
/** Icons of Material for MkDocs, such as `:material-check:`. */
const ICON = /:(?:material|simple|fontawesome|octicons)-[a-z0-9-]{1,100}:/g;
/** Highlighted words, such as `==these words==`. */
const MARKED_WORDS = /(?<![=\w!<>])==(?![=\s])([^=\n]{1,300})(?<!\s)==(?![=\w])/g;
/** A tab of Material for MkDocs: `=== "Title"` above indented lines. */
const TAB = /^(\s*)===[!+]?[ \t]{1,20}"([^"\n]{1,300})"\s*$/;
/** A first-level heading, which is the page's title. Headings of the other levels begin sections. */
const PAGE_HEADING = /^ {0,3}#\s/;
const SECTION_HEADING = /^ {0,3}#{2,6}\s/;
const HEADING_ID = /[\s{:]#([\p{L}\p{N}_.:-]{1,200})[\s}]/u;
const TABLE_OF_CONTENTS = /^\s*(?:\[\[_?toc_?\]\]|\[toc\]|\{\{<?\s*toc\s*>?\}\})\s*$/i;

/**
 * Converts or removes the Markdown extensions of other site generators. Boxes such as `:::note` become
 * quotations with a title. Attributes are removed, except ids. Placeholders for a table of contents are
 * removed. Line numbers stay the same.
 */
export function convertForeignMarkup(text: string): string {
  const boxed = withBoxesAsQuotations(text.split("\n"));
  let body = "";
  let attributesOf = anchorOnly;
  for (const { part, isCode } of splitCodeAndProse(boxed.join("\n"))) {
    const lines = part.split(/(?<=\n)/);
    for (const [at, line] of lines.entries()) {
      if (at > 0 || body.endsWith("\n") || body === "") attributesOf = keptAttributes(line);
      body += isCode
        ? line
        : line
            .replaceAll(INLINE_ATTRIBUTES, attributesOf)
            .replaceAll(ICON, "")
            .replaceAll(MARKED_WORDS, "<mark>$1</mark>");
    }
  }
  return body;
}

/** Chooses how to replace attributes, depending on whether the line is a heading. */
function keptAttributes(line: string): (attributes: string) => string {
  if (PAGE_HEADING.test(line)) return () => "";
  return SECTION_HEADING.test(line) ? headingIdOnly : anchorOnly;
}

/** Reduces a heading's attributes to its id, because links to the section use the id. */
function headingIdOnly(attributes: string): string {
  const [, id] = HEADING_ID.exec(attributes) ?? [];
  return id === undefined ? "" : ` {#${id}}`;
}

/** Replaces the attributes of text outside headings with an anchor for the id. Links to the id still work. */
function anchorOnly(attributes: string): string {
  const [, id] = HEADING_ID.exec(attributes) ?? [];
  return id === undefined ? "" : `<a id="${id}"></a>`;
}

const BOXES_IN_A_BOX_MAX = 10;

interface Box {
  /** The number of colons in the line that closes the box; 0: the box ends where its indentation ends. */
  colons: number;
  indent: number;
  isQuoted: boolean;
}

function withBoxesAsQuotations(lines: readonly string[]): string[] {
  const open: Box[] = [];
  let fence = "";
  return lines.map((line, at) => {
    const text = line.trim() === "" ? (lines.slice(at, at + 4).find(hasText) ?? line) : line;
    if (fence === "") closeIndented(open, text);
    const quote = "> ".repeat(open.filter(({ isQuoted }) => isQuoted).length);
    const inner = line.slice(Math.min(indentOf(line), open.at(-1)?.indent ?? 0));
    const fenceBefore = fence;
    fence = findFenceOpenAfter(inner, fence);
    if (fence !== "" || fenceBefore !== "") return quote + inner;
    const isLeftOut =
      ATTRIBUTE_LINE.test(inner) ||
      TABLE_OF_CONTENTS.test(inner) ||
      isContentsPlaceholder(inner, lines[at + 1]);
    return isLeftOut ? quote.trimEnd() : boxLine(inner, { open, quote });
  });
}

function hasText(line: string): boolean {
  return line.trim() !== "";
}

/** Whether a list item is a placeholder for a table of contents, because the next line is `{:toc}`. */
function isContentsPlaceholder(line: string, next: string | undefined): boolean {
  return /^\s*\{:\s*toc\b/.test(next ?? "") && /^\s*(?:[-*+]|\d+\.)\s/.test(line);
}

interface OpenBoxes {
  /** The boxes that are open at the current line, outermost first. */
  open: Box[];
  quote: string;
}

function boxLine(line: string, openBoxes: OpenBoxes): string {
  const { open, quote } = openBoxes;
  const colonBox = COLON_BOX.exec(line);
  if (colonBox !== null) return colonBoxLine(colonBox, line, openBoxes);
  const [marked, space = "", name = "", title = ""] = MARKED_BOX.exec(line) ?? [];
  if (marked !== undefined && open.length < BOXES_IN_A_BOX_MAX) {
    open.push({ colons: 0, indent: space.length + 4, isQuoted: true });
    return `${quote}> ${boxTitle(title, name)}`;
  }
  const [tab, tabSpace = "", tabTitle = ""] = TAB.exec(line) ?? [];
  if (tab !== undefined && open.length < BOXES_IN_A_BOX_MAX) {
    open.push({ colons: 0, indent: tabSpace.length + 4, isQuoted: false });
    return `${quote}**${tabTitle}**`;
  }
  const [alert, markers = "", kind = "", words = ""] = ALERT_BOX.exec(line) ?? [];
  if (alert !== undefined) return `${quote}${markers}${boxTitle(words, kind)}`;
  return (quote + line).replace(/^(?:> )+$/, (empty) => empty.trimEnd());
}

function colonBoxLine(
  [, space = "", colons = "", name = "", label, rest = ""]: RegExpExecArray,
  line: string,
  { open, quote }: OpenBoxes,
): string {
  const isEnd = name === "" && rest === "";
  if (isEnd && (open.at(-1)?.colons ?? 0) === 0) return quote + line;
  if (isEnd) {
    const closed = open.pop();
    return closed?.isQuoted === true ? quote.slice(2).trimEnd() : quote.trimEnd();
  }
  if (open.length >= BOXES_IN_A_BOX_MAX) return quote + line;
  const isQuoted = BOX_NAMES.has(name.toLowerCase());
  open.push({ colons: colons.length, indent: space.length, isQuoted });
  return isQuoted ? `${quote}> ${boxTitle(label ?? rest, name)}` : quote.trimEnd();
}

function boxTitle(title: string, name: string): string {
  const plain = title.replaceAll(/^["“\s]+|(?<!["”\s*:])["”\s*:]+$|\*\*/g, "");
  const defaultTitle = name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
  return `**${plain === "" ? defaultTitle : plain}:**`;
}

/** Closes indented boxes before a line that is indented less. */
function closeIndented(open: Box[], line: string): void {
  if (!hasText(line)) return;
  for (
    let last = open.at(-1);
    last?.colons === 0 && indentOf(line) < last.indent;
    last = open.at(-1)
  ) {
    open.pop();
  }
}
