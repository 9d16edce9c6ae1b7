import { parentPort } from "node:worker_threads";
import mammoth from "mammoth";
import { type OfficeParts, openOfficeParts } from "../../content/import/tables/office-parts.ts";
import { findMissingPassages } from "../../content/import/word/missing-passages.ts";
import { NumberingPart } from "../../content/import/word/numbering-part.ts";
import { convertWordToMarkdown } from "../../content/import/word/word-markdown.ts";
import { WordNumberCounter } from "../../content/import/word/word-numbers.ts";
import { WORD_PART_LIMITS } from "../../content/import/word/word-parts.ts";
import { rewriteXmlForMammoth } from "../../content/import/word/xml-for-mammoth.ts";
import type { Wording } from "../../errors.ts";
import type { ThreadResult } from "../../work/limited-thread.ts";
import type { WordText } from "./unpack-word.ts";

/** Styles that mammoth does not map by itself, including German names of styles. */
const STYLE_MAP = [
  ...["Title", "Titel"].map((name) => `p[style-name='${name}'] => h1:fresh`),
  ...[1, 2, 3, 4, 5, 6].map((level) => `p[style-name='Überschrift ${level}'] => h${level}:fresh`),
  ...["Quote", "Intense Quote", "Quotations", "Zitat", "Block Text"].map(
    (name) => `p[style-name='${name}'] => blockquote > p:fresh`,
  ),
  ...["HTML Preformatted", "Preformatted Text", "Source Code"].map(
    (name) => `p[style-name='${name}'] => pre:separator('\\n')`,
  ),
  ...["HTML Code", "Source Text", "Verbatim Char"].map((name) => `r[style-name='${name}'] => code`),
];

/** The parts with the text of a document. Some programs name the main part `document2.xml`. */
const MAIN_PART = /(?:^|\/)document\d*\.xml$/i;
const TEXT_PART = /(?:^|\/)(?:document\d*|footnotes|endnotes)\.xml$/i;

/** Matches the start of a paragraph, or of a run of text within a paragraph. */
const ELEMENT_START = /<w:[pr][ />]/g;
/** Limit of paragraphs and runs. Converting more would exceed the time limit of the thread. */
const ELEMENTS_MAX = 100_000;
const TOO_MANY: Wording = {
  en: `has more than ${ELEMENTS_MAX.toLocaleString("en")} paragraphs and runs of text; split it`,
  de: `hat mehr als ${ELEMENTS_MAX.toLocaleString("de")} Absätze und Textstücke: Teilen Sie es auf`,
};

parentPort?.on("message", (path: string) => {
  void replyTo(path).then((response) => parentPort?.postMessage(response));
});

async function replyTo(path: string): Promise<ThreadResult<WordText>> {
  const pictures: WordText["pictures"] = [];
  const convertImage = mammoth.images.imgElement(async (image) => {
    const bytes = await image.readAsArrayBuffer();
    pictures.push({ kind: image.contentType, bytes: new Uint8Array(bytes) });
    return { src: `picture-${pictures.length}` };
  });
  try {
    await using parts = await openOfficeParts(path, WORD_PART_LIMITS);
    if (await hasTooManyElements(parts)) return { refusal: TOO_MANY };
    const file = new MammothDocument(parts);
    // If `path` is empty, mammoth reads from `file`, an option that is missing in its types.
    const source = { path: "", file };
    const result = await mammoth.convertToHtml(source, { styleMap: STYLE_MAP, convertImage });
    const page = convertWordToMarkdown(result.value);
    if (page === null)
      return { refusal: { en: "nests too deep", de: "ist zu tief verschachtelt" } };
    const missing = findMissingPassages(file.passages, page.text);
    // Mammoth reports errors only for pictures that the document links to on a disk or website.
    const linkedPictures = result.messages.filter(({ type }) => type === "error").length;
    return { ...page, pictures, missing, linkedPictures, hidden: file.hidden };
  } catch {
    // Mammoth throws only if the file is faulty: a part is missing or malformed.
    const refusal = {
      en: "is damaged or not a Word document; save it again in Word or LibreOffice",
      de: "ist beschädigt oder kein Word-Dokument: Speichern Sie es noch einmal in Word oder LibreOffice",
    };
    return { refusal };
  }
}

async function hasTooManyElements(parts: OfficeParts): Promise<boolean> {
  let count = 0;
  for (const name of parts.names.filter((each) => TEXT_PART.test(each))) {
    const xml = new TextDecoder().decode(await parts.bytes(name));
    for (const _ of xml.matchAll(ELEMENT_START)) if (++count > ELEMENTS_MAX) return true;
  }
  return false;
}

/** Gives mammoth the parts of a Word document by name. Prepares the XML of parts with text. */
class MammothDocument {
  readonly #parts: OfficeParts;
  readonly passages: string[] = [];
  readonly hidden: string[] = [];

  constructor(parts: OfficeParts) {
    this.#parts = parts;
  }

  exists(name: string): boolean {
    return this.#parts.names.includes(name);
  }

  async read(name: string, encoding?: string): Promise<Uint8Array | string> {
    const bytes = await this.#parts.bytes(name);
    if (encoding === undefined) return bytes;
    const text = new TextDecoder(encoding).decode(bytes);
    if (!TEXT_PART.test(name)) return text;
    const numbers = MAIN_PART.test(name) ? await this.#numbers() : null;
    const { xml, passages, hidden } = rewriteXmlForMammoth(text, numbers);
    this.passages.push(...passages);
    this.hidden.push(...hidden);
    return xml;
  }

  async #numbers(): Promise<WordNumberCounter> {
    const numbering = await this.#textOf(/(?:^|\/)numbering\d*\.xml$/i);
    const styles = await this.#textOf(/(?:^|\/)styles\d*\.xml$/i);
    return new WordNumberCounter(new NumberingPart({ numbering, styles }));
  }

  async #textOf(part: RegExp): Promise<string> {
    const name = this.#parts.names.find((each) => part.test(each));
    return name === undefined ? "" : new TextDecoder().decode(await this.#parts.bytes(name));
  }
}
