import { html, type SafeHtml } from "../../../../render/html.ts";

/** A control of a form under its label; `id` is the control's. */
export function field(id: string, label: string, control: SafeHtml, hint?: string): SafeHtml {
  return html`<div class="field"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint">${hint}</p>`}
${control}</div>\n`;
}
