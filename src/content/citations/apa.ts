import { initialsOf, joinGivenAndFamily } from "./citation-names.ts";
import {
  type CitationPiece,
  type CitedName,
  type CitedReference,
  citedDateOf,
  endWithFullStop,
  formatItalicTitle,
  formatYear,
  MONTH_NAMES,
} from "./reference.ts";

const AUTHORS_MAX = 20;
const AUTHORS_BEFORE_ELLIPSIS = 19;

/** A reference list entry of the Publication Manual of the APA, 7th edition, chapters 9 and 10. */
export function apaCitation(reference: CitedReference): CitationPiece[] {
  const author = authorPart(reference);
  const date = `(${dateText(reference)}).`;
  const title = titlePart(reference);
  const opening: CitationPiece[] =
    author === "" ? [...title, " ", date] : [`${author} ${date} `, ...title];
  return [...opening, ...sourcePart(reference), ...originalPart(reference)];
}

function authorPart({ kind, authors, editors = [] }: CitedReference): string {
  if (authors.length > 0) return endWithFullStop(joinNames(authors));
  if (kind !== "whole" || editors.length === 0) return "";
  return `${joinNames(editors)} (${editors.length === 1 ? "Ed." : "Eds."}).`;
}

function dateText(reference: CitedReference): string {
  const { kind } = reference;
  const date = citedDateOf(reference);
  if (date === undefined) return "n.d.";
  const year = formatYear(date.year, "B.C.E.");
  if (kind === "journal" || date.month === undefined) return year;
  const month = MONTH_NAMES[date.month - 1] ?? "";
  return date.day === undefined ? `${year}, ${month}` : `${year}, ${month} ${date.day}`;
}

/** The title; in italics for a whole work or a page, but not for a part or an article. */
function titlePart(reference: CitedReference): CitationPiece[] {
  const { kind, title, description } = reference;
  const isAlone = kind === "whole" || kind === "page";
  const details = isAlone ? detailsOf(reference) : "";
  const bracket = description === undefined ? "" : ` [${description}]`;
  const after = `${details}${bracket}`;
  if (!isAlone) return [after === "" ? endWithFullStop(title) : `${title}${after}.`];
  return after === "" ? formatItalicTitle(title) : [{ italic: title }, `${after}.`];
}

/** The source's translators, editors, edition, volume and `place`, all in parentheses. */
function detailsOf({ authors, translators = [], editors = [], ...rest }: CitedReference): string {
  const { edition, volume, place } = rest;
  const parts = [edition, volumeText(volume), place];
  // A work without authors is listed under its editors, who are not repeated here.
  const otherEditors = authors.length === 0 ? [] : editors;
  const details = [
    rolesText(plainList(translators), otherEditors),
    parts.filter((part) => part !== undefined).join(", "),
  ];
  const text = details.filter((part) => part !== "").join("; ");
  return text === "" ? "" : ` (${text})`;
}

/** Lists translators and editors. Names a person with both roles once. */
function rolesText(translators: string, editors: readonly CitedName[]): string {
  const editorList = plainList(editors);
  const role = editors.length === 1 ? "Ed." : "Eds.";
  if (editorList !== "" && editorList === translators) return `${editorList}, ${role} & Trans.`;
  const roles = [
    translators === "" ? "" : `${translators}, Trans.`,
    editorList === "" ? "" : `${editorList}, ${role}`,
  ];
  return roles.filter((text) => text !== "").join("; ");
}

function volumeText(volume: string | undefined): string | undefined {
  if (volume === undefined) return undefined;
  return `${/[–-]/.test(volume) ? "Vols." : "Vol."} ${volume}`;
}

function sourcePart(reference: CitedReference): CitationPiece[] {
  const { kind, url } = reference;
  const address = url === undefined ? "" : ` ${url}`;
  switch (kind) {
    case "journal":
    case "periodical":
      return [" ", ...periodicalPart(reference), address];
    case "part":
      return [" In ", ...bookPart(reference), publisherPart(reference), address];
    case "whole":
    case "page":
      return [publisherPart(reference), address];
  }
}

function periodicalPart({ container = "", volume, issue, pages }: CitedReference): CitationPiece[] {
  const issueText = issue === undefined ? "" : `(${issue})`;
  const range = pages === undefined ? "" : `, ${pages}`;
  if (volume === undefined) return [{ italic: container }, `${issueText}${range}.`];
  return [{ italic: container }, ", ", { italic: volume }, `${issueText}${range}.`];
}

function bookPart({ container = "", editors = [], edition, pages, place }: CitedReference) {
  const names = editors.length === 0 ? "" : plainList(editors);
  const role = editors.length === 1 ? "(Ed.)" : "(Eds.)";
  const range = pages === undefined ? place : `${isOnePage(pages) ? "p." : "pp."} ${pages}`;
  const details = [edition, range].filter((part) => part !== undefined).join(", ");
  const pieces: CitationPiece[] = [
    names === "" ? "" : `${names} ${role}, `,
    { italic: container },
    details === "" ? "." : ` (${details}).`,
  ];
  return pieces;
}

/** The publisher and the website, unless they are also named as authors. */
function publisherPart({ kind, authors, publisher, site, container }: CitedReference): string {
  const page = kind === "page" ? container : undefined;
  const authorNames = authors.map((name) => ("literal" in name ? name.literal : ""));
  const sources = [publisher, page, site].filter(
    (source) => source !== undefined && !authorNames.includes(source),
  );
  return sources.length === 0 ? "" : ` ${endWithFullStop(sources.join("; "))}`;
}

/**
 * The year of the original, if the source also has a date of its own. For a source without a date,
 * the citation already shows the year of the original in place of the date.
 */
function originalPart({ date, originalYear }: CitedReference): CitationPiece[] {
  if (date === undefined || originalYear === undefined) return [];
  const year = originalYear < 0 ? `ca. ${formatYear(originalYear, "B.C.E.")}` : originalYear;
  return [` (Original work published ${year})`];
}

/**
 * `Grady, J. S., & Her, M.`. In lists of more than 20 names, an ellipsis replaces the names between the
 * 19th and the last.
 */
function joinNames(names: readonly CitedName[]): string {
  const invertedNames = names.map(invertedName);
  const lastName = invertedNames.at(-1) ?? "";
  if (names.length === 1) return lastName;
  if (names.length > AUTHORS_MAX) {
    return `${invertedNames.slice(0, AUTHORS_BEFORE_ELLIPSIS).join(", ")}, . . . ${lastName}`;
  }
  return `${invertedNames.slice(0, -1).join(", ")}, & ${lastName}`;
}

function invertedName(name: CitedName): string {
  return "literal" in name ? name.literal : `${name.family}, ${initialsOf(name.given)}`;
}

/** Names with the initials first: `R. F. Subotnik, P. Olszewski-Kubilius, & F. C. Worrell`. */
function plainList(names: readonly CitedName[]): string {
  const plain = names.map((name) =>
    "literal" in name ? name.literal : joinGivenAndFamily(initialsOf(name.given), name.family),
  );
  const last = plain.at(-1) ?? "";
  if (plain.length < 3) return plain.join(" & ");
  return `${plain.slice(0, -1).join(", ")}, & ${last}`;
}

function isOnePage(pages: string): boolean {
  return !/[–,-]/.test(pages);
}
