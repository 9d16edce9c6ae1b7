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

/** A moment in a person's words, in UTC. */
export function momentText(texts: Texts, iso: string): string {
  return new Intl.DateTimeFormat(texts.language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(new Date(iso));
}

export function numberText(texts: Texts, value: number): string {
  return new Intl.NumberFormat(texts.language).format(value);
}
