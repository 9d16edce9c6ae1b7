import type { Parts } from "../../../content/drafts/draft.ts";
import type { ContentType, Field } from "../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../render/html.ts";
import type { SentForm } from "../../site/sent-form.ts";
import type { Texts } from "../texts/english.ts";
import { option } from "./content-list.ts";

/** A link as the form shows it. */
export interface ShownLink {
  /** The id of the item, or what was typed where nothing has that name. */
  to: string;
  note: string | null;
  title: string | null;
  path: string | null;
}

export interface FormContent {
  type: ContentType;
  parts: Parts;
  links: Readonly<Record<string, readonly ShownLink[]>>;
  texts: Texts;
}

/** The fields of an item, made from the declaration of its type. */
export function draftFields({ type, parts, links, texts }: FormContent): SafeHtml {
  const t = texts.draft;
  const text = (part: string) => textOf(parts[part]);
  return html`${field("title", t.title, html`<input id="title" name="title" value="${text("title")}" maxlength="300">`)}
${field("body", t.body, html`<textarea id="body" name="body">\n${text("body")}</textarea>`, t.bodyHint)}
${Object.entries(type.relations).map(([name, { label }]) => linkField(name, label, { links: links[name] ?? [], texts }))}${Object.entries(
  type.fields,
).map(([name, declared]) =>
  valueField(name, declared, { value: parts[`fields.${name}`], texts }),
)}${field("summary", t.summary, html`<textarea id="summary" name="summary" rows="3">\n${text("summary")}</textarea>`, t.summaryHint)}
<details><summary>${t.more}</summary>
${field("path", t.path, html`<input id="path" name="path" value="${text("path")}">`, t.pathHint)}
${field("language", t.language, html`<input id="language" name="language" value="${text("language")}">`, t.languageHint)}
</details>
`;
}

/** Changes as the form states them; links that were added are names still to be looked up. */
export function statedIn(
  form: SentForm,
  type: ContentType,
  { parts, hasItem }: { parts: Parts; hasItem: boolean },
): { changes: Record<string, unknown>; added: Record<string, string[]> } {
  const path = form.value("path");
  const fields = Object.entries(type.fields).map(([name, declared]) => [
    name,
    valueIn(form.value(`f.${name}`), declared),
  ]);
  const relations = Object.keys(type.relations).map((name) => {
    const kept = new Set(form.values(`r.${name}`));
    const links = parts[`relations.${name}`];
    return [name, (Array.isArray(links) ? links : []).filter(({ to }) => kept.has(String(to)))];
  });
  const added = Object.keys(type.relations).map((name) => [name, linesIn(form.value(`a.${name}`))]);
  return {
    changes: {
      title: form.value("title"),
      summary: form.value("summary"),
      body: form.value("body"),
      // An item always has an address; a draft may leave it to the title.
      ...(path === "" && hasItem ? {} : { path: path === "" ? null : path }),
      language: form.value("language") === "" ? null : form.value("language"),
      fields: Object.fromEntries(fields),
      relations: Object.fromEntries(relations),
    },
    added: Object.fromEntries(added),
  };
}

/** Values that are not valid yet are kept as typed. */
function valueIn(text: string, { kind }: Field): unknown {
  if (kind === "text_list") {
    const lines = linesIn(text);
    return lines.length === 0 ? null : lines;
  }
  if (text.trim() === "") return null;
  if (kind === "integer" || kind === "number") {
    const value = Number(text);
    return Number.isFinite(value) ? value : text;
  }
  return kind === "boolean" ? text === "true" : text;
}

function linesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  return value === null || value === undefined ? "" : String(value);
}

function field(id: string, label: string, control: SafeHtml, hint?: string): SafeHtml {
  return html`<div class="field"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint">${hint}</p>`}
${control}</div>\n`;
}

function valueField(
  name: string,
  { kind, label, description, values = [] }: Field,
  { value, texts }: { value: unknown; texts: Texts },
): SafeHtml {
  const t = texts.draft;
  const id = `f-${name}`;
  const attributes = html` id="${id}" name="f.${name}"`;
  const text = textOf(value);
  if (kind === "enum" || kind === "boolean") {
    const choices =
      kind === "enum"
        ? values.map((each) => [each, each] as const)
        : ([
            ["true", t.yes],
            ["false", t.no],
          ] as const);
    const options = choices.map(([each, shown]) => option(each, shown, each === text));
    return field(
      id,
      label,
      html`<select${attributes}>${option("", t.none, text === "")}${options}</select>`,
      description,
    );
  }
  if (kind === "markdown" || kind === "text_list") {
    const hint = kind === "text_list" ? t.oneEach : description;
    return field(id, label, html`<textarea${attributes} rows="4">\n${text}</textarea>`, hint);
  }
  const hint = kind === "partial_date" ? t.partialDate : description;
  const inputType = kind === "date" ? "date" : kind === "url" ? "url" : "text";
  const mode = (kind === "integer" || kind === "number") && html` inputmode="numeric"`;
  return field(
    id,
    label,
    html`<input${attributes} type="${inputType}"${mode} value="${text}">`,
    hint,
  );
}

function linkField(
  name: string,
  label: string,
  { links, texts }: { links: readonly ShownLink[]; texts: Texts },
): SafeHtml {
  const t = texts.draft;
  const choices = links.map(
    ({ to, title, path }) =>
      html`<label class="choice"><input type="checkbox" name="r.${name}" value="${to}" checked> <span>${title ?? `${to} (${t.unknown})`}${path !== null && html` <span class="state">${path}</span>`}</span></label>\n`,
  );
  return html`<fieldset class="field"><legend>${label}</legend>
${choices}<p class="hint">${t.addHint}</p>
<textarea name="a.${name}" rows="2" aria-label="${t.add(label)}"></textarea>
</fieldset>
`;
}
