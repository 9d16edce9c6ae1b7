import { html, type SafeHtml } from "../../../../render/html.ts";
import { numberText } from "../../texts/choose.ts";
import type { Texts } from "../../texts/english.ts";

interface Count {
  name: string;
  count: number;
}

const CHART_WIDTH = 640;
const CHART_HEIGHT = 140;
const BAR_GAP = 2;

/** Draws a bar chart of counts in the given order, with the maximum in the caption. */
export function barChart(texts: Texts, counts: readonly Count[], label: string): SafeHtml {
  const highest = Math.max(...counts.map(({ count }) => count), 1);
  const step = CHART_WIDTH / counts.length;
  const bars = counts.map(({ name, count }, at) => {
    const height = Math.max((count / highest) * CHART_HEIGHT, count > 0 ? 2 : 0);
    return html`<rect x="${(at * step).toFixed(1)}" y="${(CHART_HEIGHT - height).toFixed(1)}" width="${Math.max(step - BAR_GAP, 1).toFixed(1)}" height="${height.toFixed(1)}" rx="1.500"><title>${name}: ${numberText(texts, count)}</title></rect>`;
  });
  const chartLabel = `${label}: ${counts[0]?.name ?? ""} – ${counts.at(-1)?.name ?? ""}, ${texts.insight.highest(numberText(texts, highest))}`;
  return html`<figure class="chart"><svg viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${chartLabel}">${bars}</svg><figcaption class="state">${counts[0]?.name} – ${counts.at(-1)?.name} · ${texts.insight.highest(numberText(texts, highest))}</figcaption></figure>\n`;
}

export function countsTable(texts: Texts, heading: string, counts: readonly Count[]): SafeHtml {
  if (counts.length === 0) return html`<p>${texts.insight.none}</p>\n`;
  const rows = counts.map(
    ({ name, count }) =>
      html`<tr><th scope="row">${name}</th><td>${numberText(texts, count)}</td></tr>\n`,
  );
  return html`<table class="counts"><thead><tr><th scope="col">${heading}</th><th scope="col">${texts.insight.number}</th></tr></thead><tbody>\n${rows}</tbody></table>\n`;
}
