import { Parser } from "htmlparser2";
import { escapeHtml } from "../wordpress/shortcodes.ts";
import { markWordNumber } from "./marked-numbers.ts";
import type { ParagraphNumber } from "./numbering-part.ts";
import type { WordNumberCounter } from "./word-numbers.ts";

/** A part of a Word document, rewritten so that the library mammoth reads all of its text. */
export interface XmlForMammoth {
  xml: string;
  /**
   * Texts of the document's paragraphs. Used to check that the converted page contains the letters of each
   * paragraph.
   */
  passages: readonly string[];
  /** Texts formatted as hidden, which are left out. */
  hidden: readonly string[];
}

type Place = readonly [from: number, to: number];

interface OpenElement {
  name: string;
  /** The closing tag to write for the element. */
  closing: string;
  /** The XML of text boxes in a drawing, to be written after the drawing. */
  boxes: string[];
  isBox: boolean;
  /** Whether this is a run (`w:r`) formatted as hidden. */
  isHidden: boolean;
  /** Whether mammoth rightly ignores the element, for example because its text is deleted. */
  isIgnored: boolean;
  /**
   * Whether the next `Choice` in this `AlternateContent` is read, because there is no usable
   * fallback.
   */
  readsFirst: boolean;
  /** The numbering properties of a paragraph; null once the paragraph is counted. */
  number: ParagraphNumber | null;
}

/**
 * Elements whose text mammoth ignores: fields, text with a writing direction, and text with its
 * pronunciation.
 */
const UNREAD_WRAPPERS: ReadonlySet<string> = new Set(
  "fldSimple bdo dir ruby rubyBase rt".split(" "),
);
/** Elements of a paragraph that precede its text. */
const BEFORE_TEXT = /^(?:pPr|bookmarkStart|bookmarkEnd|proofErr|del|moveFrom)$/;
const BOX_START = '<v:textbox xmlns:v="urn:schemas-microsoft-com:vml">';

/**
 * Rewrites `document.xml` or the notes of a document, so that mammoth ignores none of its text.
 *
 * @param numbers the numbers that Word shows before paragraphs. They are written into the text,
 * marked by {@link markWordNumber}.
 */
export function rewriteXmlForMammoth(
  xml: string,
  numbers: WordNumberCounter | null,
): XmlForMammoth {
  const rewriter = new Rewriter(xml, numbers);
  const parser = new Parser(
    {
      onopentag: (name, attributes) =>
        rewriter.open(name, attributes, [parser.startIndex, parser.endIndex + 1]),
      ontext: (text) => rewriter.text(text),
      onclosetag: (_name, isImplied) =>
        rewriter.close(isImplied ? null : [parser.startIndex, parser.endIndex + 1]),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  return rewriter.result();
}

class Rewriter {
  readonly #xml: string;
  readonly #numbers: WordNumberCounter | null;
  readonly #passages: string[] = [];
  /** The texts of the open paragraphs, innermost last. */
  readonly #paragraphs: string[] = [];
  readonly #hidden: string[] = [];
  readonly #stack: OpenElement[] = [];
  /** The output for the document and for each open text box, innermost last. */
  readonly #outputs: string[][] = [[]];
  /** Prefix of WordprocessingML, such as `w:`. Elements with other prefixes mean something else. */
  #prefix: string | null = null;
  #writtenTo = 0;

  constructor(xml: string, numbers: WordNumberCounter | null) {
    this.#xml = xml;
    this.#numbers = numbers;
  }

  result(): XmlForMammoth {
    this.#writeUpTo(this.#xml.length);
    return {
      ...{ xml: this.#outputs.flat().join("") },
      ...{ passages: this.#passages, hidden: this.#hidden },
    };
  }

  open(fullName: string, attributes: Readonly<Record<string, string>>, [from, to]: Place): void {
    const colon = fullName.indexOf(":") + 1;
    this.#prefix ??= fullName.slice(0, colon);
    const isWord = fullName.slice(0, colon) === this.#prefix;
    const name = isWord || fullName.startsWith("mc:") ? fullName.slice(colon) : fullName;
    const isBox = name === "txbxContent" && this.#drawing() !== undefined;
    this.#writeUpTo(from);
    if (!BEFORE_TEXT.test(name)) this.#writeNumber();
    if (isBox) this.#outputs.push([]);
    const tag = this.#xml.slice(from, to);
    const element: OpenElement = {
      ...{ name, isBox, closing: `</${fullName}>`, boxes: [], isHidden: false },
      isIgnored: name === "moveFrom" || name === "del",
      readsFirst: name === "AlternateContent" && this.#lacksFallback(from, fullName),
      number: name === "p" ? {} : null,
    };
    if (this.#isUnwrapped(element)) {
      element.closing = `</${this.#prefix}smartTag>`;
      this.#write(`<${this.#prefix}smartTag${tag.slice(1 + fullName.length)}`);
    } else this.#write(tag);
    this.#writtenTo = to;
    this.#applyToAncestors(name, attributes[`${this.#prefix}val`]);
    this.#readNumber(name, attributes[`${this.#prefix}val`] ?? "");
    this.#stack.push(element);
    if (name === "p") this.#paragraphs.push("");
    // A symbol has no text in the XML but becomes a letter on the page, so the passage ends before
    // it.
    if (name === "sym") this.#endPassage();
  }

  text(text: string): void {
    if (this.#stack.at(-1)?.name !== "t") return;
    if (this.#isHidden()) this.#hidden.push(text);
    else if (!this.#isIgnored()) {
      const last = this.#paragraphs.length - 1;
      if (last >= 0) this.#paragraphs[last] += text;
    }
  }

  /**
   * Closes the innermost element.
   *
   * @param place null for a self-closing element.
   */
  close(place: Place | null): void {
    if (place !== null) this.#writeUpTo(place[0]);
    // In a cell, a paragraph without text gets its number, because a column may consist of numbers
    // only. Elsewhere, an empty paragraph gets none.
    if (place !== null && this.#isInCell()) this.#writeNumber();
    const element = this.#stack.pop();
    if (element === undefined) return;
    if (element.number !== null && !this.#isIgnored()) this.#numbers?.next(element.number);
    if (place !== null) {
      this.#writtenTo = place[1];
      this.#write(element.closing);
    }
    if (element.isBox) this.#drawing()?.boxes.push(this.#outputs.pop()?.join("") ?? "");
    for (const box of element.boxes)
      this.#write(`<${this.#prefix}pict>${BOX_START}${box}</v:textbox></${this.#prefix}pict>`);
    if (element.name !== "p") return;
    this.#endPassage();
    this.#paragraphs.pop();
  }

  #isUnwrapped(element: OpenElement): boolean {
    const parent = this.#stack.at(-1);
    if (parent?.name !== "AlternateContent")
      return element.readsFirst || UNREAD_WRAPPERS.has(element.name);
    const isFirst = element.name === "Choice" && parent.readsFirst;
    if (isFirst) parent.readsFirst = false;
    const isFallback = element.name === "Fallback" && !parent.closing.endsWith("smartTag>");
    element.isIgnored = !isFirst && !isFallback;
    return isFirst;
  }

  /** Whether an `AlternateContent` has no fallback, or a fallback without the text of the first `Choice`. */
  #lacksFallback(from: number, fullName: string): boolean {
    const end = this.#xml.indexOf(`</${fullName}>`, from);
    const all = this.#xml.slice(from, end < 0 ? undefined : end);
    const [first = "", fallback] = all.split("<mc:Fallback");
    const hasText = (part: string) =>
      part.includes(`<${this.#prefix}t>`) || part.includes(`<${this.#prefix}t `);
    return fallback === undefined || (hasText(first) && !hasText(fallback));
  }

  /** Applies a property to its owner: marks a run as hidden, or a table row as deleted. */
  #applyToAncestors(name: string, value: string | undefined): void {
    const [owner, properties] = this.#stack.slice(-2);
    if (owner === undefined || value === "0" || value === "false") return;
    if (name === "vanish" && properties?.name === "rPr" && owner.name === "r")
      owner.isHidden = true;
    if (name === "del" && properties?.name === "trPr") owner.isIgnored = true;
  }

  /** Reads the numbering properties of a paragraph, except those that a tracked change replaced. */
  #readNumber(name: string, value: string): void {
    const path = this.#stack.slice(-3);
    const inList = path.at(-1)?.name === "numPr" ? 1 : 0;
    const number = path.at(-2 - inList)?.number;
    if (number == null || path.at(-1 - inList)?.name !== "pPr") return;
    if (name === "pStyle") number.styleId = value;
    if (name === "numId") number.listId = value;
    if (name === "ilvl") number.level = Number(value);
  }

  /** Writes the number of the open paragraph, unless it is already written. */
  #writeNumber(): void {
    const paragraph = this.#stack.at(-1);
    if (paragraph === undefined || paragraph.number === null || this.#isIgnored()) return;
    const label = this.#numbers?.next(paragraph.number) ?? null;
    paragraph.number = null;
    if (label === null) return;
    const [run, text] = [`${this.#prefix}r`, `${this.#prefix}t`];
    this.#write(`<${run}><${text}>${escapeHtml(markWordNumber(label))}</${text}></${run}>`);
  }

  #isInCell(): boolean {
    return this.#stack.at(-1)?.name === "p" && this.#stack.at(-2)?.name === "tc";
  }

  #isIgnored(): boolean {
    return this.#stack.some(({ isIgnored }) => isIgnored);
  }

  #isHidden(): boolean {
    return this.#stack.some(({ isHidden }) => isHidden);
  }

  #drawing(): OpenElement | undefined {
    return this.#stack.findLast(({ name }) => name === "drawing");
  }

  #endPassage(): void {
    const last = this.#paragraphs.length - 1;
    const text = this.#paragraphs[last]?.trim() ?? "";
    if (text !== "") this.#passages.push(text);
    if (last >= 0) this.#paragraphs[last] = "";
  }

  #writeUpTo(end: number): void {
    const isLeftOut = this.#stack.at(-1)?.name === "t" && this.#isHidden();
    if (!isLeftOut) this.#write(this.#xml.slice(this.#writtenTo, end));
    this.#writtenTo = end;
  }

  #write(xml: string): void {
    this.#outputs.at(-1)?.push(xml);
  }
}
