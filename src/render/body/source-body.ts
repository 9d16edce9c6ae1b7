import { html } from "../html.ts";
import { codeBlock, foldSpace } from "../markdown-text.ts";
import type { RenderedBody } from "./rendered-body.ts";

/** The output of `renderBody` for a body that is one block of code. */
export function renderAsSource(body: string): RenderedBody {
  return {
    html: html`<pre><code>${body}</code></pre>`.text,
    markdown: codeBlock(body, ""),
    text: foldSpace(body).trim(),
  };
}
