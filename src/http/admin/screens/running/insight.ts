import { parseUtcDayRange } from "../../../../access/days.ts";
import { readSiteStatistics } from "../../../../access/statistics.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { formatDay, numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";
import { screenResponse } from "../frame/frame.ts";
import type { Screen, ScreenVisit } from "../frame/screen.ts";
import { countsTable } from "./charts.ts";
import { dayChart } from "./day-chart.ts";

const SCREEN_PATH = "/admin/insight";
const ENTRIES_SHOWN_MAX = 20;

/** Shows searches and key use, but nothing about individual visitors. */
export const insightScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "audit:read",
  async answer(visit) {
    const { texts, parts, signedIn, now } = visit;
    const t = texts.insight;
    const period = parseUtcDayRange({}, now);
    const { searches, use, views } = await readSiteStatistics(parts.stores, signedIn.actor, {
      ...period,
      limit: ENTRIES_SHOWN_MAX,
    });
    const searchesByDay = searches.byDay.map(({ day, searches: count }) => ({ day, count }));
    const viewsByDay = views.byDay.filter(({ kind }) => kind === "page");
    const markdownViews = views.byDay.filter(({ kind }) => kind === "markdown");
    const markdownTotal = markdownViews.reduce((sum, { count }) => sum + count, 0);
    const content = html`<p class="state">${t.period(formatDay(texts, period.since), formatDay(texts, period.until))}</p>
<h2>${t.views}: ${numberText(texts, views.total)}</h2>
${dayChart(visit, period, { counts: viewsByDay, label: t.views })}<h3>${t.topPages}</h3>
${
  markdownTotal > 0 &&
  html`<p class="hint">${t.topPagesHint(numberText(texts, markdownTotal))}</p>
`
}${countsTable(texts, t.page, pathCounts(views.top))}<h3>${t.missing}</h3>
<p class="hint">${t.missingHint}</p>
${missingPages(visit, views.missing)}<h2>${t.searches}: ${numberText(texts, searches.total)}</h2>
${dayChart(visit, period, { counts: searchesByDay, label: t.searches })}<h3>${t.withoutResult}: ${numberText(texts, searches.withoutResult)}</h3>
${missedSearches(visit, searches.topWithoutResult)}<h3>${t.topSearches}</h3>
${countsTable(texts, t.searched, searchCounts(searches.top))}<h2>${t.use}: ${numberText(texts, use.total)}</h2>
${dayChart(visit, period, { counts: use.byDay, label: t.use })}<h3>${t.byKey}</h3>
${countsTable(
  texts,
  t.key,
  use.byKey.map(({ name, count }) => ({ name, count })),
)}<h3>${t.byTool}</h3>
${countsTable(
  texts,
  t.tool,
  use.byTool.map(({ tool, count }) => ({ name: toolLabel(texts, tool), count })),
)}`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: t.title, content });
  },
};

/** The name of a tool, or of an API route, in words. */
function toolLabel({ insight }: Texts, tool: string): string {
  const known: Readonly<Record<string, string>> = insight.tools;
  return known[tool] ?? tool.replace(/^api /, `${insight.api}: `);
}

function pathCounts(counts: readonly { path: string; count: number }[]) {
  return counts.map(({ path, count }) => ({ name: path, count }));
}

function searchCounts(counts: readonly { text: string; count: number }[]) {
  return counts.map(({ text, count }) => ({ name: text, count }));
}

/** Addresses answered with 404, each with a link to add a redirect. */
function missingPages(
  { texts, signedIn }: ScreenVisit,
  counts: readonly { path: string; count: number }[],
): SafeHtml {
  if (counts.length === 0) return html`<p>${texts.insight.none}</p>\n`;
  const mayRedirect = signedIn.actor.scopes.includes("content:publish");
  const lines = counts.map(({ path, count }) => {
    const to = `/admin/redirects?${String(new URLSearchParams({ from: path }))}`;
    const redirectLink = mayRedirect && html` <a href="${to}">${texts.insight.lead}</a>`;
    return html`<li>${path} <span class="state">${numberText(texts, count)}</span>${redirectLink}</li>\n`;
  });
  return html`<ul class="cards">\n${lines}</ul>\n`;
}

/**
 * Searches without results. Each links to the screen that offers to create an item with the searched name.
 */
function missedSearches(
  { texts }: ScreenVisit,
  counts: readonly { text: string; count: number }[],
): SafeHtml {
  if (counts.length === 0) return html`<p>${texts.insight.none}</p>\n`;
  const lines = counts.map(
    ({ text, count }) =>
      html`<li><a href="/admin/find?${String(new URLSearchParams({ q: text }))}">${text}</a> <span class="state">${numberText(texts, count)}</span></li>\n`,
  );
  return html`<ul class="cards">\n${lines}</ul>\n`;
}
