import { type DayOrder, inferDayOrder, isoDateFromText } from "./tables/dates.ts";

/** Converts Jekyll's `2024-02-01 9:00:00 +0200` to ISO 8601; returns other texts unchanged. */
function jekyllTime(text: string): string {
  return text.trim().replace(/^(\S+) (\S+?)(?: ?(\S+))?$/, (_text, day, time, zone = "") => {
    const offset = String(zone).replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
    return `${day}T${String(time).replace(/^(?=\d:)/, "0")}${offset}`;
  });
}

const ISO_TIME =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;
const COMPACT_DAY = /^(\d{4})(\d{2})(\d{2})$/;
const SLASHED_YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?=$|[T\s])/;
const NUMBER = /^\d*\.?\d*$/;
/**
 * Only texts with the name of a month and a year are passed to `Date.parse`, which reads `Chapter 5` as a
 * day in May.
 */
const NAMED_MONTH = /(?=.*\b\d{4}\b)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;

/**
 * Returns a day or time in front matter as ISO 8601, or null. Accepts formats that other programs and
 * people write: `2024-02-01 9:00:00 +0200`, `2024/2/1`, `1.2.2024`, `20240201`, `1 Feb 2024`. In numbers
 * with dots, the day comes first.
 * @param order the order of day and month in numbers with slashes.
 */
export function toIsoDateTime(value: unknown, order: DayOrder = "month-first"): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value)
    .trim()
    .replace(COMPACT_DAY, "$1-$2-$3")
    .replace(SLASHED_YEAR_FIRST, "$1-$2-$3")
    .replace(/^(\d.*\d)\s(?:UTC|GMT)$/, "$1 +0000");
  if (/^\d{4}$/.test(text)) return `${text}-01-01`;
  if (NUMBER.test(text)) return null;
  const time = jekyllTime(text);
  if (ISO_TIME.test(time)) return isIsoTime(time) ? withSeconds(time) : null;
  const written = isoDateFromText(text, order) ?? isoDateFromText(time, order);
  const whole = written?.replace(/^(\d{4}-\d{2})$/, "$1-01") ?? null;
  return whole !== null && isIsoTime(whole) ? whole : dayOfNamedMonth(text);
}

/** Adds missing seconds: `2024-02-01T09:00+02:00` → `2024-02-01T09:00:00+02:00`. */
function withSeconds(time: string): string {
  return time.replace(/(T\d{2}:\d{2})(?=Z|[+-])/, "$1:00");
}

/** Whether a date is ambiguous, because the order of its day and month is unclear, as in `3/5/2024`. */
export function isAmbiguousDay(value: unknown): boolean {
  return typeof value === "string" && inferDayOrder(value) === "either";
}

function isIsoTime(text: string): boolean {
  if (!ISO_TIME.test(text) || Number.isNaN(Date.parse(text))) return false;
  const day = text.slice(0, "2024-02-01".length);
  // Rejects days such as 30 February, which JavaScript reads as 1 March.
  return new Date(day).toISOString().startsWith(day);
}

const ZONE = /(?:[+-]\d{2}:?\d{2}|\b(?:GMT|UTC|Z))(?:\s*\(.*\))?$/i;

function dayOfNamedMonth(text: string): string | null {
  if (!NAMED_MONTH.test(text)) return null;
  const day = new Date(`${text.replace(ZONE, "")} UTC`);
  // Rejects days such as 30 Feb, which JavaScript reads as 1 March.
  if (Number.isNaN(day.getTime()) || !namesMonthOf(day, text)) return null;
  const zoned = new Date(text);
  const hasZone = ZONE.test(text) && !Number.isNaN(zoned.getTime());
  return hasZone ? zoned.toISOString() : day.toISOString().slice(0, 10);
}

/** Whether a text has the English name of the month of a day. */
function namesMonthOf(day: Date, text: string): boolean {
  const [, , month = ""] = day.toUTCString().split(" ");
  return new RegExp(`\\b${month}`, "i").test(text);
}
