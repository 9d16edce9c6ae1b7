import type { ItemSummary, PublishedItem } from "../library.ts";
import type { ContentType } from "../types/content-type.ts";
import type { FilledForm, FormProblem, VisitorForm } from "./contact-forms.ts";

/** A link; `to` is root-relative and percent-encoded, or the absolute address of another site. */
export interface Anchor {
  text: string;
  to: string;
  /** Language of the text where it differs from the page's. */
  language?: string;
}

/** A piece of a line: plain text, a link, something typed literally, or words that were searched. */
export type Inline = string | Anchor | { code: string } | { match: string };

/** Words in the voice of another, with who says so and where. */
export interface Quote {
  /** A piece of plain text, or a whole body. */
  text: string | { html: string; markdown: string };
  language: string;
  caption: readonly Inline[];
}

export interface Fact {
  label: string;
  /** Each a line of its own, or parts of one, as the renderer likes. */
  values: readonly (readonly Inline[])[];
}

export interface Entry {
  line: readonly Inline[];
  /** What to know of it before following the link. */
  note: readonly Inline[];
}

/** One part of a page; both forms of a page are written from the same parts. */
export type Block =
  | { kind: "lead"; text: string }
  | { kind: "body"; html: string; markdown: string }
  | { kind: "source"; markdown: string }
  | { kind: "heading"; text: string; id: string }
  | { kind: "paragraph"; line: readonly Inline[] }
  | { kind: "facts"; facts: readonly Fact[] }
  | { kind: "entries"; entries: readonly Entry[] }
  | { kind: "quotes"; quotes: readonly Quote[] }
  | { kind: "letters"; letters: readonly Anchor[] }
  | { kind: "paging"; paging: Paging }
  | { kind: "form"; form: VisitorForm; filled: FilledForm }
  | { kind: "faults"; form: VisitorForm; problems: readonly FormProblem[] }
  | { kind: "search"; text: string; types: readonly ContentType[]; chosen: string | null };

/** Where a page of a long list stands; addresses as in `Anchor`. */
export interface Paging {
  page: number;
  pages: number;
  previous: string | null;
  next: string | null;
}

/** What structured data can say of a page. */
export type Subject =
  | { kind: "home"; title: string; item: PublishedItem | null }
  | { kind: "item"; item: PublishedItem }
  | {
      kind: "listing";
      type: ContentType;
      /** The items shown, the place of the first among all, from 0, and how many there are. */
      items: readonly ItemSummary[];
      offset: number;
      total: number;
    }
  | { kind: "other"; path: string; title: string }
  | { kind: "nothing" };

/** Everything a page says, in no form yet. */
export interface PageView {
  /** Canonical path, decoded. */
  path: string;
  /** The part of the query that belongs to the canonical address: empty or `?page=2`. */
  query: string;
  title: string;
  /** Plain text for search engines and front matter. */
  description: string;
  language: string;
  /** ISO 8601, UTC: the latest change of what is shown; null for pages that show no content. */
  updatedAt: string | null;
  isIndexed: boolean;
  subject: Subject;
  /** Pages above this one. */
  trail: readonly Anchor[];
  translations: readonly { language: string; path: string; title: string }[];
  blocks: readonly Block[];
}

/** What a visitor may ask of a page by its query. */
export interface PageRequest {
  /** Query parameters by name; those a page does not know are ignored. */
  parameter(name: string): string | undefined;
}
