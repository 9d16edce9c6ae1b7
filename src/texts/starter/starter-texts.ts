import { firstCatalogue } from "../choose.ts";
import { ARABIC_STARTER } from "./arabic.ts";
import { CHINESE_STARTER } from "./chinese.ts";
import { ENGLISH_STARTER, type StarterTexts } from "./english.ts";
import { FRENCH_STARTER } from "./french.ts";
import { GERMAN_STARTER } from "./german.ts";
import { HEBREW_STARTER } from "./hebrew.ts";
import { SPANISH_STARTER } from "./spanish.ts";

const TEXT_CATALOGUES: readonly StarterTexts[] = [
  ENGLISH_STARTER,
  GERMAN_STARTER,
  FRENCH_STARTER,
  SPANISH_STARTER,
  ARABIC_STARTER,
  HEBREW_STARTER,
  CHINESE_STARTER,
];

/** The first texts of a site in this language, or in English if it has no catalogue. `language`: BCP 47. */
export function starterTexts(language: string): StarterTexts {
  return firstCatalogue(TEXT_CATALOGUES, [language]) ?? ENGLISH_STARTER;
}
