import type { Reference } from "../citations/reference.ts";
import type { ItemSummary, PublishedItem } from "../library.ts";
import type { ContentType } from "../types/content-type.ts";
import type { FilledForm, FormProblem, VisitorForm } from "./contact-forms.ts";

/** A link; `to` is root-relative and percent-encoded, or an absolute external URL. */
export interface Anchor {
  text: string;
  to: string;
  /** If it differs from the page's language. */
  language?: string;
}

/** Inline content: plain text, a link, code, or a search match. */
export type Inline = string | Anchor | { code: string } | { match: string };

/** A quotation with its source. */
export interface Quote {
  /** Plain text, or a rendered body. */
  text: string | { html: string; markdown: string };
  language: string;
  /** Said before the text, such as "Misattributed". */
  caution: string | null;
  caption: readonly Inline[];
}

export interface Fact {
  label: string;
  /** One line each, or joined, as the renderer chooses. */
  values: readonly (readonly Inline[])[];
}

export interface Entry {
  line: readonly Inline[];
  /** Shown below the line. */
  note: readonly Inline[];
}

/** A part of a page; both forms of a page are rendered from the same blocks. */
export type Block =
  | { kind: "lead"; text: string }
  | { kind: "body"; html: string; markdown: string }
  | { kind: "source"; markdown: string }
  | { kind: "heading"; text: string; id: string }
  | { kind: "paragraph"; line: readonly Inline[] }
  | { kind: "facts"; facts: readonly Fact[] }
  | { kind: "entries"; entries: readonly Entry[] }
  | { kind: "quotes"; quotes: readonly Quote[] }
  | { kind: "citations"; path: string; reference: Reference }
  | { kind: "letters"; letters: readonly Anchor[] }
  | { kind: "paging"; paging: Paging }
  | { kind: "form"; form: VisitorForm; filled: FilledForm }
  | { kind: "faults"; form: VisitorForm; problems: readonly FormProblem[] }
  | { kind: "search"; text: string; types: readonly ContentType[]; chosen: string | null };

/** The position within a paginated list; addresses as in {@link Anchor}. */
export interface Paging {
  page: number;
  pages: number;
  previous: string | null;
  next: string | null;
}

/** The input for structured data. */
export type Subject =
  | { kind: "home"; title: string; item: PublishedItem | null }
  | { kind: "item"; item: PublishedItem }
  | {
      kind: "listing";
      type: ContentType;
      /** The items shown, the index of the first, from 0, and the number of all. */
      items: readonly ItemSummary[];
      offset: number;
      total: number;
    }
  | { kind: "other"; path: string; title: string }
  | { kind: "nothing" };

/** A page independent of its output format. */
export interface PageView {
  /** Canonical path, decoded. */
  path: string;
  /** The canonical query: empty or `?page=2`. */
  query: string;
  title: string;
  /** Plain text for search engines and front matter. */
  description: string;
  language: string;
  /** ISO 8601, UTC: the latest change to the content shown; null for pages without content. */
  updatedAt: string | null;
  isIndexed: boolean;
  subject: Subject;
  /** Breadcrumbs. */
  trail: readonly Anchor[];
  translations: readonly { language: string; path: string; title: string }[];
  blocks: readonly Block[];
}

/** The query of a page request. */
export interface PageRequest {
  /** Query parameters by name; unknown ones are ignored. */
  parameter(name: string): string | undefined;
}
