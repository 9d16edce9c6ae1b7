import type { BibliographyEntryKind, EntryDetailName } from "./reference-entry.ts";

/** The kind of an entry for each type in BibTeX or BibLaTeX. */
export const ENTRY_KINDS_BY_BIBTEX_TYPE: Readonly<Record<string, BibliographyEntryKind>> = {
  article: "journal",
  suppperiodical: "journal",
  periodical: "book",
  book: "book",
  mvbook: "book",
  collection: "book",
  mvcollection: "book",
  proceedings: "book",
  mvproceedings: "book",
  reference: "book",
  booklet: "book",
  manual: "book",
  inbook: "part",
  bookinbook: "part",
  suppbook: "part",
  incollection: "part",
  suppcollection: "part",
  inproceedings: "part",
  conference: "part",
  inreference: "part",
  online: "page",
  electronic: "page",
  www: "page",
  letter: "letter",
};

/** The detail that each field becomes. Several fields may become the same detail. */
export const ENTRY_DETAILS_BY_BIBTEX_FIELD: Readonly<Record<string, EntryDetailName>> = {
  abstract: "abstract",
  journal: "container",
  journaltitle: "container",
  booktitle: "container",
  maintitle: "container",
  doi: "doi",
  edition: "edition",
  isbn: "isbn",
  issn: "issn",
  number: "issue",
  issue: "issue",
  language: "language",
  langid: "language",
  pages: "pages",
  address: "place",
  location: "place",
  publisher: "publisher",
  school: "publisher",
  institution: "publisher",
  organization: "publisher",
  url: "url",
  volume: "volume",
};

/** Fields whose text is not LaTeX. */
export const VERBATIM_FIELDS: ReadonlySet<string> = new Set(["doi", "url", "isbn", "issn"]);

/** Fields that become a property of the entry itself rather than one of its `details`. */
export const BIBTEX_ENTRY_PROPERTY_FIELDS: ReadonlySet<string> = new Set(
  "title subtitle author editor translator date year month keywords crossref".split(" "),
);

/** Fields that only reference managers use. They are left out without a report. */
export const IGNORED_FIELDS: ReadonlySet<string> = new Set(
  "file timestamp owner date-added date-modified bdsk-url-1 bdsk-file-1 citation-key options ids xdata keyword entrysubtype urldate langidopts shorttitle creationdate modificationdate groups __markedentry".split(
    " ",
  ),
);
