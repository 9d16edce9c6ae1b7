import { acceptedLanguages, firstCatalogue } from "../../../texts/choose.ts";
import { formatsOf } from "../../../texts/formats.ts";
import { ENGLISH, type Texts } from "./english.ts";
import { GERMAN } from "./german.ts";

const CATALOGUES: readonly Texts[] = [ENGLISH, GERMAN];

/**
 * The texts in the first available language of an `Accept-Language` header; English if there is
 * none.
 */
export function textsFor(acceptLanguage: string | undefined): Texts {
  return firstCatalogue(CATALOGUES, acceptedLanguages(acceptLanguage)) ?? ENGLISH;
}

/** Date and time, formatted for a language and the time zone of the site. */
export function momentText(
  { texts: { language }, timeZone }: { texts: Texts; timeZone: string },
  iso: string,
): string {
  return formatsOf(language).moment(iso, timeZone);
}

export function numberText({ language }: Texts, value: number): string {
  return formatsOf(language).number(value);
}
