import { iterateDaysLatestFirst, type UtcDayRange } from "../../../../access/days.ts";
import { html, type SafeHtml } from "../../../../render/html.ts";
import { formatDay } from "../../texts/choose.ts";
import type { ScreenVisit } from "../frame/screen.ts";
import { barChart, countsTable } from "./charts.ts";

interface DayCount {
  day: string;
  count: number;
}

/** A chart of the daily counts in a period, with the same counts in a table. */
export function dayChart(
  { texts }: Pick<ScreenVisit, "texts">,
  period: UtcDayRange,
  { counts, label }: { counts: readonly DayCount[]; label: string },
): SafeHtml {
  if (counts.every(({ count }) => count === 0)) return html`<p>${texts.insight.none}</p>\n`;
  const bars = everyDay(period, counts).map(({ day, count }) => ({
    name: formatDay(texts, day),
    count,
  }));
  return html`${barChart(texts, bars, label)}<details><summary>${texts.insight.asTable}</summary>
${countsTable(texts, texts.insight.day, bars)}</details>\n`;
}

/**
 * Sums the counts of each day. Returns all days of the period in order, including those without
 * counts.
 */
function everyDay(period: UtcDayRange, counts: readonly DayCount[]): DayCount[] {
  const days = new Map([...iterateDaysLatestFirst(period)].reverse().map((day) => [day, 0]));
  for (const { day, count } of counts) days.set(day, (days.get(day) ?? 0) + count);
  return [...days].map(([day, count]) => ({ day, count }));
}
