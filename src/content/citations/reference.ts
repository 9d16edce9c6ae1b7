/** A person's name, or that of a body or of a person who has only one. */
export type Name = { family: string; given: string } | { literal: string };

/** A year alone, or with a month from 1 to 12, or with a day too; years BCE are negative. */
export interface PartDate {
  year: number;
  month?: number;
  day?: number;
}

/** What is cited, as far as the three styles need it. */
export interface Reference {
  /**
   * `whole`: a book or other work that stands alone; `part`: a chapter, poem or entry in a container;
   * `journal`, `periodical`: an article in a journal, or in a newspaper or magazine; `page`: a web page.
   */
  kind: "whole" | "part" | "journal" | "periodical" | "page";
  title: string;
  authors: readonly Name[];
  editors?: readonly Name[];
  translators?: readonly Name[];
  date?: PartDate;
  originalYear?: number;
  /** The book, journal or website that holds a part, an article or a page. */
  container?: string;
  edition?: string;
  volume?: string;
  issue?: string;
  /** `345–359`, or `A1, A4`. */
  pages?: string;
  /** A place in the work that is no page: `Book VI, ¶29`. */
  place?: string;
  publisher?: string;
  publisherPlace?: string;
  /** What it is, where the title does not show it: `Attributed quotation`. */
  description?: string;
  /** The website on which a whole work or a quotation from it was read. */
  site?: string;
  url?: string;
}

/** A part of a citation. */
export type CitationPiece = string | { italic: string };

/** The text with italics in asterisks, as Markdown has them, or without. */
export function citationText(
  pieces: readonly CitationPiece[],
  italic: (text: string) => string,
): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : italic(piece.italic))).join("");
}

/** Ends a sentence, unless it ends already, also inside a closing quotation mark. */
export function sentence(text: string): string {
  return /[.?!][”’"']?$/u.test(text) ? text : `${text}.`;
}

/** `350 BCE` as the style writes the era. */
export function yearText(year: number, before: string): string {
  return year < 0 ? `${-year} ${before}` : String(year);
}
