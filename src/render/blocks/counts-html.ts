import type { CountTable } from "../../content/pages/view.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { html, type SafeHtml } from "../html.ts";

/** A table of numbers by row and column; bars show the totals. */
export function countTableHtml(
  { caption, rowLabel, columns, rows }: CountTable,
  { number }: SiteTexts,
): SafeHtml {
  const totalMax = Math.max(1, ...rows.map(({ counts }) => sum(counts)));
  const lines = rows.map(
    ({ anchor, counts }) =>
      html`<tr><th scope="row"><a href="${anchor.to}">${anchor.text}</a>${bar(sum(counts) / totalMax)}</th>${counts.map((count) => html`<td>${count > 0 && number(count)}</td>`)}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table class="counts">
<thead><tr><th scope="col">${rowLabel}</th>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${lines}</tbody>
</table></div>
`;
}

/** A bar for a share from 0 to 1. */
function bar(share: number): SafeHtml {
  const percent = Math.max(1, Math.round(share * 100));
  return html`<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${percent}" height="1"/></svg>`;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
