import { html } from "../html.ts";
import { codeBlock, collapseWhiteSpace } from "../markdown-text.ts";
import type { RenderedBody } from "./rendered-body.ts";

/** The output of `renderBody` for a body that is one block of code. */
export function renderAsCodeBlock(body: string): RenderedBody {
  return {
    html: html`<pre><code>${body}</code></pre>`.text,
    markdown: codeBlock(body, ""),
    text: collapseWhiteSpace(body).trim(),
  };
}
