import type { Wording } from "../../../errors.ts";
import type { CitedDate } from "../../citations/reference.ts";

/**
 * A person, or an organisation with a single name. A family name keeps its particles: `van der
 * Berg`.
 */
export type PersonName = { family: string; given: string; suffix: string } | { literal: string };

/** The kind of an entry in a bibliography. `part`: a chapter or paper in a book. */
export type BibliographyEntryKind =
  | "book"
  | "part"
  | "journal"
  | "periodical"
  | "page"
  | "speech"
  | "letter"
  | "poem"
  | "other";

/** A problem that does not prevent importing the entry. */
export interface EntryProblem {
  line: number;
  field: string;
  message: Wording;
}

/** An entry of a bibliography in any format. Texts are plain text. */
export interface BibliographyEntry {
  /** The entry's citation key in the file; null: none. */
  key: string | null;
  /** Line on which the entry starts, from 1. */
  line: number;
  kind: BibliographyEntryKind;
  title: string;
  authors: readonly PersonName[];
  editors: readonly PersonName[];
  translators: readonly PersonName[];
  date: CitedDate | null;
  /** Details, keyed by name. Empty details are omitted. */
  details: Partial<Record<EntryDetailName, string>>;
  keywords: readonly string[];
  /** The key of the containing entry, such as the book of a chapter; null: none. */
  partOf: string | null;
  /** Names of the entry's fields that have no equivalent here. */
  leftOut: readonly string[];
  problems: readonly EntryProblem[];
}

export type EntryDetailName =
  | "abstract"
  | "container"
  | "doi"
  | "edition"
  | "isbn"
  | "issn"
  | "issue"
  | "language"
  | "licence"
  | "pages"
  | "place"
  | "publisher"
  | "url"
  | "volume";

/** An entry, or why it cannot be read. */
export type BibliographyEntryOrError = BibliographyEntry | { fault: Wording; line: number };

/** Collapses white space, such as line breaks of the file, to single spaces. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Parses the first year, month and day in a date such as `2001-05/2002`, `1999/02//`, `Feb 2020` or
 * `44 BC`.
 */
export function parseCitedDate(text: string): CitedDate | null {
  const iso = /^\s*(-?\d{1,4})(?:[-/](\d{1,2})?(?:[-/](\d{1,2})?)?)?(?!\d)/.exec(text);
  const isBeforeChrist = /\d\s*(?:B\.?\s?C|v\. ?Chr)/i.test(text);
  const year = iso?.[1] ?? /(?<!\d)\d{4}(?!\d)/.exec(text)?.[0] ?? /\d+/.exec(text)?.[0];
  if (year === undefined || Math.abs(Number(year)) > 9999) return null;
  const month = Number(iso?.[2] ?? findMonthInText(text) ?? 0);
  const day = Number(iso?.[3] ?? 0);
  return {
    year: isBeforeChrist ? -Math.abs(Number(year)) : Number(year),
    ...(month >= 1 && month <= 12 ? { month } : {}),
    ...(month >= 1 && month <= 12 && day >= 1 && day <= 31 ? { day } : {}),
  };
}

const MONTH_ABBREVIATIONS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** The number of a month by its English name. */
export function findMonthInText(text: string): number | undefined {
  const found = /[a-z]{3,}/i.exec(text)?.[0].slice(0, 3).toLowerCase() ?? "";
  return MONTH_ABBREVIATIONS.includes(found) ? MONTH_ABBREVIATIONS.indexOf(found) + 1 : undefined;
}

/** The DOI in a text, such as `10.1000/182`; null: there is none. */
export function findDoiInText(text: string): string | null {
  const found = /10\.\d{4,9}\/[^\s"<>{}]+/.exec(text)?.[0];
  // The lookbehind keeps matching linear in long sequences of dots.
  return found?.replace(/(?<![.,;])[.,;]+$/, "") ?? null;
}

/**
 * Parses a name such as `Seneca`, `van der Berg, Jan` or `King, Martin Luther, Jr.`. A text without a comma
 * is an organisation or a single name.
 */
export function parseInvertedName(text: string): PersonName | null {
  const parts = text.split(",").map(collapseWhitespace);
  const [family = "", given = "", suffix = ""] = parts;
  if (family === "" || parts.length > 3)
    return parts.join("") === "" ? null : { literal: collapseWhitespace(text) };
  return given === "" ? { literal: family } : { family, given, suffix };
}

/** The name in reading order: `Martin Luther King Jr.`. */
export function formatNameInReadingOrder(name: PersonName): string {
  if ("literal" in name) return name.literal;
  return [name.given, name.family, name.suffix].filter((part) => part !== "").join(" ");
}

/** The name in index order, family name first; null for a single name. */
export function formatNameInIndexOrder(name: PersonName): string | null {
  if ("literal" in name) return null;
  return [name.family, name.given, name.suffix].filter((part) => part !== "").join(", ");
}

/** The message for a year that is invalid and left out. */
export function invalidYearMessage(text: string): Wording {
  const shown = text.slice(0, 60);
  return {
    en: `"${shown}" is not a year; it is left out`,
    de: `„${shown}“ ist kein Jahr; es wird weggelassen`,
  };
}

export const NO_TITLE_MESSAGE: Wording = {
  en: "the entry has no title",
  de: "der Eintrag hat keinen Titel",
};

/** Bounds the time to process one entry. The longest real entries name thousands of authors. */
export const ENTRY_CHARACTERS_MAX = 500_000;
export const ENTRY_TOO_LONG_MESSAGE: Wording = {
  en: `the entry is longer than ${ENTRY_CHARACTERS_MAX} characters`,
  de: `der Eintrag ist länger als ${ENTRY_CHARACTERS_MAX} Zeichen`,
};

export const FIELD_TOO_DEEP_MESSAGE: Wording = {
  en: "nests too deep; it is left out",
  de: "ist zu tief verschachtelt; es wird weggelassen",
};

export function fieldTooLongMessage(charactersMax: number): Wording {
  return {
    en: `is longer than ${charactersMax} characters; it is left out`,
    de: `ist länger als ${charactersMax} Zeichen; es wird weggelassen`,
  };
}
