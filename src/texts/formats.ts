/** A text for each plural category of a language. The number replaces `#`. */
export type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** The ways in which a language writes numbers, lists and times. */
export interface Formats {
  number(value: number): string;
  /** The text for this count, including the number. */
  counted(count: number, forms: PluralForms): string;
  /** Like {@link counted}, for ordinal numbers such as "2nd". */
  ordinal(value: number, forms: PluralForms): string;
  /** A list such as "a, b and c". */
  list(parts: readonly string[]): string;
  /**
   * The name of the language with the BCP 47 tag `tag`. It is in the language of these formats, as written
   * within a sentence.
   */
  languageName(tag: string): string;
  /** A file size in decimal units, such as "2.5 GB". */
  bytes(value: number): string;
  /** Date and local time in a time zone. */
  moment(iso: string, timeZone: string): string;
  /**
   * A date of the Gregorian calendar. `date` can lack the day or the month. `yearText` is used in place of the
   * year that `Intl` writes, because readers do not write years BCE as `Intl` does.
   */
  date(date: PartialDate, yearText?: string): string;
  /** When an event takes place, with the day of the week. `last` is inclusive; null: no known end. */
  period(first: Date, last: Date | null, terms: PeriodOptions): string;
}

export interface PeriodOptions {
  timeZone: string;
  /** Whether the times of day are left out. */
  isWholeDay: boolean;
}

const autonyms = new Map<string, string>();

/** A language's own name, capitalised: "Français". `tag`: BCP 47. */
export function nativeLanguageName(tag: string): string {
  const found = autonyms.get(tag) ?? createAutonym(tag);
  if (autonyms.size >= AUTONYMS_MAX) autonyms.clear();
  autonyms.set(tag, found);
  return found;
}

/** Bounds the cache, because tags come from items, which may name any language. */
const AUTONYMS_MAX = 500;

function createAutonym(tag: string): string {
  const locale = withoutExtensions(tag);
  const name = new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? tag;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

/** `fr` for `fr-u-ca-gregory` or `fr-x-old`: `Intl` throws if asked for the name of an extended tag. */
function withoutExtensions(tag: string): string {
  return new Intl.Locale(tag).baseName;
}

/** Months and days count from 1; absent: unknown. */
export interface PartialDate {
  year: number;
  month?: number;
  day?: number;
}

/**
 * Limit of cached dates per language. Every page shows a date, most dates occur on many pages, and
 * `Intl` is slow.
 */
const DATES_MAX = 500;

/**
 * Matches thin spaces, which are replaced by plain spaces. `Intl` inserts them into date ranges, even
 * between a day and its month.
 */
const THIN_SPACE = /[\u2009\u202f]/g;

/** Units of file sizes, from a thousand bytes up. */
const BYTE_UNITS = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** Locales that differ from their language tag. English dates put the day first, as in most of the world. */
const LOCALES_BY_LANGUAGE: Readonly<Record<string, string>> = { en: "en-GB" };

const known = new Map<string, Formats>();

/**
 * Returns the formats of a language. Caches them without a limit, so call this only for languages
 * with a catalogue.
 */
export function formatsOf(language: string): Formats {
  const found = known.get(language) ?? createFormats(LOCALES_BY_LANGUAGE[language] ?? language);
  known.set(language, found);
  return found;
}

/** The `Intl` objects are created on first use: they are slow to create, and most pages need only some. */
function createFormats(locale: string): Formats {
  const numbers = onUse(() => new Intl.NumberFormat(locale));
  const rules = onUse(() => new Intl.PluralRules(locale));
  const ordinals = onUse(() => new Intl.PluralRules(locale, { type: "ordinal" }));
  const lists = onUse(() => new Intl.ListFormat(locale));
  const languages = onUse(() => new Intl.DisplayNames(locale, { type: "language" }));
  const moments = new Map<string, Intl.DateTimeFormat>();
  const utc = { calendar: "gregory", timeZone: "UTC", year: "numeric" } as const;
  const years = onUse(() => new Intl.DateTimeFormat(locale, utc));
  const months = onUse(() => new Intl.DateTimeFormat(locale, { ...utc, month: "long" }));
  const days = onUse(
    () => new Intl.DateTimeFormat(locale, { ...utc, month: "long", day: "numeric" }),
  );
  const periods = new Map<string, Intl.DateTimeFormat>();
  const writtenDates = new Map<string, string>();
  const writeDate = ({ year, month, day }: PartialDate, yearText: string | undefined) => {
    const format = month === undefined ? years : day === undefined ? months : days;
    const date = dayOf(year, month, day);
    if (Number.isNaN(date.getTime())) return yearText ?? numbers().format(year);
    if (yearText === undefined) return format().format(date);
    const parts = format().formatToParts(date);
    return parts.map(({ type, value }) => (type === "year" ? yearText : value)).join("");
  };
  return {
    number: (value) => numbers().format(value),
    counted: (count, forms) =>
      (forms[rules().select(count)] ?? forms.other).replace("#", numbers().format(count)),
    ordinal: (value, forms) =>
      (forms[ordinals().select(value)] ?? forms.other).replace("#", numbers().format(value)),
    list: (parts) => lists().format(parts),
    languageName: (tag) => languages().of(tag) ?? tag,
    bytes(value) {
      const step = Math.trunc(Math.log10(Math.max(value, 1)) / 3);
      const at = Math.min(Math.max(step, 1), BYTE_UNITS.length);
      const amount = value / 1000 ** at;
      const digits = amount < 10 && at > 1 ? 1 : 0;
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit: BYTE_UNITS[at - 1] ?? "byte",
        maximumFractionDigits: digits,
        roundingMode: at > 1 ? "halfExpand" : "ceil",
      }).format(amount);
    },
    moment(iso, timeZone) {
      const styles = { dateStyle: "medium", timeStyle: "short", timeZone } as const;
      const format = moments.get(timeZone) ?? new Intl.DateTimeFormat(locale, styles);
      moments.set(timeZone, format);
      return format.format(new Date(iso));
    },
    date(date, yearText) {
      const { year, month, day } = date;
      if (month === undefined && yearText !== undefined) return yearText;
      const key = `${year} ${month} ${day} ${yearText}`;
      const written = writtenDates.get(key) ?? writeDate(date, yearText);
      if (writtenDates.size >= DATES_MAX) writtenDates.clear();
      writtenDates.set(key, written);
      return written;
    },
    period(first, last, { timeZone, isWholeDay }) {
      const key = `${timeZone} ${isWholeDay}`;
      const format = periods.get(key) ?? periodFormat(locale, { timeZone, isWholeDay });
      periods.set(key, format);
      const text = last === null ? format.format(first) : format.formatRange(first, last);
      return text.replaceAll(THIN_SPACE, " ");
    },
  };
}

function periodFormat(
  locale: string,
  { timeZone, isWholeDay }: PeriodOptions,
): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    calendar: "gregory",
    timeZone,
    weekday: "short",
    day: "numeric",
    month: "long",
    year: "numeric",
    ...(isWholeDay ? {} : { hour: "2-digit", minute: "2-digit" }),
  });
}

function onUse<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** Sets the year separately, because `Date.UTC` maps the years 0 to 99 to the twentieth century. */
function dayOf(year: number, month = 1, day = 1): Date {
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  return date;
}
