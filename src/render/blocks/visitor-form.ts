import {
  type FilledForm,
  FORM_FIELD,
  type FormField,
  type FormProblem,
  HONEYPOT_FIELD,
  OPENED_AT_FIELD,
  type VisitorForm,
} from "../../content/pages/contact-forms.ts";
import type { SiteTexts } from "../../texts/site/english.ts";
import { html, type SafeHtml } from "../html.ts";

/** A form that works without scripts. It shows the entered values, and each problem next to its field. */
export function visitorFormHtml(
  form: VisitorForm,
  filled: FilledForm,
  { form: texts }: SiteTexts,
): SafeHtml {
  const { id, action, heading, fields, submit } = form;
  return html`<form class="visitor-form" id="${id}" action="${encodeURI(action)}" method="post" aria-labelledby="${heading.id}">
<input type="hidden" name="${FORM_FIELD}" value="${id}">
${fields.map((field) => fieldHtml(field, filled, { formId: id, texts }))}${form.isSpamProtected && guardHtml(id, filled, texts)}<p class="submit"><button type="submit">${submit}</button></p>
</form>
`;
}

/** All problems of a form, shown first on the page, each linked to its field. */
export function problemSummaryHtml(
  form: VisitorForm,
  problems: readonly FormProblem[],
  texts: SiteTexts,
): SafeHtml {
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
<h2>${texts.form.putRight}</h2>
<ul>${problems.map(
    ({ where, message }) =>
      html`<li><a href="#${problemElementId(form, where)}">${message}</a></li>`,
  )}</ul>
</div>
`;
}

/**
 * Id of the element that a problem is about: a field, its first choice if it has choices, or the whole
 * form.
 */
function problemElementId({ id, fields }: VisitorForm, where: string): string {
  if (where === "") return id;
  const first = fields.find(({ name }) => name === where)?.choices[0];
  return first === undefined ? `${id}-${where}` : `${id}-${where}-${first.value}`;
}

type FormTexts = SiteTexts["form"];

function fieldHtml(
  field: FormField,
  filled: FilledForm,
  { formId, texts }: { formId: string; texts: FormTexts },
): SafeHtml {
  const { name, label, hint, kind, isRequired } = field;
  const id = `${formId}-${name}`;
  const fault = filled.problems.find(({ where }) => where === name)?.message ?? null;
  const describingIds = [hint !== null && `${id}-hint`, fault !== null && `${id}-fault`];
  const value = filled.values[name] ?? "";
  const notes = html`${hint !== null && html`<p class="hint" id="${id}-hint">${hint}</p>\n`}${fault !== null && html`<p class="fault" id="${id}-fault">${fault}</p>\n`}`;
  const attributes = html`${describedBy(describingIds)}${fault !== null && html` aria-invalid="true"`}`;
  const optional = !isRequired && html` <span class="hint">(${texts.optional})</span>`;
  if (kind === "choice") {
    return html`<fieldset class="field" id="${id}"${describedBy(describingIds)}>
<legend>${label}${optional}</legend>
${notes}${choicesHtml(id, field, { value, attributes })}</fieldset>
`;
  }
  return html`<div class="field">
<label for="${id}">${label}${optional}</label>
${notes}${controlHtml(id, field, { value, attributes })}</div>
`;
}

interface Control {
  value: string;
  attributes: SafeHtml;
}

function controlHtml(id: string, field: FormField, { value, attributes }: Control): SafeHtml {
  const { name, kind, charactersMax, autocomplete, isRequired } = field;
  const sharedAttributes = html`id="${id}" name="${name}" maxlength="${charactersMax}"${isRequired && html` required`}${attributes}`;
  switch (kind) {
    case "lines":
      // HTML ignores a line break right after the opening tag. The extra line break ensures that a line
      // break at the start of the visitor's text is not lost.
      return html`<textarea ${sharedAttributes} rows="${charactersMax > 2000 ? 10 : 5}" dir="auto">\n${value}</textarea>\n`;
    case "code":
      return html`<input ${sharedAttributes} class="code" type="text" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false">\n`;
    case "email":
      return html`<input ${sharedAttributes} type="email" value="${value}"${autocompleteAttribute(autocomplete)}>\n`;
    case "line":
    case "choice":
      return html`<input ${sharedAttributes} type="text" value="${value}"${autocompleteAttribute(autocomplete)} dir="auto">\n`;
  }
}

function choicesHtml(id: string, field: FormField, { value, attributes }: Control): SafeHtml[] {
  return field.choices.map(
    (
      choice,
      at,
    ) => html`<p class="choice"><input id="${id}-${choice.value}" name="${field.name}" type="radio" value="${choice.value}"${choice.value === value && html` checked`}${at === 0 && field.isRequired && html` required`}${attributes}>
<label for="${id}-${choice.value}">${choice.label}</label></p>
`,
  );
}

/** The honeypot field and the time the form was opened. */
function guardHtml(formId: string, { opened, problems }: FilledForm, texts: FormTexts): SafeHtml {
  const id = `${formId}-${HONEYPOT_FIELD}`;
  const isTrapped = problems.some(({ where }) => where === HONEYPOT_FIELD);
  return html`<p class="${isTrapped ? "field" : "visually-hidden"}"><label for="${id}">${texts.leaveEmpty}</label> <input id="${id}" name="${HONEYPOT_FIELD}" type="text" tabindex="-1" autocomplete="off"></p>
<input type="hidden" name="${OPENED_AT_FIELD}" value="${opened}">
`;
}

function describedBy(ids: readonly (string | false)[]): SafeHtml | null {
  const present = ids.filter((id) => id !== false);
  return present.length === 0 ? null : html` aria-describedby="${present.join(" ")}"`;
}

function autocompleteAttribute(autocomplete: string | null): SafeHtml {
  return html` autocomplete="${autocomplete ?? "off"}"`;
}
