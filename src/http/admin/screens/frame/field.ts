import { html, type SafeHtml } from "../../../../render/html.ts";

/** A form control with its label and hint. `id` is the id of the control. */
export function formField(id: string, label: string, control: SafeHtml, hint?: string): SafeHtml {
  return html`<div class="field"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint">${hint}</p>`}
${control}</div>\n`;
}
