import { DAY_MILLISECONDS } from "../../../access/days.ts";

/**
 * The order of day and month in numeric dates: 3/4/2021 is in April (`day-first`) or in March
 * (`month-first`).
 */
export type DayOrder = "day-first" | "month-first";

const ISO_DATE =
  /^(-?\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i;
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;
const NUMERIC_DATE =
  /^(\d{1,2})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(am|pm|uhr)?)?$/i;
const DAY_AND_NAME =
  /^(\d{1,2})(?:\.|st|nd|rd|th)?\s*(?:of\s+|de\s+)?(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})$/iu;
const NAME_AND_DAY = /^(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/iu;
const NAME_AND_YEAR = /^(\p{L}+)\.?,?\s+(?:de\s+)?(\d{4})$/u;
/** Excel's serial dates (days since 1899-12-30), limited to the years 1927 to 2119. */
const SERIAL_DATE = /^([1-7]\d{4})(\.\d+)?$/;
const LEADING_WEEKDAY = /^\p{L}{2,10}\.?,\s*(?=\d|\p{L})/u;

const SERIAL_EPOCH = Date.UTC(1899, 11, 30);
/** Two-digit years below this are read as 20xx, others as 19xx. */
const CENTURY_TURN = 50;

/**
 * Converts a year, a month, a date, or a date with a time to ISO 8601; null if the text is none of
 * these. Months may be numbers, or names in several languages. A date that is not valid in `order`
 * is read in the other order of day and month.
 */
export function isoDateFromText(text: string, order: DayOrder): string | null {
  const raw = text.trim();
  return (
    writtenDate(raw, order) ??
    (LEADING_WEEKDAY.test(raw) ? writtenDate(raw.replace(LEADING_WEEKDAY, ""), order) : null)
  );
}

function writtenDate(text: string, order: DayOrder): string | null {
  const iso = ISO_DATE.exec(text);
  if (iso !== null) {
    const [, year = "", month, day, ...clock] = iso;
    return dayAndTime(
      partialDate(year, month, day),
      timeOf(clock[0], clock[1], clock[2]),
      clock[3],
    );
  }
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst !== null) return partialDate(yearFirst[1] ?? "", yearFirst[2], yearFirst[3]);
  const numbers = NUMERIC_DATE.exec(text);
  if (numbers !== null) return dateOfNumbers(numbers, order);
  const serial = SERIAL_DATE.exec(text);
  if (serial !== null) return isoDateOfSerial(Number(text));
  const [, day, name, year] = DAY_AND_NAME.exec(text) ?? [];
  if (year !== undefined) return partialDate(year, monthOf(name), day);
  const [, first, second, third] = NAME_AND_DAY.exec(text) ?? [];
  if (third !== undefined) return partialDate(third, monthOf(first), second);
  const [, month, yearOfMonth] = NAME_AND_YEAR.exec(text) ?? [];
  return yearOfMonth === undefined ? null : partialDate(yearOfMonth, monthOf(month));
}

function dateOfNumbers(found: RegExpExecArray, order: DayOrder): string | null {
  const [, one = "", separator, other = "", years = "", hours, minutes, seconds, dayHalf] = found;
  const year = years.length === 4 ? years : `${Number(years) < CENTURY_TURN ? "20" : "19"}${years}`;
  const dayFirst = partialDate(year, other, one);
  const monthFirst = separator === "." ? null : partialDate(year, one, other);
  const day = order === "day-first" ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
  return dayAndTime(day, timeOf(hours, minutes, seconds, dayHalf));
}

/**
 * The order of day and month that a numeric date implies. `either`: both orders are valid and mean
 * different dates. Null: both orders mean the same date, or the text is not a numeric date.
 */
export function inferDayOrder(text: string): DayOrder | "either" | null {
  const [, one, separator, other] = NUMERIC_DATE.exec(text.trim()) ?? [];
  if (one === undefined || separator === ".") return null;
  const [first, second] = [Number(one), Number(other)];
  if (first > 12) return "day-first";
  if (second > 12) return "month-first";
  return first === second ? null : "either";
}

/**
 * Converts a spreadsheet's serial number of days to a date, a time of day, or both. Null: the number is out
 * of range.
 */
export function isoDateOfSerial(days: number, isFrom1904 = false): string | null {
  // The 1900 date system counts 29 February 1900, a day that did not exist. Earlier days are therefore off by
  // one.
  const serial = isFrom1904 ? days + 1462 : days < 60 ? days + 1 : days;
  const time = new Date(SERIAL_EPOCH + Math.round((serial * DAY_MILLISECONDS) / 1000) * 1000);
  if (Number.isNaN(time.getTime())) return null;
  const text = time.toISOString();
  if (days < 1) return text.slice(11, 16);
  return Number.isInteger(days) ? text.slice(0, 10) : text.slice(0, 19);
}

function partialDate(year: string, month?: string, day?: string): string | null {
  if (month === undefined) return year;
  const [monthNumber, dayNumber] = [Number(month), day === undefined ? 1 : Number(day)];
  const date = new Date(0);
  date.setUTCFullYear(Number(year), monthNumber - 1, dayNumber);
  const isReal = date.getUTCMonth() === monthNumber - 1 && date.getUTCDate() === dayNumber;
  if (!isReal || Number.isNaN(monthNumber)) return null;
  const end = day === undefined ? "" : `-${String(dayNumber).padStart(2, "0")}`;
  return `${year}-${String(monthNumber).padStart(2, "0")}${end}`;
}

function timeOf(hours?: string, minutes?: string, seconds = "00", dayHalf = ""): string {
  if (hours === undefined) return "";
  const isAfternoon = dayHalf.toLowerCase() === "pm" && Number(hours) < 12;
  const isMidnight = dayHalf.toLowerCase() === "am" && hours === "12";
  const hour = isMidnight ? 0 : Number(hours) + (isAfternoon ? 12 : 0);
  return hour > 23 ? "" : `T${String(hour).padStart(2, "0")}:${minutes}:${seconds}`;
}

function dayAndTime(day: string | null, time: string, offset = ""): string | null {
  if (day === null) return null;
  return time === "" ? day : day + time + offset.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
}

const MONTH_NAME_LANGUAGES: readonly string[] = ["en", "de", "fr", "es", "it"];

/**
 * Month numbers, keyed by month name and abbreviation. Covers the languages that tables are most likely in.
 */
const MONTHS_BY_NAME: ReadonlyMap<string, string> = new Map([
  ...MONTH_NAME_LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).flatMap((month) =>
      Array.from({ length: 12 }, (_none, at) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: "UTC" });
        return [folded(format.format(Date.UTC(2021, at, 1))), String(at + 1)] as const;
      }),
    ),
  ),
  ["janner", "1"],
  ["feber", "2"],
  ["mrz", "3"],
  ["sept", "9"],
]);

function monthOf(name = ""): string {
  return MONTHS_BY_NAME.get(folded(name)) ?? "0";
}

function folded(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/[^\p{L}]/gu, "")
    .toLowerCase();
}
