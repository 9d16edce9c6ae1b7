import { Temporal } from "temporal-polyfill";
import { parseTimeOfDay } from "../items/time-of-day.ts";
import type { ItemSummary } from "../library.ts";
import { dayInZone } from "../site/time-zone.ts";
import type { ContentType, FieldValue } from "../types/content-type.ts";
import { type DateFields, isNewsType } from "../types/date-fields.ts";

/** A day, such as 2027-03-14, or a day with a time. */
export type EventTime = { day: string } | { moment: Temporal.ZonedDateTime };

/** When an item takes place. */
export interface EventTimeSpan {
  start: EventTime;
  /** The last day, or the moment of the end; null: unknown. */
  end: EventTime | null;
}

type Fields = Readonly<Record<string, FieldValue>>;

/** When an item takes place; null if it has no day. A time of day that cannot be read is ignored. */
export function readEventTimeSpan(
  fields: Fields,
  dated: DateFields,
  timeZone: string,
): EventTimeSpan | null {
  const day = readTextField(fields, dated.by);
  if (day === null) return null;
  const lastDay = readTextField(fields, dated.until);
  const start = timeOn(day, readTextField(fields, dated.time), timeZone);
  if ("day" in start) return { start, end: lastDay === null ? null : { day: lastDay } };
  const end = timeOn(lastDay ?? day, readTextField(fields, dated.untilTime), timeZone);
  return { start, end: isLater(end, start.moment) ? end : null };
}

/**
 * When readers could first read an item, in ISO 8601 and UTC. Usually this is `publishedAt`. For
 * news, it is the stated time if that time is earlier.
 */
export function firstPublicationTimeOf(
  { fields, publishedAt }: Pick<ItemSummary, "fields" | "publishedAt">,
  type: ContentType | undefined,
  timeZone: string,
): string {
  const start = isNewsType(type)
    ? readEventTimeSpan(fields, type.dated, timeZone)?.start
    : undefined;
  if (start === undefined) return publishedAt;
  if ("moment" in start) return earlier(start.moment.toInstant(), publishedAt);
  if (start.day >= dayInZone(timeZone, publishedAt)) return publishedAt;
  return inMilliseconds(Temporal.PlainDate.from(start.day).toZonedDateTime(timeZone).toInstant());
}

function earlier(moment: Temporal.Instant, other: string): string {
  return Temporal.Instant.compare(moment, other) < 0 ? inMilliseconds(moment) : other;
}

function inMilliseconds(moment: Temporal.Instant): string {
  return moment.toString({ smallestUnit: "millisecond" });
}

/** Formats a time as ISO 8601: `2027-03-14`, or `2027-03-14T19:30:00+01:00`. */
export function formatIsoTime(time: EventTime): string {
  if ("day" in time) return time.day;
  return time.moment.toString({ timeZoneName: "never", smallestUnit: "second" });
}

/** The value of a text field; null if it is undeclared or empty. */
export function readTextField(fields: Fields, name: string | undefined): string | null {
  const value = name === undefined ? undefined : fields[name];
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * Combines a day and a time of day. If daylight saving time skips this time, the result is moved forward,
 * as in calendar programs.
 */
function timeOn(day: string, timeText: string | null, timeZone: string): EventTime {
  const time = timeText === null ? null : parseTimeOfDay(timeText);
  if (time === null) return { day };
  const plainTime = Temporal.PlainDateTime.from(`${day}T${time.padStart(5, "0")}`);
  return { moment: plainTime.toZonedDateTime(timeZone) };
}

/** Whether an end is after a start; a day, only if it is a later one. */
function isLater(end: EventTime, start: Temporal.ZonedDateTime): boolean {
  if ("day" in end) return Temporal.PlainDate.compare(end.day, start.toPlainDate()) > 0;
  return Temporal.ZonedDateTime.compare(end.moment, start) > 0;
}
