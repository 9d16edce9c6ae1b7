import type { HealthFinding, HealthLocale } from "../../../../health/finding.ts";
import { readHealth } from "../../../../health/health.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { bytesText, dateAndTimeText, numberText } from "../../texts/choose.ts";
import { screenResponse } from "../frame/frame.ts";
import type { Screen } from "../frame/screen.ts";

const SCREEN_PATH = "/admin/health";

/** Shows the results of the health checks, with advice on problems. */
export const healthScreen: Screen = {
  method: "GET",
  path: SCREEN_PATH,
  scope: "metrics:read",
  async answer(visit) {
    const { texts, parts, signedIn, now } = visit;
    const findings = await readHealth(parts.measureHealth, signedIn.actor, now);
    const words: HealthLocale = {
      language: texts.language,
      texts: texts.health,
      number: (value) => numberText(texts, value),
      bytes: (value) => bytesText(texts, value),
      moment: (iso) => dateAndTimeText(visit, iso),
    };
    const content = html`<p class="hint">${texts.health.intro}</p>
<ul class="cards">
${findings.map((finding) => findingHtml(finding, words))}</ul>
`;
    return screenResponse({ ...visit, url: SCREEN_PATH }, { title: texts.health.title, content });
  },
};

function findingHtml(
  { check, state, meaning, advice }: HealthFinding,
  words: HealthLocale,
): SafeHtml {
  const { checks, states, advice: adviceLabel } = words.texts;
  return html`<li><strong>${checks[check]}</strong> <span class="tag ${state}">${states[state]}</span>
<div>${meaning(words)}</div>${advice !== null && html`<p class="state">${adviceLabel} ${advice(words)}</p>`}</li>
`;
}
