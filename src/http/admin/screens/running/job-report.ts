import { html, type SafeHtml } from "../../../../render/html.ts";
import type { ImportReport, Job } from "../../../../transfer/job.ts";
import { numberText } from "../../texts/choose.ts";
import { nextPageLink } from "../frame/cards.ts";
import type { ScreenVisit } from "../frame/screen.ts";

const PROBLEMS_SHOWN = 100;
const ITEMS_SHOWN = 50;

/** The results of an import or its dry run, with the problems by line. */
export function reportHtml(visit: ScreenVisit, { id, report, choices }: Job): SafeHtml | null {
  if (report === null) return null;
  const { texts } = visit;
  const t = texts.jobs;
  const facts = [
    [t.created, report.created],
    [t.updated, report.updated],
    [t.unchanged, report.unchanged],
    [t.failed, report.failed],
  ] as const;
  const problems = report.problems
    .slice(0, PROBLEMS_SHOWN)
    .map(
      ({ line, field, message }) =>
        html`<li>${t.line(String(line))}${field !== "" && `, ${field}`}: ${message}</li>\n`,
    );
  return html`<h2>${choices?.isDryRun === true ? t.wouldDo : t.did}</h2>
<dl>${facts.map(([name, count]) => html`<dt>${name}</dt><dd>${numberText(texts, count)}</dd>\n`)}</dl>
${problems.length > 0 && html`<h3>${t.problems(numberText(texts, report.problemsTotal))}</h3>\n<ul>\n${problems}</ul>\n`}${itemsHtml(visit, `/admin/jobs/${id}`, report)}`;
}

/** What became of the items of a table, a page at a time. */
function itemsHtml(
  { texts, query }: ScreenVisit,
  path: string,
  { items = [] }: ImportReport,
): SafeHtml | null {
  if (items.length === 0) return null;
  const t = texts.jobs;
  const first = Math.max(0, Math.trunc(Number(query.get("from"))) || 0);
  const shown = items
    .slice(first, first + ITEMS_SHOWN)
    .map(
      ({ line, outcome, title, path: address }) =>
        html`<tr><td>${line}</td><th scope="row">${title || (address ?? "")}</th><td>${t[outcome]}</td></tr>\n`,
    );
  const next = first + ITEMS_SHOWN;
  const link = nextPageLink(texts, next < items.length ? `${path}?from=${next}#items` : null);
  return html`<h3 id="items">${t.table.items}</h3>
<table class="counts"><thead><tr><th>${t.table.row}</th><th>${t.table.item}</th><th>${t.table.outcome}</th></tr></thead><tbody>
${shown}</tbody></table>
${link}`;
}
