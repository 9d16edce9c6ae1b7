import { keptAttributes } from "./html-tags.ts";

/** Matches a placeholder for an HTML tag that begins (`B`) or ends (`E`) a block element. */
const BLOCK_MARK = /\u007f([BE])\d+\u007f/g;
const HEADING = /^(={1,6})(.+?)\1\s*$/s;
/** MediaWiki's behaviour switches, such as `__NOTOC__`. */
const SWITCH = /__[\p{Lu}_]{2,60}__/gu;
const LIST_MARKS = /^[*#:;]+/;
/** Limit on nested lists; deeper entries are put at this level. */
const LIST_DEPTH_MAX = 12;

/**
 * Converts the lines of a text to HTML: headings, lists, tables, paragraphs and preformatted lines.
 *
 * @param lineHtml converts the text within a line.
 */
export function convertBlocksToHtml(text: string, lineHtml: (line: string) => string): string {
  const writer = new BlockWriter(lineHtml);
  for (const line of text.replaceAll(SWITCH, "").split(/\r?\n/)) writer.line(line);
  return writer.end();
}

class BlockWriter {
  readonly #lineHtml: (line: string) => string;
  readonly #html: string[] = [];
  /** The marks of the open lists, outermost first, such as `*#`. */
  #lists = "";
  #open: "paragraph" | "pre" | null = null;
  /**
   * One element for each open table, outermost first. `cell` is the kind of its open cell; null: no
   * cell is open.
   */
  readonly #tables: { hasRow: boolean; cell: "td" | "th" | "caption" | null }[] = [];
  /**
   * Whether an HTML block element is open. Within a block, a space at the start of a line does not
   * make the line preformatted.
   */
  #isInBlock = false;

  constructor(lineHtml: (line: string) => string) {
    this.#lineHtml = lineHtml;
  }

  end(): string {
    while (this.#tables.length > 0) this.#endTable();
    this.#endBlocks();
    return this.#html.join("\n");
  }

  line(line: string): void {
    const trimmed = line.trim();
    const table = /^:*\s*(?=\{\|)/.exec(trimmed)?.[0];
    if (table !== undefined) this.#startTable();
    else if (this.#tables.length > 0 && /^[|!]/.test(trimmed)) this.#tableLine(trimmed);
    else if (trimmed === "") this.#endBlocks();
    else this.#textLine(line, trimmed);
  }

  #textLine(line: string, trimmed: string): void {
    const [, marks = "", heading] = HEADING.exec(trimmed) ?? [];
    const list = LIST_MARKS.exec(line)?.[0];
    if (heading !== undefined) {
      this.#endBlocks();
      const level = marks.length;
      this.#html.push(`<h${level}>${this.#lineHtml(heading.trim())}</h${level}>`);
    } else if (/^-{4,}/.test(line)) {
      this.#endBlocks();
      this.#html.push("<hr>");
      const rest = line.replace(/^-+/, "");
      if (rest.trim() !== "") this.#paragraphLine(rest);
    } else if (list !== undefined) this.#listLine(list, line.slice(list.length).trim());
    else if (this.#isFixed(line)) this.#fixedLine(line.slice(1));
    else this.#paragraphLine(line);
    this.#noteBlocks(line);
  }

  #noteBlocks(line: string): void {
    const last = [...line.matchAll(BLOCK_MARK)].at(-1);
    if (last !== undefined) this.#isInBlock = last[1] === "B";
  }

  /**
   * Whether a line is preformatted. True if it begins with a space, has no links, bold or italic
   * text or HTML, and is outside blocks and tables.
   */
  #isFixed(line: string): boolean {
    const isMarked = this.#isInBlock || /\u007f|''/.test(line);
    return line.startsWith(" ") && !isMarked && this.#tables.length === 0;
  }

  #fixedLine(line: string): void {
    if (this.#open !== "pre") {
      this.#endBlocks();
      this.#html.push(`<pre>${this.#lineHtml(line)}`);
      this.#open = "pre";
    } else this.#html.push(this.#lineHtml(line));
  }

  #paragraphLine(line: string): void {
    if (this.#lists !== "" || this.#open === "pre") this.#endBlocks();
    const isPlain = line.search(BLOCK_MARK) === -1;
    if (this.#open === null && isPlain) {
      this.#html.push("<p>");
      this.#open = "paragraph";
    }
    this.#html.push(this.#lineHtml(line));
  }

  #endBlocks(): void {
    this.#endLists(0);
    if (this.#open === "paragraph") this.#html.push("</p>");
    if (this.#open === "pre") this.#html.push("</pre>");
    this.#open = null;
  }

  #listLine(written: string, content: string): void {
    if (this.#open !== null) this.#endBlocks();
    const marks = written.slice(0, LIST_DEPTH_MAX);
    const lists = this.#listsOf(marks);
    let shared = 0;
    while (shared < lists.length && lists[shared] === this.#lists[shared]) shared += 1;
    this.#endLists(shared);
    const isDefinition = lists[shared - 1] === ";" && marks[shared - 1] === ":";
    if (isDefinition) this.#html.push("<dd>");
    else if (shared === lists.length) {
      const last = lists.at(-1) ?? "";
      this.#html.push(entryEnd(last), entryStart(last));
    }
    for (const list of lists.slice(shared)) this.#html.push(listStart(list) + entryStart(list));
    this.#lists = lists;
    const colon = marks.endsWith(";") ? colonIn(content) : -1;
    this.#html.push(this.#lineHtml(colon === -1 ? content : content.slice(0, colon).trim()));
    if (colon !== -1) this.#listLine(`${marks.slice(0, -1)}:`, content.slice(colon + 1).trim());
  }

  /**
   * The list marks of a line in the form of `#lists`: one for each level. In a list of terms, the
   * mark `:` of a definition becomes `;`, because terms and definitions are in one list.
   */
  #listsOf(marks: string): string {
    let lists = "";
    for (const [level, mark] of [...marks].entries()) {
      const isWithin = this.#lists.startsWith(lists);
      lists += isWithin && mark === ":" && this.#lists[level] === ";" ? ";" : mark;
    }
    return lists;
  }

  /** Closes the lists that are nested deeper than a level. */
  #endLists(level: number): void {
    for (const mark of [...this.#lists.slice(level)].reverse()) {
      this.#html.push(entryEnd(mark) + listEnd(mark));
    }
    this.#lists = this.#lists.slice(0, level);
  }

  #startTable(): void {
    this.#endBlocks();
    this.#html.push("<table>");
    this.#tables.push({ hasRow: false, cell: null });
  }

  #endTable(): void {
    this.#endCell();
    const table = this.#tables.pop();
    this.#html.push(table?.hasRow === true ? "</tr></table>" : "</table>");
  }

  #endCell(): void {
    this.#endBlocks();
    const table = this.#tables.at(-1);
    if (table === undefined || table.cell === null) return;
    this.#html.push(`</${table.cell}>`);
    table.cell = null;
  }

  #tableLine(line: string): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    if (line.startsWith("|}")) {
      this.#endTable();
      const rest = line.slice(2).trim();
      if (rest !== "") this.#paragraphLine(rest);
      return;
    }
    this.#endCell();
    if (line.startsWith("|-")) {
      this.#html.push(table.hasRow ? "</tr>" : "", "<tr>");
      table.hasRow = true;
    } else if (line.startsWith("|+")) {
      table.cell = "caption";
      this.#html.push("<caption>");
      this.#cellText(line.slice(2));
    } else this.#cells(line);
  }

  #cells(line: string): void {
    const table = this.#tables.at(-1);
    if (table === undefined) return;
    if (!table.hasRow) this.#html.push("<tr>");
    table.hasRow = true;
    const isHeader = line.startsWith("!");
    for (const cell of line.slice(1).split(isHeader ? /\|\||!!/ : "||")) {
      this.#endCell();
      table.cell = isHeader ? "th" : "td";
      this.#cellText(cell, table.cell);
    }
  }

  /**
   * Writes the text of a cell.
   *
   * @param tag the opening tag to write; undefined: it is already written.
   */
  #cellText(written: string, tag?: string): void {
    const bar = written.indexOf("|");
    const head = bar === -1 ? "" : written.slice(0, bar);
    const hasAttributes = bar !== -1 && !head.includes("\u007f");
    if (tag !== undefined) this.#html.push(`<${tag}${hasAttributes ? keptAttributes(head) : ""}>`);
    const content = (hasAttributes ? written.slice(bar + 1) : written).trim();
    this.#html.push(this.#lineHtml(content));
    this.#noteBlocks(content);
  }
}

/** The position of the colon between a term and its definition, or -1. Ignores colons in links. */
function colonIn(content: string): number {
  let tags = 0;
  let isInBrackets = false;
  for (const { 0: mark, index } of content.matchAll(/\u007f[BEI]\d+\u007f|[[\]]|:(?=\s)/g)) {
    if (mark === "[" || mark === "]") isInBrackets = mark === "[";
    else if (mark !== ":") tags += 1;
    else if (tags % 2 === 0 && !isInBrackets) return index;
  }
  return -1;
}

/**
 * The HTML elements for each mark of a list. Indented text (`:`) that follows no term becomes a
 * `blockquote`.
 */
const LIST_ELEMENTS: Readonly<Record<string, readonly [list: string, entry: string]>> = {
  ...{ "*": ["ul", "li"], "#": ["ol", "li"], ";": ["dl", "dt"], ":": ["blockquote", "p"] },
};

function listStart(mark: string): string {
  return `<${LIST_ELEMENTS[mark]?.[0]}>`;
}

function listEnd(mark: string): string {
  return `</${LIST_ELEMENTS[mark]?.[0]}>`;
}

function entryStart(mark: string): string {
  return `<${LIST_ELEMENTS[mark]?.[1]}>`;
}

/**
 * The closing tag of an entry. Terms and definitions need none, because each ends where the next
 * one begins.
 */
function entryEnd(mark: string): string {
  return mark === ";" ? "" : `</${LIST_ELEMENTS[mark]?.[1]}>`;
}
