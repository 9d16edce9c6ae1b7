import type { ItemSummary } from "../library.ts";
import { type EventTime, eventTimes, textFieldValue } from "../lists/event-times.ts";
import type { Edition } from "../site/editions.ts";
import { isEventType } from "../types/date-fields.ts";

/**
 * When and where an event takes place. Empty for items without a day, and for items that are not
 * events.
 */
export function eventTimeAndPlace(
  { type: name, fields }: Pick<ItemSummary, "type" | "fields">,
  { types, texts, site }: Pick<Edition, "types" | "texts" | "site">,
): string[] {
  const type = types.get(name);
  if (!isEventType(type)) return [];
  const times = eventTimes(fields, type.dated, site.timeZone);
  if (times === null) return [];
  const place = textFieldValue(fields, type.dated.place);
  const endDate = times.end === null ? null : dateOf(times.end);
  const period = texts.period(dateOf(times.start), endDate, {
    timeZone: "day" in times.start ? "UTC" : site.timeZone,
    isWholeDay: "day" in times.start,
  });
  return [period, ...(place === null ? [] : [place])];
}

function dateOf(time: EventTime): Date {
  if ("day" in time) return new Date(`${time.day}T00:00:00Z`);
  return new Date(time.moment.epochMilliseconds);
}
