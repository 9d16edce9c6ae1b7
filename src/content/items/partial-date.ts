import type { Wording } from "../../errors.ts";

export const PARTIAL_DATE_HINT: Wording = {
  en: "give a real date as YYYY, YYYY-MM or YYYY-MM-DD, with a leading - for years BCE, and ~ before an approximate date",
  de: "Geben Sie ein wirkliches Datum an, als 1848, 1848-02 oder 1848-02-21, mit - davor für Jahre vor Christus und ~ vor ungefähren Angaben",
};

const PARTIAL_DATE = /^~?(-?)(\d{1,6})(?:-(\d{2})(?:-(\d{2}))?)?$/;

const APPROXIMATE = "~";

/**
 * The largest year of a date that has a month. `Date` has no later months, so that they could not be
 * formatted.
 */
const YEARS_WITH_DAYS_MAX = 270_000;

/** The range of days that a partial date covers, as sortable numbers. */
export interface DayRange {
  from: number;
  to: number;
}

/**
 * Converts a partial date to a number for sorting and filtering: year × 10,000 + month × 100 + day,
 * with 0 for unknown parts. The text is `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, with a leading `-` for
 * years BCE. The `~` of an approximate date is ignored. Null if malformed.
 */
export function partialDateToNumber(text: string): number | null {
  const match = PARTIAL_DATE.exec(text);
  if (match === null) return null;
  const [, sign, year, month = "00", day = "00"] = match;
  if (Number(month) > 12 || Number(day) > 31) return null;
  const signedYear = Number(year) * (sign === "-" ? -1 : 1);
  return signedYear * 10_000 + Number(month) * 100 + Number(day);
}

/**
 * The lowest and highest {@link partialDateToNumber} of the days that a partial date covers: 18500000 and
 * 18509999 for `1850`.
 */
export function partialDateToDayRange(text: string): DayRange | null {
  const from = partialDateToNumber(text);
  if (from === null) return null;
  if (from % 100 !== 0) return { from, to: from };
  return { from, to: from + (from % 10_000 === 0 ? 9999 : 99) };
}

/**
 * Whether every day of the last date is before every day of the first one: 1850-05 to 1850 is no such period.
 * False for a malformed date.
 */
export function endsBeforeItBegins(first: string, last: string): boolean {
  const firstDays = partialDateToDayRange(first);
  const lastDays = partialDateToDayRange(last);
  return firstDays !== null && lastDays !== null && lastDays.to < firstDays.from;
}

/** The inverse of {@link partialDateToNumber}; years are padded to four digits. */
export function formatPartialDate(value: number): string {
  const year = Math.floor(value / 10_000);
  const rest = value - year * 10_000;
  const sign = year < 0 ? "-" : "";
  const parts = [String(Math.abs(year)).padStart(4, "0")];
  if (rest > 0) parts.push(String(Math.floor(rest / 100)).padStart(2, "0"));
  if (rest % 100 > 0) parts.push(String(rest % 100).padStart(2, "0"));
  return sign + parts.join("-");
}

/** Whether a partial date is marked as approximate, such as `~-0428` for about 428 BCE. */
export function isApproximate(text: string): boolean {
  return text.startsWith(APPROXIMATE);
}

/** A partial date in its normal form; null if it is malformed or its month or day does not exist. */
export function normalizePartialDate(text: string): string | null {
  const dateNumber = validPartialDateNumber(text);
  if (dateNumber === null) return null;
  return (isApproximate(text) ? APPROXIMATE : "") + formatPartialDate(dateNumber);
}

/** Like {@link partialDateToNumber}, but also null for a month or day that does not exist. */
function validPartialDateNumber(text: string): number | null {
  const dateNumber = partialDateToNumber(text);
  if (dateNumber === null) return null;
  const [month, day] = text.replace(/^~?-?/, "").split("-").slice(1).map(Number);
  if (month === undefined) return dateNumber;
  const year = Math.floor(dateNumber / 10_000);
  if (Math.abs(year) > YEARS_WITH_DAYS_MAX) return null;
  const isLeap = isLeapYear(year);
  const daysInMonth =
    [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  if (day === undefined) return daysInMonth > 0 ? dateNumber : null;
  return day >= 1 && day <= daysInMonth ? dateNumber : null;
}

/** Whether a year is a leap year in the proleptic Gregorian calendar. */
function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
