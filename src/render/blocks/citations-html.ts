import { pageUrl } from "../../content/addresses/addresses.ts";
import { CITATION_STYLES, formatMachineReadableCitation } from "../../content/citations/citing.ts";
import type { CitationPiece } from "../../content/citations/reference.ts";
import type { Block } from "../../content/pages/view.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { html, type SafeHtml, trustedHtml } from "../html.ts";

const STYLE_LABELS = { apa: "APA", mla: "MLA", chicago: "Chicago" } as const;

/**
 * The address of the page and its citation in every format, collapsed until a reader opens it.
 * `data-markdown-ignore` excludes the block from checks that compare HTML and Markdown, because the
 * Markdown has only the APA citation.
 */
export function citationsHtml(
  { path, reference }: Extract<Block, { kind: "citations" }>,
  { origin, texts }: { origin: string; texts: SiteTexts },
): SafeHtml {
  const url = pageUrl(origin, path);
  const cited = { ...reference, url };
  const styles = [
    citationHtml(STYLE_LABELS.apa, CITATION_STYLES.apa(cited)),
    citationHtml(STYLE_LABELS.mla, CITATION_STYLES.mla(cited)),
    citationHtml(STYLE_LABELS.chicago, CITATION_STYLES.chicago(cited)),
  ];
  const bibtex = formatMachineReadableCitation(path, "bibtex", cited);
  const csl = formatMachineReadableCitation(path, "csl-json", cited);
  return html`<details class="cite" data-markdown-ignore><summary>${texts.item.cite}</summary>
<dl class="facts">
${styles}<div><dt>BibTeX</dt><dd><pre>${elementText(bibtex)}</pre></dd></div>
<div><dt>CSL-JSON</dt><dd><pre>${elementText(csl)}</pre></dd></div>
</dl>
</details>
<p class="permalink" data-markdown-ignore>${texts.item.permalink} <a href="${url}" rel="bookmark"><code>${url}</code></a></p>
`;
}

function citationHtml(label: string, pieces: readonly CitationPiece[]): SafeHtml {
  const text = pieces.map((piece) =>
    typeof piece === "string" ? html`${piece}` : html`<cite>${piece.italic}</cite>`,
  );
  return html`<div><dt>${label}</dt><dd>${text}</dd></div>\n`;
}

/**
 * Escapes text for the content of an element, where the many quotation marks of JSON need no
 * escaping.
 */
function elementText(text: string): SafeHtml {
  return trustedHtml(text.replaceAll("&", "&amp;").replaceAll("<", "&lt;"));
}
