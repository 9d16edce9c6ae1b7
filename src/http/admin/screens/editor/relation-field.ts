import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Texts } from "../../texts/english.ts";

/** A link as the form shows it. */
export interface RelationFieldLink {
  /** The id of the item; if no item has the typed name, the name as typed. */
  to: string;
  note: string | null;
  title: string | null;
  path: string | null;
}

/**
 * A field in which an editor enters one item by its name or address. Without `type`, any type is allowed. A
 * script turns the field into a picker.
 */
export function itemPickerField(
  name: string,
  { label, hint, type = "" }: { label: string; hint: string; type?: string },
  texts: Texts,
): SafeHtml {
  return html`<fieldset class="field" data-picker="${name}" data-type="${type}" data-one data-label="${label}" data-hint="${texts.draft.pickHint}">
<legend>${label}</legend>
<p class="hint">${hint}</p>
<textarea name="a.${name}" rows="1" aria-label="${label}"></textarea>
</fieldset>
`;
}

/**
 * Fields for the links of a relation: a checkbox for each existing link, and a text area for names of new
 * links. `names` is the initial content of the text area. An empty `target` allows any type. A script turns
 * the text area into a picker.
 */
export function relationField(
  name: string,
  { label, target, mayCreate = true }: { label: string; target: string; mayCreate?: boolean },
  {
    links,
    names = "",
    texts,
  }: { links: readonly RelationFieldLink[]; names?: string; texts: Texts },
): SafeHtml {
  const t = texts.draft;
  const choices = links.map(
    ({ to, title, path }) =>
      html`<label class="choice"><input type="checkbox" name="r.${name}" value="${to}" checked> <span>${title ?? `${to} (${t.unknown})`}${path !== null && html` <span class="state">${path}</span>`}</span></label>\n`,
  );
  return html`<fieldset class="field" data-picker="${name}" data-type="${target}" data-label="${t.add(label)}" data-hint="${t.pickHint}"${mayCreate && html` data-create="${t.createNamed("{name}")}"`}>
<legend>${label}</legend>
${choices}<p class="hint">${t.addHint}</p>
<textarea name="a.${name}" rows="2" aria-label="${t.add(label)}">\n${names}</textarea>
</fieldset>
`;
}
