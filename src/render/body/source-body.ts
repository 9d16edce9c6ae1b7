import { html } from "../html.ts";
import { collapseWhiteSpace, formatCodeBlock } from "../markdown-text.ts";
import type { RenderedBody } from "./rendered-body.ts";

/** The output of `renderBody` for a body that is one block of code. */
export function renderAsCodeBlock(body: string): RenderedBody {
  return {
    html: html`<pre><code>${body}</code></pre>`.text,
    markdown: formatCodeBlock(body, ""),
    text: collapseWhiteSpace(body).trim(),
  };
}
