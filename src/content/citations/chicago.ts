import { formatFamilyNameFirst, formatGivenNameFirst, formatNameList } from "./citation-names.ts";
import {
  type CitationPiece,
  type CitedDate,
  type CitedName,
  type CitedReference,
  endWithFullStop,
  formatItalicTitle,
  formatYear,
  MONTH_NAMES,
} from "./reference.ts";

/** If there are more authors than this, only the first three are named. */
const AUTHORS_MAX = 6;
const AUTHORS_SHOWN = 3;

/**
 * A bibliography entry as in The Chicago Manual of Style, 18th edition, chapter 14. The entry also names the
 * place of publication, which only the 17th edition requires.
 */
export function chicagoCitation(reference: CitedReference): CitationPiece[] {
  const author = authorPart(reference);
  return [
    ...(author === "" ? [] : [`${endWithFullStop(author)} `]),
    ...bodyPart(reference),
    ...(reference.url === undefined ? [] : [` ${reference.url}.`]),
  ];
}

function authorPart({ kind, authors, editors = [] }: CitedReference): string {
  if (authors.length > 0) return joinNames(authors);
  if (kind !== "whole" || editors.length === 0) return "";
  return `${joinNames(editors)}, ${editors.length === 1 ? "ed." : "eds."}`;
}

function joinNames(names: readonly CitedName[]): string {
  const [first, ...others] = names;
  if (first === undefined) return "";
  if (names.length > AUTHORS_MAX) {
    const shown = [
      formatFamilyNameFirst(first),
      ...others.slice(0, AUTHORS_SHOWN - 1).map(formatGivenNameFirst),
    ];
    return `${shown.join(", ")}, et al.`;
  }
  const all = [formatFamilyNameFirst(first), ...others.map(formatGivenNameFirst)];
  const last = all.at(-1) ?? "";
  return all.length === 1 ? last : `${all.slice(0, -1).join(", ")}, and ${last}`;
}

function bodyPart(reference: CitedReference): CitationPiece[] {
  const { kind, title } = reference;
  switch (kind) {
    case "whole":
      return [...formatItalicTitle(title), sentences(wholeDetails(reference))];
    case "part":
      return [`“${endWithFullStop(title)}” In `, ...bookPart(reference)];
    case "journal":
      return [`“${endWithFullStop(title)}” `, ...journalPart(reference)];
    case "periodical":
      return [`“${endWithFullStop(title)}” `, ...periodicalPart(reference)];
    case "page":
      return [`“${endWithFullStop(title)}”${sentences(pageDetails(reference))}`];
  }
}

function wholeDetails(reference: CitedReference): (string | undefined)[] {
  const { translators = [], editors = [], authors, edition, volume, place } = reference;
  const isEdited = editors.length > 0 && authors.length > 0;
  return [
    translators.length === 0 ? undefined : `Translated by ${names(translators)}`,
    isEdited ? `Edited by ${names(editors)}` : undefined,
    edition,
    volume === undefined ? undefined : `Vol. ${volume}`,
    place,
    reference.description,
    imprint(reference),
    reference.site,
  ];
}

function pageDetails(reference: CitedReference) {
  const { translators = [], place, description, originalYear } = reference;
  const { container, publisher, date, site } = reference;
  return [
    translators.length === 0 ? undefined : `Translated by ${names(translators)}`,
    place,
    description,
    originalYear === undefined ? undefined : formatYear(originalYear, "BCE"),
    publisher,
    container,
    site,
    date === undefined ? undefined : dateText(date),
  ];
}

function bookPart(reference: CitedReference): CitationPiece[] {
  const { container = "", editors = [], edition, pages, place } = reference;
  const editorsText = editors.length === 0 ? "" : `, edited by ${names(editors)}`;
  const range = pages ?? place;
  const location = range === undefined ? "" : `, ${range}`;
  const rest = sentences([edition, imprint(reference), reference.site]);
  return [{ italic: container }, `${editorsText}${location}.${rest}`];
}

function journalPart({
  container = "",
  volume,
  issue,
  date,
  pages,
}: CitedReference): CitationPiece[] {
  const numbers = [
    volume === undefined ? "" : ` ${volume}`,
    issue === undefined ? "" : `, no. ${issue}`,
  ].join("");
  const year = date === undefined ? "" : ` (${monthAndYear(date)})`;
  const range = pages === undefined ? "" : `: ${pages}`;
  return [{ italic: container }, `${numbers}${year}${range}.`];
}

function periodicalPart({ container = "", date }: CitedReference): CitationPiece[] {
  return [{ italic: container }, date === undefined ? "." : `, ${dateText(date)}.`];
}

/** Place, publisher and year: `New York: Penguin Press, 2016`. */
function imprint({ publisher, publisherPlace, date }: CitedReference): string | undefined {
  const placeAndPublisher = [publisherPlace, publisher]
    .filter((part) => part !== undefined)
    .join(": ");
  const year = date === undefined ? "" : formatYear(date.year, "BCE");
  const parts = [placeAndPublisher, year].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join(", ");
}

function sentences(parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) => ` ${endWithFullStop(part)}`)
    .join("");
}

function names(people: readonly CitedName[]): string {
  return formatNameList(people.map(formatGivenNameFirst), "and");
}

function monthAndYear({ year, month }: CitedDate): string {
  const text = formatYear(year, "BCE");
  return month === undefined ? text : `${MONTH_NAMES[month - 1] ?? ""} ${text}`;
}

function dateText({ year, month, day }: CitedDate): string {
  const text = formatYear(year, "BCE");
  if (month === undefined) return text;
  const name = MONTH_NAMES[month - 1] ?? "";
  return day === undefined ? `${name} ${text}` : `${name} ${day}, ${text}`;
}
