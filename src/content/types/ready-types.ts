import { baseLanguage } from "../../texts/choose.ts";
import { READY_TYPE_TEXTS } from "../../texts/ready-types.ts";
import type { TypeTexts } from "../../texts/type-texts.ts";

export type ReadyMadeTypeKind = keyof typeof READY_TYPE_TEXTS;

/** The names of a ready-made type in a language, or in English if this language has no texts. */
export function readyMadeTypeTexts(kind: ReadyMadeTypeKind, language: string): TypeTexts {
  const texts = READY_TYPE_TEXTS[kind];
  return texts[baseLanguage(language)] ?? texts.en;
}

/** The names of a ready-made type in every language that has texts, except `language`. */
export function readyMadeTypeTranslations(
  kind: ReadyMadeTypeKind,
  language: string,
): [language: string, names: TypeTexts][] {
  const all = Object.entries(READY_TYPE_TEXTS[kind]);
  return all.filter(([tag]) => tag !== baseLanguage(language));
}
