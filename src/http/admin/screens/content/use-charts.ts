import { parseUtcDayRange } from "../../../../access/days.ts";
import { readDailyViewsAndCalls } from "../../../../access/statistics.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { dayChart } from "../running/day-chart.ts";

/** Charts of recent use by visitors and agents; null if the person is not allowed to see them. */
export async function renderUsageCharts(visit: ScreenVisit): Promise<SafeHtml | null> {
  const { texts, parts, signedIn, now } = visit;
  if (!signedIn.actor.scopes.includes("audit:read")) return null;
  const t = texts.insight;
  const period = parseUtcDayRange({}, now);
  const { views, calls } = await readDailyViewsAndCalls(parts.stores, signedIn.actor, period);
  const chart = (label: string, counts: typeof views) => {
    const total = counts.reduce((sum, { count }) => sum + count, 0);
    return html`<div><h3>${label}: ${numberText(texts, total)}</h3>
${dayChart(visit, period, { counts, label })}</div>
`;
  };
  return html`<h2>${texts.desk.use}</h2>
<div class="sides">
${chart(t.views, views)}${chart(t.use, calls)}</div>
<p><a href="/admin/insight">${t.title}</a></p>
`;
}
