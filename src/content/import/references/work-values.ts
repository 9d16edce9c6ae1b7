import type { PhrasingContent } from "mdast";
import { apaCitation } from "../../citations/apa.ts";
import type { CitedName, CitedReference } from "../../citations/reference.ts";
import type { ContentType } from "../../types/content-type.ts";
import { serializeMarkdown } from "../html/html-page.ts";
import {
  type BibliographyEntry,
  type EntryDetailName,
  formatNameInReadingOrder,
  type PersonName,
} from "./reference-entry.ts";

/** The value of a work's field `kind` for each kind of bibliography entry. */
const WORK_KINDS: Readonly<Record<BibliographyEntry["kind"], string>> = {
  ...{ book: "book", part: "article", journal: "article", periodical: "article", page: "other" },
  ...{ speech: "speech", letter: "letter", poem: "poem", other: "other" },
};

/**
 * For each detail of an entry, the names of fields that can store it, best first. The first field
 * that the type declares gets the detail.
 */
const DETAIL_FIELDS: Readonly<Record<EntryDetailName, readonly string[]>> = {
  abstract: ["abstract"],
  container: ["container", "journal", "published_in"],
  doi: ["doi"],
  edition: ["edition"],
  isbn: ["isbn"],
  issn: ["issn"],
  issue: ["issue", "number"],
  language: ["original_language"],
  licence: ["licence"],
  pages: ["pages"],
  place: ["place", "publisher_place"],
  publisher: ["publisher"],
  url: ["source_url", "url"],
  volume: ["volume"],
};

/**
 * Details that the import adds to the work's text, as a citation, if the work's type has no field for them.
 */
const CITED_DETAILS: ReadonlySet<EntryDetailName> = new Set([
  "container",
  "edition",
  "issue",
  "pages",
  "volume",
]);

interface WorkValues {
  values: Record<string, unknown>;
  /**
   * Details that are neither stored in a field nor cited, and fields of the entry that have no equivalent
   * here.
   */
  leftOut: string[];
}

/** The fields and the text of a work. The text cites the details that have no field. */
export function buildWorkValues(
  entry: BibliographyEntry,
  type: ContentType,
  { isOwnUrl }: { isOwnUrl: boolean },
): WorkValues {
  const values: Record<string, unknown> = { ...plainValues(entry, type) };
  const missing = new Set<EntryDetailName>();
  for (const [detail, text] of Object.entries(withAddress(entry.details, type, isOwnUrl))) {
    if (!isDetail(detail)) continue;
    const field = DETAIL_FIELDS[detail].find((name) => type.fields[name] !== undefined);
    if (field === undefined) missing.add(detail);
    else values[field] = type.fields[field]?.kind === "text_list" ? [text] : text;
  }
  const people = { editors: entry.editors, translators: entry.translators };
  const others = Object.entries(people).filter(([name, names]) => {
    if (names.length === 0) return false;
    const field = type.fields[name];
    if (field === undefined) return true;
    const all = names.map(formatNameInReadingOrder);
    values[name] = field.kind === "text_list" ? all : all.join("; ");
    return false;
  });
  const isCited = others.length > 0 || [...missing].some((detail) => CITED_DETAILS.has(detail));
  values["body"] = bodyOf(entry, { isCited, hasAbstractField: !missing.has("abstract") });
  const uncited = [...missing].filter(
    (detail) => !CITED_DETAILS.has(detail) && detail !== "abstract",
  );
  return { values, leftOut: [...uncited, ...entry.leftOut] };
}

function plainValues({ title, kind, date }: BibliographyEntry, type: ContentType) {
  const workKind = WORK_KINDS[kind];
  return {
    title,
    ...(type.fields["kind"]?.values?.includes(workKind) ? { kind: workKind } : {}),
    ...(date === null || type.fields["year"] === undefined ? {} : { year: date.year }),
  };
}

/**
 * Adds the URL and the DOI of a work. If the type has no field for a DOI, the DOI's address
 * replaces the URL, because it is more stable.
 */
function withAddress(
  { doi, url, ...details }: BibliographyEntry["details"],
  type: ContentType,
  isOwnUrl: boolean,
): BibliographyEntry["details"] {
  const address = url === undefined || isOwnUrl ? {} : { url };
  if (doi === undefined) return { ...details, ...address };
  if (type.fields["doi"] !== undefined) return { ...details, ...address, doi };
  return { ...details, url: `https://doi.org/${doi}` };
}

function isDetail(name: string): name is EntryDetailName {
  return name in DETAIL_FIELDS;
}

function bodyOf(
  entry: BibliographyEntry,
  { isCited, hasAbstractField }: { isCited: boolean; hasAbstractField: boolean },
): string {
  const { abstract } = entry.details;
  const paragraphs: PhrasingContent[][] = [];
  if (abstract !== undefined && !hasAbstractField)
    paragraphs.push([{ type: "text", value: abstract }]);
  if (isCited) paragraphs.push(citationText(entry));
  const children = paragraphs.map((each) => ({ type: "paragraph" as const, children: each }));
  return serializeMarkdown({ type: "root", children }).trim();
}

function citationText(entry: BibliographyEntry): PhrasingContent[] {
  return apaCitation(referenceOf(entry)).map((piece): PhrasingContent => {
    if (typeof piece === "string") return { type: "text", value: piece };
    return { type: "emphasis", children: [{ type: "text", value: piece.italic }] };
  });
}

function referenceOf({
  kind,
  title,
  authors,
  editors,
  translators,
  date,
  details,
}: BibliographyEntry): CitedReference {
  const { container, edition, volume, issue, pages, publisher } = details;
  return {
    kind: REFERENCE_KINDS[kind],
    title,
    authors: authors.map(nameOf),
    ...(editors.length === 0 ? {} : { editors: editors.map(nameOf) }),
    ...(translators.length === 0 ? {} : { translators: translators.map(nameOf) }),
    ...(date === null ? {} : { date }),
    ...(container === undefined ? {} : { container }),
    ...(edition === undefined
      ? {}
      : { edition: /^\d+$/.test(edition) ? `${edition}. ed.` : edition }),
    ...(volume === undefined ? {} : { volume }),
    ...(issue === undefined ? {} : { issue }),
    ...(pages === undefined ? {} : { pages: pages.replace(/\s*-+\s*/g, "–") }),
    ...(publisher === undefined ? {} : { publisher }),
  };
}

const REFERENCE_KINDS: Readonly<Record<BibliographyEntry["kind"], CitedReference["kind"]>> = {
  ...{ book: "whole", part: "part", journal: "journal", periodical: "periodical", page: "page" },
  ...{ speech: "whole", letter: "whole", poem: "whole", other: "whole" },
};

function nameOf(name: PersonName): CitedName {
  if ("literal" in name) return name;
  const given = name.suffix === "" ? name.given : `${name.given}, ${name.suffix}`;
  return { family: name.family, given };
}
