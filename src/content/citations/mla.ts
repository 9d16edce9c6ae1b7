import { formatFamilyNameFirst, formatGivenNameFirst, formatNameList } from "./citation-names.ts";
import {
  type CitationPiece,
  type CitedDate,
  type CitedName,
  type CitedReference,
  endWithFullStop,
  formatItalicTitle,
  formatYear,
} from "./reference.ts";

const MONTH_ABBREVIATIONS = "Jan. Feb. Mar. Apr. May June July Aug. Sept. Oct. Nov. Dec.".split(
  " ",
);

/** A works-cited entry of the MLA Handbook, 9th edition, chapter 5: author, title, containers. */
export function mlaCitation(reference: CitedReference): CitationPiece[] {
  const author = authorPart(reference);
  return [
    ...(author === "" ? [] : [`${endWithFullStop(author)} `]),
    ...titlePart(reference),
    ...containerPart(reference),
  ];
}

/**
 * The authors. If the only author is an organisation that is also the publisher or the container, the
 * organisation is left out, because the citation already names it as publisher or container.
 */
function authorPart({ kind, authors, editors = [], publisher, container }: CitedReference): string {
  const [only] = authors;
  const isOrganisation = authors.length === 1 && only !== undefined && "literal" in only;
  if (isOrganisation && [publisher, container].includes(only.literal)) return "";
  if (authors.length > 0) return joinNames(authors);
  if (kind !== "whole" || editors.length === 0) return "";
  return `${joinNames(editors)}, ${editors.length === 1 ? "editor" : "editors"}`;
}

/** Joins names; three or more become `A, et al.` */
function joinNames(names: readonly CitedName[]): string {
  const [first, second] = names;
  if (first === undefined) return "";
  if (names.length > 2) return `${formatFamilyNameFirst(first)}, et al.`;
  if (second === undefined) return formatFamilyNameFirst(first);
  return `${formatFamilyNameFirst(first)}, and ${formatGivenNameFirst(second)}`;
}

/**
 * The title and, if known, the year of first publication. On a web page, the translators and the
 * place belong to the text rather than to the page; they therefore come before the year.
 */
function titlePart(reference: CitedReference): CitationPiece[] {
  const { kind, title, description, originalYear } = reference;
  const { translators = [], place } = reference;
  const ofText =
    kind === "page" ? [...translatedBy(translators), ...(place === undefined ? [] : [place])] : [];
  const original = originalYear === undefined ? [] : [formatYear(originalYear, "BCE")];
  const [supplement = ""] = commaSeparated([], [...ofText, ...original]);
  const details = [supplement, description ?? ""]
    .filter((text) => text !== "")
    .map((text) => ` ${endWithFullStop(text)}`)
    .join("");
  if (kind === "whole") return [...formatItalicTitle(title), `${details} `];
  return [`“${endWithFullStop(title)}”${details} `];
}

function translatedBy(translators: readonly CitedName[]): string[] {
  return translators.length === 0 ? [] : [`translated by ${names(translators)}`];
}

/**
 * The containing book or journal, if any, with its publication details, then the website and the address,
 * separated by commas.
 */
function containerPart(reference: CitedReference): CitationPiece[] {
  const { kind, container, site, url } = reference;
  const title: CitationPiece[] =
    kind === "whole" || container === undefined ? [] : [{ italic: container }];
  const elements = elementsOf(reference);
  const address = url === undefined ? [] : [shortAddress(url)];
  if (site === undefined)
    return withFullStop([...title, ...commaSeparated(title, [...elements, ...address])]);
  const first =
    title.length + elements.length === 0 ? [] : [...title, ...commaSeparated(title, elements)];
  const gap = first.length === 0 ? [] : [". "];
  return withFullStop([...first, ...gap, { italic: site }, ...commaSeparated([site], address)]);
}

function elementsOf(reference: CitedReference): string[] {
  const { authors, translators = [], editors = [], edition, volume, issue } = reference;
  const { publisher, date, pages, place, kind } = reference;
  const isEdited = editors.length > 0 && (authors.length > 0 || kind !== "whole");
  return [
    ...(kind === "page" ? [] : translatedBy(translators)),
    ...(isEdited ? [`edited by ${names(editors)}`] : []),
    ...(edition === undefined ? [] : [edition]),
    ...(volume === undefined ? [] : [`vol. ${volume}`]),
    ...(issue === undefined ? [] : [`no. ${issue}`]),
    ...(publisher === undefined ? [] : [publisher]),
    ...(date === undefined ? [] : [dateText(date)]),
    ...(pages === undefined ? [] : [`${/[-–,]/.test(pages) ? "pp." : "p."} ${pages}`]),
    ...(kind === "page" || place === undefined ? [] : [place]),
  ];
}

/** Joins elements with commas. The first element starts with a capital unless a title precedes it. */
function commaSeparated(before: readonly CitationPiece[], elements: readonly string[]): string[] {
  const text = elements.join(", ");
  if (text === "") return [];
  return before.length > 0 ? [`, ${text}`] : [text.charAt(0).toUpperCase() + text.slice(1)];
}

function withFullStop(pieces: readonly CitationPiece[]): CitationPiece[] {
  const last = pieces.at(-1);
  if (last === undefined) return [];
  const end = typeof last === "string" ? last : last.italic;
  return end.endsWith(".") ? [...pieces] : [...pieces, "."];
}

function names(people: readonly CitedName[]): string {
  const [first] = people;
  if (people.length > 2 && first !== undefined) return `${formatGivenNameFirst(first)} et al.`;
  return formatNameList(people.map(formatGivenNameFirst), "and");
}

function dateText({ year, month, day }: CitedDate): string {
  const monthName = month === undefined ? undefined : MONTH_ABBREVIATIONS[month - 1];
  const parts = [day, monthName, formatYear(year, "BCE")];
  return parts.filter((part) => part !== undefined).join(" ");
}

/** The address without its scheme. Addresses of DOIs keep the scheme. */
function shortAddress(url: string): string {
  return url.startsWith("https://doi.org/") ? url : url.replace(/^https?:\/\//, "");
}
