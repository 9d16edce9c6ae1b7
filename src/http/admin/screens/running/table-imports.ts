import type { TableReading } from "../../../../content/import/tables/reading/table-reading.ts";
import { LEFT_OUT, placeNames } from "../../../../content/import/tables/table-mapping.ts";
import type { ContentType, ContentTypes } from "../../../../content/types/content-type.ts";
import { AppError } from "../../../../errors.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { Job } from "../../../../transfer/job.ts";
import { inspectJob, repeatImport, requestImport } from "../../../../transfer/jobs.ts";
import { redirectAnswer } from "../../page.ts";
import type { Texts } from "../../texts/english.ts";
import { tokenField } from "../frame/frame.ts";
import { option } from "../frame/option.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { filesOf } from "../media/uploads.ts";

const PATH = "/admin/jobs";
const FILE_NAME_CHARACTERS_MAX = 200;

/** Takes a table and begins its dry run. */
const upload: Screen = {
  method: "POST",
  path: `${PATH}/table`,
  scope: "transfer:run",
  takesFiles: true,
  async answer({ parts, found, now, requestId }, form) {
    const [file] = filesOf(form);
    const name = file.name.slice(-FILE_NAME_CHARACTERS_MAX);
    const job = await requestImport(
      { jobs: parts.stores.jobs, files: parts.jobFiles },
      found.actor,
      {
        bytes: file.stream(),
        choices: {
          ...{ status: null, isLenient: false, isDryRun: true },
          table: { file: name, type: null, sheet: null, columns: {} },
        },
        now,
        requestId,
      },
    );
    return redirectAnswer(`${PATH}/${job.id}`);
  },
};

/** Tries a table again with another mapping, or imports it. */
const repeat: Screen = {
  method: "POST",
  path: `${PATH}/{id}/repeat`,
  scope: "transfer:run",
  async answer({ parts, found, now, requestId, part }, form) {
    const before = await inspectJob(parts.stores.jobs, found.actor, part("id"));
    const reading = before.report?.table;
    if (reading === undefined) {
      throw new AppError("conflict", "Cannot repeat this job: its columns are not known");
    }
    const type = form.value("type") || reading.type;
    const sheet = form.value("sheet") || reading.sheet;
    const isSame = type === reading.type && sheet === reading.sheet;
    const stated = reading.columns.map(({ column, place }, at) => [
      column,
      form.value(`column.${at}`) || (place ?? LEFT_OUT),
    ]);
    const job = await parts.atomically(({ jobs }) =>
      repeatImport(jobs, found.actor, before.id, {
        status: form.value("status") === "published" ? "published" : null,
        // Columns mean something else in another type or sheet, so that they are guessed anew.
        isDryRun: form.value("run") !== "true" || !isSame,
        table: { type, sheet, columns: isSame ? Object.fromEntries(stated) : {} },
        now,
        requestId,
      }),
    );
    return redirectAnswer(`${PATH}/${job.id}`);
  },
};

export const tableImportScreens: readonly Screen[] = [upload, repeat];

/** The form that takes a table. */
export function tableUpload(visit: ScreenVisit): SafeHtml {
  const t = visit.texts.jobs.table;
  return html`<h2>${t.title}</h2>
<form method="post" action="${PATH}/table" enctype="multipart/form-data" class="action">
${tokenField(visit)}<div class="field"><label for="table">${t.file}</label><p class="hint">${t.hint}</p><input id="table" type="file" name="file" required accept=".csv,.tsv,.tab,.txt,.xlsx,.xlsm"></div><button>${t.check}</button>
</form>
`;
}

/** How a table was read, to be corrected unless it was imported; null for other jobs. */
export function tableHtml(visit: ScreenVisit, job: Job, types: ContentTypes): SafeHtml | null {
  const reading = job.report?.table;
  if (reading === undefined || job.endedAt === null) return null;
  const { texts } = visit;
  const t = texts.jobs.table;
  const isImported = job.state === "done" && job.choices?.isDryRun === false;
  const facts = html`<h2>${t.columns}</h2>
<p><b>${reading.file}</b> ${t.rows(String(reading.rows), String(reading.headings), String(reading.names))} ${reading.isKnown ? t.isKnown : t.isGuessed}</p>
${reading.notes.map((note) => html`<p class="hint">${note}</p>\n`)}`;
  if (isImported) return facts;
  const type = types.get(reading.type);
  const kinds = [...types.values()].map(({ name, label }) => ({ value: name, label }));
  const sheets = reading.sheets.map((name) => ({ value: name, label: name }));
  return html`${facts}<form method="post" action="${PATH}/${job.id}/repeat" class="action">
${tokenField(visit)}${select({ id: "type", label: t.rowsAre }, kinds, reading.type)}${sheets.length > 1 && select({ id: "sheet", label: t.sheet }, sheets, reading.sheet ?? "")}${type !== undefined && columnsHtml(texts, reading, type)}${select(
  { id: "status", label: t.status },
  [
    { value: "", label: t.asStated },
    { value: "published", label: t.publish },
  ],
  job.choices?.status ?? "",
)}<p><button class="quiet" name="run" value="false">${t.checkAgain}</button> <button name="run" value="true">${t.run}</button></p>
</form>
`;
}

function columnsHtml(texts: Texts, { columns }: TableReading, type: ContentType): SafeHtml {
  const t = texts.jobs.table;
  const places = [
    { value: LEFT_OUT, label: t.leaveOut },
    ...placeNames(type).map((name) => ({ value: name, label: placeLabel(texts, name, type) })),
  ];
  const fields = columns.map(({ column, place, example }, at) =>
    select(
      { id: `column.${at}`, label: column, ...(example === "" ? {} : { hint: example }) },
      places,
      place ?? LEFT_OUT,
    ),
  );
  return html`<fieldset class="field"><legend>${t.meaning}</legend>${fields}</fieldset>`;
}

function placeLabel(texts: Texts, name: string, type: ContentType): string {
  const own = Object.hasOwn(type.fields, name) ? type.fields[name] : type.relations[name];
  if (own !== undefined) return own.label;
  const labels: Readonly<Record<string, string>> = texts.jobs.table.places;
  return labels[name] ?? name;
}

function select(
  { id, label, hint }: { id: string; label: string; hint?: string },
  options: readonly { value: string; label: string }[],
  chosen: string,
): SafeHtml {
  const all = options.map(({ value, label: text }) => option(value, text, value === chosen));
  return html`<div class="field"><label for="${id}">${label}</label>${hint !== undefined && html`<p class="hint">${hint}</p>`}<select id="${id}" name="${id}">${all}</select></div>`;
}
