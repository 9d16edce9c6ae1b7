import { acceptedLanguages, firstCatalogue } from "../choose.ts";
import { ARABIC_SITE_TEXTS } from "./arabic.ts";
import { CHINESE_SITE_TEXTS } from "./chinese.ts";
import { ENGLISH_SITE_TEXTS, type SiteTexts } from "./english.ts";
import { FRENCH_SITE_TEXTS } from "./french.ts";
import { GERMAN_SITE_TEXTS } from "./german.ts";
import { HEBREW_SITE_TEXTS } from "./hebrew.ts";
import { SPANISH_SITE_TEXTS } from "./spanish.ts";
import { withEnglishDefaults } from "./translation.ts";

const TEXT_CATALOGUES: readonly SiteTexts[] = [
  ENGLISH_SITE_TEXTS,
  ...[
    GERMAN_SITE_TEXTS,
    FRENCH_SITE_TEXTS,
    SPANISH_SITE_TEXTS,
    ARABIC_SITE_TEXTS,
    HEBREW_SITE_TEXTS,
    CHINESE_SITE_TEXTS,
  ].map(withEnglishDefaults),
];

/** The languages with a catalogue for the public site. */
export const SITE_TEXT_LANGUAGES: readonly string[] = TEXT_CATALOGUES.map(
  ({ language }) => language,
);

/** The texts for a page in this language, or in English if it has no catalogue. `language`: BCP 47. */
export function siteTexts(language: string): SiteTexts {
  return firstCatalogue(TEXT_CATALOGUES, [language]) ?? ENGLISH_SITE_TEXTS;
}

/** The texts in the first available language that a visitor accepts; English otherwise. */
export function textsInAcceptedLanguage(acceptLanguage: string | undefined): SiteTexts {
  return firstCatalogue(TEXT_CATALOGUES, acceptedLanguages(acceptLanguage)) ?? ENGLISH_SITE_TEXTS;
}
