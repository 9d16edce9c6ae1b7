import { acceptedLanguages, firstCatalogue } from "../choose.ts";
import { ARABIC } from "./arabic.ts";
import { CHINESE } from "./chinese.ts";
import { ENGLISH, type SiteTexts } from "./english.ts";
import { FRENCH } from "./french.ts";
import { GERMAN } from "./german.ts";
import { HEBREW } from "./hebrew.ts";
import { SPANISH } from "./spanish.ts";
import { withEnglishDefaults } from "./translation.ts";

const TEXT_CATALOGUES: readonly SiteTexts[] = [
  ENGLISH,
  ...[GERMAN, FRENCH, SPANISH, ARABIC, HEBREW, CHINESE].map(withEnglishDefaults),
];

/** The languages with a catalogue for the public site. */
export const SITE_TEXT_LANGUAGES: readonly string[] = TEXT_CATALOGUES.map(
  ({ language }) => language,
);

/** The texts for a page in this language, or in English if it has no catalogue. `language`: BCP 47. */
export function siteTexts(language: string): SiteTexts {
  return firstCatalogue(TEXT_CATALOGUES, [language]) ?? ENGLISH;
}

/** The texts in the first available language that a visitor accepts; English otherwise. */
export function textsInAcceptedLanguage(acceptLanguage: string | undefined): SiteTexts {
  return firstCatalogue(TEXT_CATALOGUES, acceptedLanguages(acceptLanguage)) ?? ENGLISH;
}
