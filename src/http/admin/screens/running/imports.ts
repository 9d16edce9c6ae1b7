import { resolveGeneratorChoice } from "../../../../content/import/conventions/site-generators.ts";
import { sourceNameOfFile } from "../../../../content/import/tables/reading/open-table-import.ts";
import {
  GENERATOR_CHOICES_OR_DETECT,
  type GeneratorChoiceOrDetect,
} from "../../../../content/site/import-choices/generator-choices.ts";
import type { SiteProfile } from "../../../../content/site/site.ts";
import type { ContentTypes } from "../../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import {
  repeatImport,
  requestImport,
  requestSiteImport,
} from "../../../../transfer/import-requests.ts";
import type { FileReadChoices, ImportChoices, Job } from "../../../../transfer/job.ts";
import { inspectJob } from "../../../../transfer/jobs.ts";
import { noFileError, requireUploadedFiles } from "../../../api/arriving-form.ts";
import { JSON_LINES_FILE_PATTERN } from "../../../api/file-kinds.ts";
import type { SentForm } from "../../../site/sent-form.ts";
import { redirectResponse } from "../../page.ts";
import type { Texts } from "../../texts/english.ts";
import { csrfTokenField } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { OLD_ADDRESSES_PATH } from "./old-addresses.ts";
import {
  selectField,
  tableMappingFields,
  tableMappingFromForm,
  tableReadResultHtml,
} from "./table-form.ts";

const SCREEN_PATH = "/admin/jobs";
const FILE_NAME_CHARACTERS_MAX = 200;
const PAIRS_CHARACTERS_MAX = 2000;
const ADDRESS_CHARACTERS_MAX = 2000;
const ACCEPTED_FILES =
  ".zip,.xml,.docx,.csv,.tsv,.tab,.txt,.xlsx,.xlsm,.bib,.bibtex,.ris,.json,.md,.html,.htm,.htaccess,.jsonl,.ndjson";

/** Receives one file, or several files as one folder, and starts a dry run. */
const upload: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/import`,
  scope: "transfer:run",
  takesFiles: "streamed",
  async answer({ parts, signedIn, now, requestId }, form) {
    if (form.arrivingFiles === undefined) throw noFileError();
    const { first, others } = await requireUploadedFiles(form.arrivingFiles);
    const name = first.name.slice(-FILE_NAME_CHARACTERS_MAX);
    const job = await requestImport(
      { jobs: parts.stores.jobs, files: parts.jobFiles },
      signedIn.actor,
      {
        file: { name, bytes: first.stream },
        others,
        bytesAtLeast: first.bytesAtLeast,
        choices: {
          ...{ status: null, isLenient: false, isDryRun: true },
          ...(JSON_LINES_FILE_PATTERN.test(name) ? {} : { file: { name, ...NO_CHOICES } }),
        },
        now,
        requestId,
      },
    );
    return redirectResponse(`${SCREEN_PATH}/${job.id}`);
  },
};

const NO_CHOICES = { type: null, sheet: null, columns: {} };

/** Copies a live site, and starts a dry run. */
const copySite: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/site`,
  scope: "transfer:run",
  async answer({ parts, signedIn, now, requestId }, form) {
    const address = form.value("address").slice(0, ADDRESS_CHARACTERS_MAX);
    const isWordPress = form.value("wordpress") === "true";
    const { id } = await parts.atomically(({ jobs }) =>
      requestSiteImport(jobs, signedIn.actor, address, { isWordPress, now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

/** Repeats a dry run with other choices, or imports the file. */
const repeat: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/repeat`,
  scope: "transfer:run",
  async answer({ parts, signedIn, now, requestId, pathParameter }, form) {
    const previousJob = await inspectJob(parts.stores.jobs, signedIn.actor, pathParameter("id"));
    const reading = previousJob.report?.table;
    const { keepsColumns, ...mapping } =
      reading === undefined
        ? { ...NO_CHOICES, ...enteredReading(form), keepsColumns: true }
        : tableMappingFromForm(form, reading);
    const changes = {
      status: form.value("status") === "published" ? ("published" as const) : null,
      ...preferredSide(form.value("prefer")),
      isLenient: form.value("lenient") === "true",
      isDryRun: form.value("run") !== "true" || !keepsColumns,
      ...mapping,
    };
    const job = await parts.atomically(({ jobs }) =>
      repeatImport(jobs, signedIn.actor, previousJob.id, { changes, now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${job.id}`);
  },
};

function enteredReading(form: Pick<SentForm, "value">): Pick<FileReadChoices, "as" | "generator"> {
  const chosen = form.value("generator");
  const generator = GENERATOR_CHOICES_OR_DETECT.find((choice) => choice === chosen);
  const as = enteredPairs(form.value("as"));
  return { as, ...(generator === undefined ? {} : { generator }) };
}

/** Splits a list of pairs such as `post=page`. Spaces or commas separate the pairs. */
function enteredPairs(text: string): string[] {
  return text.split(/[\s,]+/).filter((pair) => pair !== "");
}

function preferredSide(value: string): Pick<ImportChoices, "prefer"> {
  return value === "file" || value === "site" ? { prefer: value } : {};
}

export const importScreens: readonly Screen[] = [upload, copySite, repeat];

export function importUploadForm(visit: ScreenVisit): SafeHtml {
  const t = visit.texts.jobs;
  return html`<h2>${t.import}</h2>
<form method="post" action="${SCREEN_PATH}/import" enctype="multipart/form-data" class="action">
${csrfTokenField(visit)}<div class="field"><label for="file">${t.file}</label><p class="hint">${t.fileHint}</p><input id="file" type="file" name="file" multiple required accept="${ACCEPTED_FILES}"></div><button>${t.check}</button>
</form>
<h2>${t.liveSite}</h2>
<form method="post" action="${SCREEN_PATH}/site" class="action">
${csrfTokenField(visit)}<div class="field"><label for="address">${t.address}</label><p class="hint">${t.addressHint}</p><input id="address" name="address" required inputmode="url" autocomplete="url" autocapitalize="none" spellcheck="false" maxlength="${ADDRESS_CHARACTERS_MAX}"></div><label class="choice"><input type="checkbox" name="wordpress" value="true"> ${t.isWordPress}</label><button>${t.checkSite}</button>
</form>
`;
}

/**
 * Shows how the file of an import was read, and a form that repeats the import with other choices.
 * After an import without conflicts, shows links instead of the form. Null: the job is not a
 * completed import or dry run.
 */
export function repeatImportForm(
  visit: ScreenVisit,
  job: Job,
  { types, sources }: { types: ContentTypes; sources: SiteProfile["sources"] },
): SafeHtml | null {
  const { choices, report } = job;
  if (choices === null || report === null || job.endedAt === null) return null;
  const { texts } = visit;
  const t = texts.jobs;
  const { table } = report;
  if (job.state === "done" && !choices.isDryRun && report.conflicts === 0) {
    return html`${table !== undefined && tableReadResultHtml(texts, table)}<p><a class="button quiet" href="/admin/content">${t.toContent}</a> <a class="button quiet" href="${OLD_ADDRESSES_PATH}">${texts.oldAddresses.title}</a></p>\n`;
  }
  const facts =
    table !== undefined &&
    html`${tableReadResultHtml(texts, table)}<p>${table.isKnown ? t.table.isKnown : t.table.isGuessed}</p>\n`;
  const { created, updated, files = 0, redirects } = report;
  const changesSomething = created + updated + files + (redirects?.created ?? 0) > 0;
  // An import that changes no item is still offered if it can resolve conflicts.
  const canImport = changesSomething || report.conflicts > 0 || choices.prefer !== undefined;
  return html`${facts}<form method="post" action="${SCREEN_PATH}/${job.id}/repeat" class="action">
${csrfTokenField(visit)}${table === undefined ? readingFields(texts, choices, sources) : tableMappingFields(texts, table, types)}${selectField(
  { id: "status", label: t.status },
  [
    { value: "", label: t.asStated },
    { value: "published", label: t.publish },
  ],
  choices.status ?? "",
)}${(report.conflicts > 0 || choices.prefer !== undefined) && preferField(texts, choices.prefer)}<p><button class="quiet" name="run" value="false">${t.checkAgain}</button>${canImport && html` <button name="run" value="true">${t.run}</button>`}</p>
</form>
`;
}

/** Fields that correct how a file other than a table is read. */
function readingFields(
  texts: Texts,
  { isLenient, file }: ImportChoices,
  sources: SiteProfile["sources"] = {},
): SafeHtml {
  const t = texts.jobs;
  const saved = file === undefined ? undefined : sources[sourceNameOfFile(file.name)];
  const { as = [], generator = "detect" } = { ...saved, ...file };
  return html`<label class="choice"><input type="checkbox" name="lenient" value="true"${isLenient && html` checked`}> ${t.lenient}</label>${file !== undefined && pairsField(texts, as)}${file !== undefined && isFolder(file) && generatorField(texts, generator)}`;
}

/** Whether the input is a folder, which is uploaded as a ZIP file. */
function isFolder({ name }: FileReadChoices): boolean {
  return name.toLowerCase().endsWith(".zip");
}

/** A field that corrects which site generator a folder was written for. */
function generatorField({ jobs: t }: Texts, generator: GeneratorChoiceOrDetect): SafeHtml {
  const choices = GENERATOR_CHOICES_OR_DETECT.map((value) => ({
    value,
    label:
      value === "detect"
        ? t.generatorFound
        : (resolveGeneratorChoice(value)?.name ?? t.generatorNone),
  }));
  return selectField(
    { id: "generator", label: t.generator, hint: t.generatorHint },
    choices,
    generator,
  );
}

/**
 * A field for pairs such as `post=page`. Each pair chooses the content type that a type of the imported
 * site becomes.
 */
function pairsField({ jobs: t }: Texts, as: readonly string[]): SafeHtml {
  return html`<div class="field"><label for="as">${t.as}</label><p class="hint">${t.asHint}</p><input id="as" name="as" value="${as.join(" ")}" maxlength="${PAIRS_CHARACTERS_MAX}" autocapitalize="none" spellcheck="false"></div>`;
}

/** A field that chooses which side wins if an item was changed both on the site and in the file. */
function preferField({ jobs: t }: Texts, prefer: ImportChoices["prefer"] = undefined): SafeHtml {
  const sides = [
    { value: "", label: t.preferNeither },
    { value: "file", label: t.preferFile },
    { value: "site", label: t.preferSite },
  ];
  return selectField({ id: "prefer", label: t.prefer, hint: t.preferHint }, sides, prefer ?? "");
}
