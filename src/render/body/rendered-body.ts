/** A Markdown body in three output formats, rendered once on publishing. */
export interface RenderedBody {
  /** Sanitised HTML; headings from h2; internal links root-relative. */
  html: string;
  /** Portable Markdown: no raw HTML, headings start at `##`, internal links are absolute and end in `.md`. */
  markdown: string;
  /** Plain text; lines of verse end with a line feed, paragraphs with two. */
  text: string;
}
