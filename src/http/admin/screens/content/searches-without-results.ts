import { parseUtcDayRange } from "../../../../access/days.ts";
import { readSiteStatistics } from "../../../../access/statistics.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { csrfTokenField, hiddenFields } from "../frame/frame.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { readTypesWithScreenLabels } from "../frame/screen-types.ts";

const SEARCHES_SHOWN_MAX = 5;

/** Searches by visitors that had no results, each with buttons that create an item of that name. */
export async function renderSearchesWithoutResults(visit: ScreenVisit): Promise<SafeHtml | null> {
  const { texts, parts, signedIn, now, token } = visit;
  const { scopes } = signedIn.actor;
  if (!scopes.includes("audit:read") || !scopes.includes("content:write")) return null;
  const options = { ...parseUtcDayRange({}, now), limit: SEARCHES_SHOWN_MAX };
  const { searches } = await readSiteStatistics(parts.stores, signedIn.actor, options);
  if (searches.topWithoutResult.length === 0) return null;
  const types = [...(await readTypesWithScreenLabels(visit)).values()];
  const buttons = types.map(
    ({ name, label }) =>
      html`<button class="quiet" name="type" value="${name}">${label}</button>\n`,
  );
  const lines = searches.topWithoutResult.map(({ text, count }) => {
    const title = text.slice(0, 1).toUpperCase() + text.slice(1);
    const hidden = html`${hiddenFields({ title })}${csrfTokenField({ token })}`;
    return html`<li><strong>${text}</strong> <span class="state">${texts.desk.times(String(count))}</span>
<form method="post" action="/admin/new" class="actions" aria-label="${texts.content.createNamed(title)}">\n${hidden}<span class="hint">${texts.content.createNamed(title)}</span>${buttons}</form></li>\n`;
  });
  return html`<h2>${texts.desk.inVain}</h2>\n<ul class="cards">\n${lines}</ul>\n`;
}
