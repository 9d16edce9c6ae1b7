import { html } from "../../../../render/html.ts";
import type { Job } from "../../../../transfer/job.ts";
import {
  cancelJob,
  inspectJob,
  listJobs,
  openJobResult,
  requestExport,
} from "../../../../transfer/jobs.ts";
import { responseWithContentLength } from "../../../exchange.ts";
import { ADMIN_HEADERS, redirectResponse } from "../../page.ts";
import { dateAndTimeText, numberText } from "../../texts/choose.ts";
import { cardList, nextPageLink } from "../frame/cards.ts";
import { actionForm, screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";
import { JOBS_SCRIPT_PATH } from "../frame/scripts.ts";
import { importScreens, importUploadForm, repeatImportForm } from "./imports.ts";
import { importReportHtml } from "./job-report.ts";

const SCREEN_PATH = "/admin/jobs";
const JOBS_PER_PAGE = 20;
/** Interval at which browsers without scripts reload the page of a running job. */
const REFRESH_SECONDS = 3;

const list: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "transfer:run",
  async answer(visit) {
    const { texts, parts, signedIn, query } = visit;
    const t = texts.jobs;
    const cursor = query.get("cursor");
    const { items, nextCursor } = await listJobs(parts.stores.jobs, signedIn.actor, {
      limit: JOBS_PER_PAGE,
      ...(cursor === null ? {} : { cursor }),
    });
    const cards = items.map(
      (
        job,
      ) => html`<li><a href="${SCREEN_PATH}/${job.id}">${t.kinds[job.kind]}</a>${jobName(job)} <span class="tag">${t.states[job.state]}</span>
<div class="state">${[dateAndTimeText(visit, job.createdAt), progressText(visit, job)].filter((part) => part !== "").join(" · ")}</div></li>\n`,
    );
    const content = html`${importUploadForm(visit)}<h2>${t.export}</h2>
${actionForm(visit, `${SCREEN_PATH}/export`, { button: t.export, content: html`<p class="hint">${t.exportHint}</p>` })}<h2>${t.latest}</h2>
${cardList(cards, t.none)}${nextPageLink(texts, nextCursor === null ? null : `${SCREEN_PATH}?cursor=${nextCursor}`)}`;
    return screenResponse(
      { ...visit, url: SCREEN_PATH },
      { title: t.title, content, scripts: [JOBS_SCRIPT_PATH] },
    );
  },
};

const exportAll: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/export`,
  scope: "transfer:run",
  async answer({ parts, signedIn, now, requestId }) {
    const { id } = await parts.atomically(({ jobs }) =>
      requestExport(jobs, signedIn.actor, { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${id}`);
  },
};

const jobScreen: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}`,
  scope: "transfer:run",
  async answer(visit) {
    const { texts, parts, signedIn } = visit;
    const t = texts.jobs;
    const job = await inspectJob(parts.stores.jobs, signedIn.actor, visit.pathParameter("id"));
    const types = await readTypesWithScreenLabels(visit);
    const { sources } = (await parts.stores.content.site()) ?? {};
    const path = `${SCREEN_PATH}/${job.id}`;
    const isOver = job.endedAt !== null;
    const { done, total } = job.progress;
    const runningHtml =
      !isOver &&
      html`<p><progress value="${done}" max="${Math.max(total, 1)}" aria-label="${t.title}"></progress></p><p><a href="${path}">${t.refresh}</a></p>${actionForm(visit, `${path}/cancel`, { button: t.cancel, isQuiet: true })}`;
    const result =
      job.state === "done" &&
      (job.kind === "export"
        ? actionForm(visit, `${path}/result`, { button: t.download })
        : actionForm(visit, `${path}/result`, { button: t.downloadReport, isQuiet: true }));
    const content = html`<p><span class="tag">${t.states[job.state]}</span> <span data-progress="${isOver ? "" : `${path}/progress`}" role="status">${progressText(visit, job)}</span></p>
${job.error !== null && html`<p class="fault">${job.error[texts.language]}</p>\n`}${runningHtml}${job.kind === "export" && result}${importReportHtml(visit, job, types)}${job.kind === "import" && result}${repeatImportForm(visit, job, { types, sources })}`;
    return screenResponse(
      { ...visit, url: SCREEN_PATH },
      {
        title: `${t.kinds[job.kind]}${jobName(job)}`,
        ...{ content, scripts: [JOBS_SCRIPT_PATH] },
        ...(isOver ? {} : { refreshSeconds: REFRESH_SECONDS }),
      },
    );
  },
};

/** The progress of a job, for the script of the page. */
const progress: Screen = {
  method: "GET",
  path: `${SCREEN_PATH}/{id}/progress`,
  scope: "transfer:run",
  async answer(visit) {
    const { parts, signedIn } = visit;
    const job = await inspectJob(parts.stores.jobs, signedIn.actor, visit.pathParameter("id"));
    const text = progressText(visit, job);
    const response = { ...job.progress, text, isOver: job.endedAt !== null };
    const headers = { ...ADMIN_HEADERS, "Content-Type": "application/json" };
    return responseWithContentLength(200, headers, JSON.stringify(response));
  },
};

const cancel: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/cancel`,
  scope: "transfer:run",
  async answer({ parts, signedIn, now, requestId, pathParameter }) {
    await parts.atomically(({ jobs }) =>
      cancelJob(jobs, signedIn.actor, pathParameter("id"), { now, requestId }),
    );
    return redirectResponse(`${SCREEN_PATH}/${pathParameter("id")}`);
  },
};

/**
 * Downloads the result. Uses POST, so that no URL in the browser's history downloads the site's
 * content.
 */
const result: Screen = {
  method: "POST",
  path: `${SCREEN_PATH}/{id}/result`,
  scope: "transfer:run",
  async answer({ parts, signedIn, pathParameter }) {
    const stores = { jobs: parts.stores.jobs, files: parts.jobFiles };
    const file = await openJobResult(stores, signedIn.actor, pathParameter("id"));
    const headers = {
      ...ADMIN_HEADERS,
      "Content-Type": "application/zip",
      "Content-Length": String(file.bytes),
      "Content-Disposition": `attachment; filename="${file.name}"`,
    };
    return { status: 200, headers, body: file.stream() };
  },
};

export const jobScreens: readonly Screen[] = [
  list,
  exportAll,
  jobScreen,
  progress,
  cancel,
  result,
  ...importScreens,
];

/** A colon and the address or file of the job; empty if it has neither. */
function jobName({ choices }: Job): string {
  const { address, file } = choices ?? {};
  const fileName = file?.isSeveral === true ? file.name.replace(/\.zip$/, "") : file?.name;
  const name = address ?? fileName;
  return name === undefined ? "" : `: ${name}`;
}

/** The progress in words. Empty while the total is unknown, unless the job copies a live site. */
function progressText({ texts }: ScreenVisit, { progress, report, endedAt }: Job): string {
  const { done, total } = progress;
  if (total === 0) {
    const copied = endedAt === null ? report?.copied : undefined;
    if (copied === undefined) return "";
    return texts.jobs.copied(numberText(texts, copied.pages), numberText(texts, copied.files));
  }
  return texts.jobs.progress(numberText(texts, done), numberText(texts, total));
}
