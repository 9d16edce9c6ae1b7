import { ENGLISH, type Texts } from "./english.ts";
import { GERMAN } from "./german.ts";

const CATALOGUES: readonly Texts[] = [ENGLISH, GERMAN];

/** The texts in the first language of an `Accept-Language` header that there is; English otherwise. */
export function textsFor(acceptLanguage: string | undefined): Texts {
  const asked = (acceptLanguage ?? "").split(",").map((entry) => entry.trim().slice(0, 2));
  for (const language of asked) {
    const found = CATALOGUES.find((texts) => texts.language === language.toLowerCase());
    if (found !== undefined) return found;
  }
  return ENGLISH;
}

const MOMENTS = new Map(
  CATALOGUES.map(({ language }) => [
    language,
    new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }),
  ]),
);
const NUMBERS = new Map(
  CATALOGUES.map(({ language }) => [language, new Intl.NumberFormat(language)]),
);

/** Date and time in the words of a language, in UTC. */
export function momentText({ language }: Texts, iso: string): string {
  return MOMENTS.get(language)?.format(new Date(iso)) ?? iso;
}

export function numberText({ language }: Texts, value: number): string {
  return NUMBERS.get(language)?.format(value) ?? String(value);
}
