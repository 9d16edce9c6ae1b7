import type { Wording } from "../../../errors.ts";
import { type HtmlMetadata, markdownOfHtml, readHtmlMetadata } from "./html-page.ts";

/** A step of reading an HTML file that may take long for a large page. */
export interface HtmlTask {
  output: "metadata" | "markdown";
  html: string;
}

export interface HtmlReply {
  metadata: HtmlMetadata;
  /** Null if it was not requested or the page cannot be converted. */
  markdown: string | null;
  /** Why the page cannot be converted. */
  fault?: Wording;
  /** The texts left out. */
  notes?: readonly Wording[];
}

export function htmlReply({ output, html }: HtmlTask): HtmlReply {
  if (output === "metadata") return { metadata: readHtmlMetadata(html), markdown: null };
  return { metadata: {}, markdown: null, ...markdownOfHtml(html) };
}
