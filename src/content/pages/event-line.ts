import type { ItemSummary } from "../library.ts";
import {
  type EventTime,
  type EventTimeSpan,
  readEventTimeSpan,
  readTextField,
} from "../lists/event-times.ts";
import type { Edition } from "../site/editions.ts";
import { isEventType } from "../types/date-fields.ts";

/**
 * When and where an event takes place. Empty for items without a day, and for items that are not
 * events.
 */
export function formatEventTimeAndPlace(
  { type: name, fields }: Pick<ItemSummary, "type" | "fields">,
  { types, texts, site }: Pick<Edition, "types" | "texts" | "site">,
): string[] {
  const type = types.get(name);
  if (!isEventType(type)) return [];
  const times = readEventTimeSpan(fields, type.dated, site.timeZone);
  if (times === null) return [];
  const place = readTextField(fields, type.dated.place);
  return [periodText(times, { texts, site }), ...(place === null ? [] : [place])];
}

function periodText(
  { start, end }: EventTimeSpan,
  { texts, site }: Pick<Edition, "texts" | "site">,
): string {
  const optionsOf = (time: EventTime) => {
    const isWholeDay = "day" in time;
    return { timeZone: isWholeDay ? "UTC" : site.timeZone, isWholeDay };
  };
  const isMixed = end !== null && "day" in end && "moment" in start;
  if (!isMixed) {
    return texts.period(dateOf(start), end === null ? null : dateOf(end), optionsOf(start));
  }
  return [start, end].map((time) => texts.period(dateOf(time), null, optionsOf(time))).join(" – ");
}

function dateOf(time: EventTime): Date {
  if ("day" in time) return new Date(`${time.day}T00:00:00Z`);
  return new Date(time.moment.epochMilliseconds);
}
