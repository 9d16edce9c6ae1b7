import { html, type SafeHtml } from "../../../../render/html.ts";

export function optionElement(value: string, label: string, isSelected: boolean): SafeHtml {
  return html`<option value="${value}"${isSelected && html` selected`}>${label}</option>`;
}
