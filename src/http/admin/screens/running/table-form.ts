import type { TableReadResult } from "../../../../content/import/tables/reading/table-reading.ts";
import {
  IGNORED_COLUMN_TARGET,
  listMappingTargetNames,
} from "../../../../content/import/tables/table-mapping.ts";
import type { ContentType, ContentTypes } from "../../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import type { Texts } from "../../texts/english.ts";
import { optionElement } from "../frame/option.ts";

/** Shows how a table was read. */
export function tableReadResultHtml({ jobs, language }: Texts, reading: TableReadResult): SafeHtml {
  const t = jobs.table;
  return html`<h2>${t.columns}</h2>
<p><b>${reading.file}</b> ${t.rows(String(reading.rows), String(reading.headings), String(reading.names))}</p>
${reading.notes.map((note) => html`<p class="hint">${note[language]}</p>\n`)}`;
}

/** Fields that correct how the rows and columns of a table are interpreted. */
export function tableMappingFields(
  texts: Texts,
  reading: TableReadResult,
  types: ContentTypes,
): SafeHtml {
  const t = texts.jobs.table;
  const type = types.get(reading.type);
  const kinds = [...types.values()].map(({ name, label }) => ({ value: name, label }));
  const sheets = reading.sheets.map((name) => ({ value: name, label: name }));
  return html`${selectField({ id: "type", label: t.rowsAre }, kinds, reading.type)}${sheets.length > 1 && selectField({ id: "sheet", label: t.sheet }, sheets, reading.sheet ?? "")}${type !== undefined && columnsHtml(texts, reading, type)}`;
}

/**
 * Reads the mapping from the form. If the type or the sheet was changed, omits the columns, so that
 * the import guesses them again.
 */
export function tableMappingFromForm(
  form: Pick<SentForm, "value">,
  reading: TableReadResult,
): { type: string; sheet: string | null; columns: Record<string, string>; keepsColumns: boolean } {
  const type = form.value("type") || reading.type;
  const sheet = form.value("sheet") || reading.sheet;
  const keepsColumns = type === reading.type && sheet === reading.sheet;
  const chosen = reading.columns.map(({ column, place }, at) => [
    column,
    form.value(`column.${at}`) || (place ?? IGNORED_COLUMN_TARGET),
  ]);
  return { type, sheet, columns: keepsColumns ? Object.fromEntries(chosen) : {}, keepsColumns };
}

function columnsHtml(texts: Texts, { columns }: TableReadResult, type: ContentType): SafeHtml {
  const t = texts.jobs.table;
  const places = [
    { value: IGNORED_COLUMN_TARGET, label: t.leaveOut },
    ...listMappingTargetNames(type).map((name) => ({
      value: name,
      label: targetLabel(texts, name, type),
    })),
  ];
  const fields = columns.map(({ column, place, example }, at) =>
    selectField(
      { id: `column.${at}`, label: column, ...(example === "" ? {} : { hint: example }) },
      places,
      place ?? IGNORED_COLUMN_TARGET,
    ),
  );
  return html`<fieldset class="field"><legend>${t.meaning}</legend>${fields}</fieldset>`;
}

function targetLabel(texts: Texts, name: string, type: ContentType): string {
  const declared = Object.hasOwn(type.fields, name) ? type.fields[name] : type.relations[name];
  if (declared !== undefined) return declared.label;
  const labels: Readonly<Record<string, string>> = texts.jobs.table.places;
  return labels[name] ?? name;
}

export function selectField(
  { id, label, hint }: { id: string; label: string; hint?: string },
  options: readonly { value: string; label: string }[],
  chosen: string,
): SafeHtml {
  const all = options.map(({ value, label: text }) => optionElement(value, text, value === chosen));
  return html`<div class="field"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint">${hint}</p>`}<select id="${id}" name="${id}">${all}</select></div>`;
}
