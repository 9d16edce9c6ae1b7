import type { FileProblem, ItemOutcome } from "../../../../content/import/import-items.ts";
import type { ContentType, ContentTypes } from "../../../../content/types/content-type.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import type { ImportReport, Job } from "../../../../transfer/job.ts";
import { numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { itemPartLabel } from "../editor/difference-html.ts";
import { nextPageLink } from "../frame/cards.ts";
import type { ScreenVisit } from "../frame/screen.ts";

const PROBLEMS_SHOWN_MAX = 100;
const ITEMS_PER_PAGE = 50;

/** The results of an import or its dry run, with the problems found. */
export function importReportHtml(
  visit: ScreenVisit,
  { id, report, choices }: Job,
  types: ContentTypes,
): SafeHtml | null {
  if (report === null) return null;
  const { texts } = visit;
  const t = texts.jobs;
  const { redirects, files = 0, notes = [], leftOut = [] } = report;
  const facts: readonly (readonly [string, number])[] = [
    [t.created, report.created],
    [t.updated, report.updated],
    [t.unchanged, report.unchanged],
    ...(report.conflicts > 0 ? [[t.conflicts, report.conflicts] as const] : []),
    [t.failed, report.failed],
    ...(files > 0 ? [[t.files, files] as const] : []),
    ...(redirects !== undefined && redirects.created > 0
      ? [[t.redirects, redirects.created] as const]
      : []),
  ];
  const problems = report.problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map(
      (problem) =>
        html`<li>${problemPosition(visit, problem, report)}: ${problem.message[texts.language]}</li>\n`,
    );
  const leftOutLines = leftOut.map(
    ({ what, count, reason }) =>
      html`<li>${numberText(texts, count)} ${what[texts.language]}: ${reason[texts.language]}</li>\n`,
  );
  return html`<h2>${choices?.isDryRun === true ? t.wouldDo : t.did}</h2>
<dl>${facts.map(([name, count]) => html`<dt>${name}</dt><dd>${numberText(texts, count)}</dd>\n`)}</dl>
${draftsHtml(texts, report.drafts ?? 0, choices?.isDryRun === true)}${notes.map((note) => html`<p class="hint">${note[texts.language]}</p>\n`)}${problems.length > 0 && html`<h3>${t.problems(numberText(texts, report.problemsTotal))}</h3>\n<ul>\n${problems}</ul>\n${shownOf(texts, problems.length, report.problemsTotal)}`}${leftOutLines.length > 0 && html`<h3>${t.leftOut}</h3>\n<ul>\n${leftOutLines}</ul>\n`}${itemsHtml(visit, `/admin/jobs/${id}`, report, types)}`;
}

/** Says how many entries of a list are shown; null: all are shown. */
function shownOf(texts: Texts, shown: number, total: number): SafeHtml | null {
  if (shown >= total) return null;
  return html`<p class="hint">${texts.jobs.shownOf(numberText(texts, shown), numberText(texts, total))}</p>\n`;
}

/** The position of a problem. Names the file only if an import of this kind can consist of several files. */
function problemPosition(
  { texts }: ScreenVisit,
  { file, line, field }: FileProblem,
  { table }: ImportReport,
): string {
  const parts = [table === undefined ? file : "", texts.jobs.line(String(line)), field];
  return parts.filter((part) => part !== "").join(", ");
}

/** Lists the items of an import with their outcomes, one page at a time. */
function itemsHtml(
  { texts, query }: ScreenVisit,
  path: string,
  report: ImportReport,
  types: ContentTypes,
): SafeHtml | null {
  const { items = [], table } = report;
  if (items.length === 0) return null;
  const { created, updated, unchanged, conflicts, failed } = report;
  const total = created + updated + unchanged + conflicts + failed;
  const t = texts.jobs;
  const first = Math.max(0, Math.trunc(Number(query.get("from"))) || 0);
  const isOneFile = table !== undefined || items.every(({ file }) => file === "");
  const shown = items
    .slice(first, first + ITEMS_PER_PAGE)
    .map(
      ({ file, line, outcome, title, path: address, type = "", ...parts }) =>
        html`<tr>${isOneFile && html`<td>${line}</td>`}<th scope="row">${title || (address ?? "")}${!isOneFile && html`<div class="state">${file}:${line}</div>`}</th><td>${t[outcome]}${partsHtml(texts, types.get(type), parts)}</td></tr>\n`,
    );
  const next = first + ITEMS_PER_PAGE;
  const link = nextPageLink(texts, next < items.length ? `${path}?from=${next}#items` : null);
  return html`<h3 id="items">${t.items}</h3>
${shownOf(texts, items.length, total)}<table class="counts"><thead><tr>${isOneFile && html`<th>${t.row}</th>`}<th>${t.item}</th><th>${t.outcome}</th></tr></thead><tbody>
${shown}</tbody></table>
${link}`;
}

/**
 * Lists the parts of an item, such as its title, that the import changed. Also lists the parts that the
 * import left unchanged because editors had changed them on the site.
 */
function partsHtml(
  texts: Texts,
  type: ContentType | undefined,
  { changed = [], kept = [] }: Pick<ItemOutcome, "changed" | "kept">,
): SafeHtml[] {
  const labels = (parts: readonly string[]) =>
    parts.map((part) => itemPartLabel(part, type, texts)).join(", ");
  const lines = [
    ...(changed.length > 0 ? [texts.jobs.changed(labels(changed))] : []),
    ...(kept.length > 0 ? [texts.jobs.kept(labels(kept))] : []),
  ];
  return lines.map((line) => html`<div class="state">${line}</div>`);
}

/**
 * Says how many new items are not yet visible to visitors, and where to publish them. Null: all are
 * visible.
 */
function draftsHtml({ jobs: t }: Texts, drafts: number, isDryRun: boolean): SafeHtml | null {
  if (drafts === 0) return null;
  const count = String(drafts);
  if (isDryRun) return html`<p>${t.wouldBeDrafts(count)}</p>\n`;
  return html`<p>${t.drafts(count)} <a href="/admin/content?status=draft">${t.toDrafts}</a></p>\n`;
}
