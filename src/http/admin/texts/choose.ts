import type { Wording } from "../../../errors.ts";
import { acceptedLanguages, firstCatalogue } from "../../../texts/choose.ts";
import { formatsOf } from "../../../texts/formats.ts";
import { ENGLISH, type Texts } from "./english.ts";
import { GERMAN } from "./german.ts";

const CATALOGUES: readonly Texts[] = [ENGLISH, GERMAN];

/**
 * The texts in the first available language of an `Accept-Language` header. English is the default.
 */
export function textsForAcceptLanguage(acceptLanguage: string | undefined): Texts {
  return firstCatalogue(CATALOGUES, acceptedLanguages(acceptLanguage)) ?? ENGLISH;
}

/**
 * Builds an error message in all languages of the screens. `message` selects the message from the
 * texts of a language.
 */
export function messageInAllLanguages(message: (texts: Texts) => string): Wording {
  return { en: message(ENGLISH), de: message(GERMAN) };
}

/** Date and time, formatted for a language and the time zone of the site. */
export function dateAndTimeText(
  { texts: { language }, timeZone }: { texts: Texts; timeZone: string },
  iso: string,
): string {
  return formatsOf(language).moment(iso, timeZone);
}

/** Formats a calendar day such as 2026-11-23 for a language. */
export function formatDay({ language }: Texts, day: string): string {
  const [year = 0, month = 1, dayOfMonth = 1] = day.split("-").map(Number);
  return formatsOf(language).date({ year, month, day: dayOfMonth });
}

export function numberText({ language }: Texts, value: number): string {
  return formatsOf(language).number(value);
}

/** Formats a size in bytes, such as "2.5 GB". */
export function bytesText({ language }: Texts, value: number): string {
  return formatsOf(language).bytes(value);
}

/** The name of a language; the tag itself if the language has no name. */
export function languageName(tag: string, { language }: Texts): string {
  try {
    return new Intl.DisplayNames(language, { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
