/** The forms of a Markdown body, made once, when its item is published. */
export interface RenderedBody {
  /** Sanitised HTML; headings from h2; links within the site root-relative. */
  html: string;
  /** Portable Markdown: no raw HTML, headings from `##`, links within the site absolute, to `.md`. */
  markdown: string;
  /** Plain text, white space folded. */
  text: string;
}
