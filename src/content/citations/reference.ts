/** The name of a person or organisation; `literal` for organisations and people with a single name. */
export type CitedName = { family: string; given: string } | { literal: string };

/**
 * A year, a month from 1 to 12 and a day; all but the year are optional. Years BCE are negative.
 */
export interface CitedDate {
  year: number;
  month?: number;
  day?: number;
}

/** The source that a citation describes. All citation styles are made from it. */
export interface CitedReference {
  /**
   * `whole`: a book or other work that stands alone; `part`: a chapter, poem or entry in a
   * container; `journal`: an article in a journal; `periodical`: an article in a newspaper or
   * magazine; `page`: a web page.
   */
  kind: "whole" | "part" | "journal" | "periodical" | "page";
  title: string;
  authors: readonly CitedName[];
  editors?: readonly CitedName[];
  translators?: readonly CitedName[];
  date?: CitedDate;
  /**
   * The year of first publication. Present only if the source has a different date, or, like many pages, no
   * date.
   */
  originalYear?: number;
  /** The book, journal or website that holds a part, an article or a page. */
  container?: string;
  edition?: string;
  volume?: string;
  issue?: string;
  /** Page numbers, such as `345–359` or `A1, A4`. */
  pages?: string;
  /** A location in the work other than a page number, such as `Book VI, ¶29`. */
  place?: string;
  publisher?: string;
  publisherPlace?: string;
  /**
   * A description of the source, such as `Attributed quotation`, if the title does not describe the source.
   */
  description?: string;
  /** The website on which a whole work, or a quotation from it, was read. */
  site?: string;
  url?: string;
}

/** A piece of a citation's text, plain or in italics. */
export type CitationPiece = string | { italic: string };

/** The text of a citation; `italic` formats each piece that is in italics. */
export function renderCitationText(
  pieces: readonly CitationPiece[],
  italic: (text: string) => string,
): string {
  return pieces.map((piece) => (typeof piece === "string" ? piece : italic(piece.italic))).join("");
}

/**
 * Ends a sentence with a full stop, unless it ends in `.`, `?` or `!`, with or without a closing
 * quotation mark after that.
 */
export function endWithFullStop(text: string): string {
  return /[.?!][”’"']?$/u.test(text) ? text : `${text}.`;
}

/** A title in italics, followed by a full stop. */
export function formatItalicTitle(title: string): CitationPiece[] {
  return endWithFullStop(title) === title ? [{ italic: title }] : [{ italic: title }, "."];
}

export const MONTH_NAMES =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** The date of the source; if the source has no date, the year in which the text was first published. */
export function citedDateOf({ date, originalYear }: CitedReference): CitedDate | undefined {
  return date ?? (originalYear === undefined ? undefined : { year: originalYear });
}

/** `place` and `description` in one text, for formats that have no fields for them. */
export function citationNote({ place, description }: CitedReference): string {
  return [place, description].filter((part) => part !== undefined).join("; ");
}

/** A year such as `350 BCE`; `bce` is the style's abbreviation for years BCE. */
export function formatYear(year: number, bce: string): string {
  return year < 0 ? `${-year} ${bce}` : String(year);
}
