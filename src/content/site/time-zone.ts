import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { fieldError } from "../../errors.ts";
import { createIssueMessage } from "../items/issue-messages.ts";

/** A name from the IANA time zone database, such as `Europe/Vienna`. */
export const timeZoneSchema = z
  .string()
  .max(100)
  .refine(isTimeZone, {
    error: createIssueMessage({
      en: "is not a time zone, such as Europe/Vienna or UTC",
      de: "ist keine Zeitzone wie Europe/Vienna oder UTC",
    }),
  });

/**
 * A time with an offset, a local time in the site's time zone, or a day. A day means its first
 * moment in that time zone.
 */
export const timeInputSchema = z.union(
  [z.iso.datetime({ offset: true, local: true }), z.iso.date()],
  {
    error: createIssueMessage({
      en: "is not a date and time, such as 2026-11-21T10:00:00Z",
      de: "ist kein Tag mit Uhrzeit",
    }),
  },
);

const UTC_OFFSET = /(?:Z|[+-]\d{2}:\d{2})$/i;
const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Whether a name is a time zone. Offsets such as +01:00 are refused, because they have no daylight saving
 * time.
 */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The time zone of the site; UTC until it has a profile. */
export async function readSiteTimeZone(content: {
  site(): Promise<{ timeZone: string } | null>;
}): Promise<string> {
  return (await content.site())?.timeZone ?? "UTC";
}

/** The calendar day (`YYYY-MM-DD`) of a moment (ISO 8601) in a time zone. */
export function dayInZone(timeZone: string, moment: string): string {
  if (timeZone === "UTC" && moment.endsWith("Z")) return moment.slice(0, 10);
  return zonedTime(timeZone, moment).toPlainDate().toString();
}

/** Milliseconds from a moment (ISO 8601) to the end of its day in a time zone. */
export function millisecondsUntilEndOfDay(timeZone: string, moment: string): number {
  const time = zonedTime(timeZone, moment);
  return time.startOfDay().add({ days: 1 }).epochMilliseconds - time.epochMilliseconds;
}

/**
 * The last moment up to `now` at which clocks showed a time of day (`HH:MM`) in a time zone. On
 * days when clocks go forward, a skipped time is moved by the gap: 02:30 becomes 03:30.
 */
export function lastMomentAtTimeOfDay(timeZone: string, timeOfDay: string, now: Date): Date {
  const today = zonedTime(timeZone, now.toISOString()).toPlainDate();
  const plainTime = Temporal.PlainTime.from(timeOfDay);
  const timeOn = (day: Temporal.PlainDate) =>
    day.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
  const timeToday = timeOn(today);
  const isPast = timeToday <= now.getTime();
  return new Date(isPast ? timeToday : timeOn(today.subtract({ days: 1 })));
}

/**
 * The local date and time of a moment (ISO 8601) in a time zone, as the value of a `datetime-local`
 * input.
 */
export function dateTimeInZone(timeZone: string, moment: string): string {
  return zonedTime(timeZone, moment).toPlainDateTime().toString({ smallestUnit: "minute" });
}

/**
 * Parses a moment. A text without an offset is local time in the time zone. A day alone means its
 * first moment. When clocks go back, an ambiguous time means its first occurrence.
 *
 * @throws {AppError} `invalid` for a time that clocks skip, a year below 0 or above 9999 in UTC, or a
 * malformed text.
 */
export function parseTimeInZone(timeZone: string, text: string, where = "time"): Date {
  return requireFourDigitYear(parseMoment(timeZone, text, where), text, where);
}

/** The last second of a day in a time zone. @throws {AppError} as {@link parseTimeInZone}. */
export function endOfDay(timeZone: string, day: string, where = "day"): Date {
  const localTime = DAY_PATTERN.test(day) ? parseLocalTime(day) : null;
  if (localTime === null) {
    throw fieldError(where, {
      en: `"${day}" is not a day, such as 2027-12-31`,
      de: `„${day}“ ist kein Tag, zum Beispiel 2027-12-31`,
    });
  }
  const end = new Date(startOfDay(localTime.add({ days: 1 }), timeZone) - 1000);
  return requireFourDigitYear(end, day, where);
}

function parseMoment(timeZone: string, text: string, where: string): Date {
  if (UTC_OFFSET.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text);
  const localTime = parseLocalTime(text);
  if (localTime === null) {
    throw fieldError(where, {
      en: `"${text}" is not a day with a time, such as 2027-03-28T09:00`,
      de: `„${text}“ ist kein Tag mit Uhrzeit, zum Beispiel 2027-03-28T09:00`,
    });
  }
  const earlier = localTime.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (!DAY_PATTERN.test(text) && !earlier.toPlainDateTime().equals(localTime)) {
    throw fieldError(where, {
      en: `"${text}" does not exist in ${timeZone}: clocks are set forward then. Choose a time before or after`,
      de: `„${text}“ gibt es in ${timeZone} nicht, weil da die Uhr vorgestellt wird: Wählen Sie eine Zeit davor oder danach`,
    });
  }
  if (DAY_PATTERN.test(text)) return new Date(startOfDay(localTime, timeZone));
  return new Date(earlier.epochMilliseconds);
}

/**
 * Requires a year of four digits, because stored times are compared as texts. Any other year is written
 * with a sign, and would sort before all years of four digits.
 */
function requireFourDigitYear(time: Date, text: string, where: string): Date {
  if (/^\d{4}-/.test(time.toISOString())) return time;
  throw fieldError(where, {
    en: `"${text}" is outside the years 0 to 9999 in UTC: choose another time`,
    de: `„${text}“ liegt in UTC außerhalb der Jahre 0 bis 9999: Wählen Sie eine andere Zeit`,
  });
}

function zonedTime(timeZone: string, moment: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(moment).toZonedDateTimeISO(timeZone);
}

function startOfDay(localTime: Temporal.PlainDateTime, timeZone: string): number {
  return localTime.toPlainDate().toZonedDateTime(timeZone).epochMilliseconds;
}

function parseLocalTime(text: string): Temporal.PlainDateTime | null {
  try {
    return Temporal.PlainDateTime.from(text, { overflow: "reject" });
  } catch {
    return null;
  }
}
