import { InvalidArgumentError } from "commander";
import { SCOPES, type Scope } from "../access/actor.ts";
import { adminEmailSchema, adminNameSchema } from "../access/people/admins.ts";

export function parseScopes(word: string, before: readonly Scope[] = []): Scope[] {
  const scope = SCOPES.find((known) => known === word);
  if (scope === undefined) throw new InvalidArgumentError(`Use one of ${SCOPES.join(", ")}.`);
  return [...before, scope];
}

export function parseEmailAddress(word: string): string {
  return parsed(adminEmailSchema, word);
}

export function parseAdminName(word: string): string {
  return parsed(adminNameSchema, word);
}

function parsed(schema: typeof adminEmailSchema | typeof adminNameSchema, word: string): string {
  const result = schema.safeParse(word);
  if (result.success) return result.data;
  throw new InvalidArgumentError(result.error.issues.map(({ message }) => `${message}.`).join(" "));
}

export function appendOptionValue(word: string, before: readonly string[] = []): string[] {
  return [...before, word];
}

export function parseCount(word: string): number {
  if (!/^\d{1,9}$/.test(word)) throw new InvalidArgumentError("Give a whole number.");
  return Number(word);
}

export function parseHours(word: string): number {
  if (!/^\d{1,4}(?:\.\d+)?$/.test(word)) throw new InvalidArgumentError("Give a number of hours.");
  return Number(word);
}

/** A moment, or a day. A day means the end of that day in the time zone of the site. */
export type DayOrTime = Date | { day: string };

export function parseDayOrTime(word: string): DayOrTime {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(word);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(word);
  const date = new Date(isDay ? `${word}T23:59:59Z` : word);
  const isReal = !Number.isNaN(date.getTime()) && isCalendarDay(word.slice(0, 10));
  if ((!isDay && !isMoment) || !isReal) {
    throw new InvalidArgumentError("Give a day as 2027-12-31 or a moment as 2027-12-31T12:00:00Z.");
  }
  return isDay ? { day: word } : date;
}

export function parseExpiry(word: string): DayOrTime | "never" {
  return word === "never" ? word : parseDayOrTime(word);
}

/** Parses a UTC day, such as 2027-12-31. */
export function parseDay(word: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(word) || !isCalendarDay(word)) {
    throw new InvalidArgumentError("Give a day as 2027-12-31.");
  }
  return word;
}

/** Rejects days such as 31 February, which `Date` parses as 3 March. */
function isCalendarDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

export function parseHttpUrl(word: string): URL {
  const url = URL.parse(word);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new InvalidArgumentError("Give an address that starts with http:// or https://.");
  }
  return url;
}

/** Returns the origin of an address. Refuses an address with a path. */
export function parseHttpOrigin(word: string): string {
  const { origin, pathname, search, hash } = parseHttpUrl(word);
  if (`${pathname}${search}${hash}` !== "/") {
    throw new InvalidArgumentError("Give the address without a path, as https://example.org.");
  }
  return origin;
}

export function parseBackupCount(word: string): number {
  const count = parseCount(word);
  if (count === 0) throw new InvalidArgumentError("Keep at least one.");
  return count;
}

/** Reports why a text is not a BCP 47 tag; undefined: the text is a BCP 47 tag. */
export function describeLanguageTagError(language: string): string | undefined {
  try {
    Intl.getCanonicalLocales(language);
    return undefined;
  } catch {
    return `"${language}" is not a language, such as en or pt-BR`;
  }
}
