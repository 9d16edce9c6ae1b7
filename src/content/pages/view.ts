import type { CitedReference } from "../citations/reference.ts";
import type { ItemSummary, PublishedItem } from "../library.ts";
import type { ContentType } from "../types/content-type.ts";
import type { FilledForm, FormProblem, VisitorForm } from "./contact-forms.ts";

/** A link; `to` is root-relative and percent-encoded, or an absolute external URL. */
export interface Anchor {
  text: string;
  to: string;
  /** Language of the text, if it differs from the page's. */
  language?: string;
  /** Marks a link to the next page of a list, which printouts omit. */
  rel?: "next";
  /** The link's text in pieces, with search matches marked and line breaks preserved. */
  pieces?: readonly (string | { match: string })[];
}

/** A mark that shows how far an item can be trusted. */
export interface Seal {
  /** The value of the field that the seal shows, such as `misattributed`. */
  value: string;
  label: string;
  /** Whether the seal is a warning, shown before the text. */
  isCaution: boolean;
  /** Root-relative address of the seal's explanation; null if there is none. */
  to: string | null;
}

/** A line break within inline content, for example in verse. */
export const LINE_BREAK = "\n";

/** Inline content: plain text, a link, code, a search match, a seal, or words that HTML keeps on one line. */
export type InlineContent =
  | string
  | Anchor
  | { code: string }
  | { match: string }
  | { seal: Seal }
  | { unbroken: string };

/** A quotation with its source. */
export interface Quote {
  /** Plain text, or a rendered body. */
  text: string | { html: string; markdown: string };
  language: string;
  /** The warning that is shown before the text; null if there is none. */
  caution: Seal | null;
  /** The quotation's source, and how well the attribution is verified. */
  caption: readonly InlineContent[];
  /** A link to the quotation's own page; null where the quotation is shown on that page. */
  page: { to: string; title: string | null; language: string } | null;
  /** Note on why the quotation is in the list; null for none. */
  listingReason: string | null;
}

/** The picture at the top of an item's page. */
export interface ShownPortrait {
  /** Root-relative. */
  path: string;
  /**
   * The width and the `height` of the original picture, in pixels; null for pictures without intrinsic
   * size.
   */
  width: number | null;
  height: number | null;
  alt: string;
  credit: string;
}

export interface Fact {
  label: string;
  /** HTML gives each value an element of its own; Markdown joins the values in one line. */
  values: readonly (readonly InlineContent[])[];
}

export interface ListEntry {
  line: readonly InlineContent[];
  /** Text shown below `line`. */
  note: readonly InlineContent[];
  /** Language of the note, if it differs from the page's. */
  noteLanguage?: string;
}

/** The entries under one letter. */
export interface IndexGroup {
  letter: string;
  id: string;
  entries: readonly ListEntry[];
}

/** Numbers by row and column, with a bar for the total of each row. */
export interface CountTable {
  caption: string;
  /** The heading of the first column. */
  rowLabel: string;
  columns: readonly string[];
  rows: readonly { anchor: Anchor; counts: readonly number[] }[];
}

/**
 * One element of a page, such as a heading or a list. Both the HTML and the Markdown of the page
 * are rendered from it.
 */
export type Block =
  | { kind: "portrait"; portrait: ShownPortrait }
  | { kind: "byline"; line: readonly InlineContent[] }
  | { kind: "lead"; text: string; language: string }
  | { kind: "body"; html: string; markdown: string; language: string }
  | { kind: "source"; name: string; markdown: string; language: string }
  | { kind: "heading"; text: string; id: string; language?: string }
  | { kind: "subheading"; text: string; id: string }
  | { kind: "paragraph"; line: readonly InlineContent[]; language?: string }
  | { kind: "facts"; facts: readonly Fact[] }
  | { kind: "entries"; entries: readonly ListEntry[] }
  | { kind: "quotes"; quotes: readonly Quote[] }
  | { kind: "saying"; quote: Quote }
  | { kind: "aside"; line: readonly InlineContent[] }
  /** Links from a list to other pages about its items, such as the search page or the timeline. */
  | { kind: "controls"; links: readonly Anchor[] }
  | { kind: "citations"; path: string; reference: CitedReference }
  | { kind: "letters"; letters: readonly Anchor[] }
  | { kind: "index"; groups: readonly IndexGroup[] }
  | ({ kind: "counts" } & CountTable)
  | { kind: "paging"; paging: Paging }
  | { kind: "form"; form: VisitorForm; filled: FilledForm }
  | { kind: "faults"; form: VisitorForm; problems: readonly FormProblem[] }
  | ({ kind: "filters" } & FilterForm)
  | {
      kind: "search";
      /** Hidden fields with the active filters, so that a new search keeps the filters. */
      hidden?: readonly Parameter[];
      action: string;
      text: string;
      types: readonly ContentType[];
      chosen: string | null;
    };

interface Parameter {
  name: string;
  value: string;
}

/** The bounds of a number or date range, as the visitor entered them. */
export interface RangeInput {
  name: string;
  label: string;
  kind: "number" | "date";
  from: string;
  to: string;
}

/** The filters and sort orders of a list. */
export interface FilterForm {
  action: string;
  /** The hidden fields of the form, which keep the other query parameters. */
  hidden: readonly Parameter[];
  /** The active filters. Each one links to the list without this filter. */
  chosen: readonly Anchor[];
  facets: readonly {
    name: string;
    label: string;
    options: readonly { value: string; label: string; count: number }[];
  }[];
  ranges: readonly RangeInput[];
  sorts: readonly { value: string; label: string; isChosen: boolean }[];
}

/**
 * Which page of a list is shown, and the addresses of the pages before and after it, as in
 * {@link Anchor}.
 */
export interface Paging {
  page: number;
  pages: number;
  previous: string | null;
  next: string | null;
}

/** The content of a page, as the input for its structured data. */
export type PageSubject =
  | { kind: "home"; path: string; title: string; item: PublishedItem | null }
  | { kind: "item"; item: PublishedItem; portrait?: ShownPortrait }
  | {
      kind: "listing";
      type: ContentType;
      /** The items shown; `offset` is the index of the first, from 0, in the list of `total` items. */
      items: readonly ItemSummary[];
      offset: number;
      total: number;
    }
  | { kind: "other"; path: string; title: string }
  | { kind: "nothing" };

/** The content of a page, from which every output format is rendered. */
export interface PageView {
  /** Canonical path, decoded. */
  path: string;
  /** The canonical query: empty, or the page numbers of lists, such as `?page=2` or `?works=2`. */
  query: string;
  title: string;
  /** The first heading, if it differs from the title; hidden if the page shows the same text anyway. */
  heading?: { text: string; isHidden: boolean };
  /** Plain text for search engines and front matter. */
  description: string;
  /** Language of the text around the content: always the language of an edition. */
  language: string;
  /** Language of title and description. */
  textLanguage: string;
  /** ISO 8601, UTC: the latest change to the content shown; null for pages without content. */
  updatedAt: string | null;
  isIndexed: boolean;
  subject: PageSubject;
  /** Breadcrumbs. */
  trail: readonly Anchor[];
  translations: readonly { language: string; path: string; title: string }[];
  blocks: readonly Block[];
  /**
   * Blocks about other items, shown below the content. The MCP tools leave these blocks out, because
   * finding them takes as long as building the rest of the page.
   */
  relatedBlocks?(): readonly Block[];
}

/** The query of a page request. */
export interface PageRequest {
  /** The value of a query parameter; undefined if it is absent. */
  parameter(name: string): string | undefined;
  /** Today in the site's time zone, as `YYYY-MM-DD`; absent where a page must not depend on it. */
  today?(): string;
}
