import { foldText } from "../../../search/language/folding.ts";
import { languagesWithStopWords, stopWordsOf } from "../../../search/language/stop-words.ts";

/** Parts of a text that are not prose: code, tags, addresses. */
const NO_PROSE =
  /^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1|<(script|style)\b[\s\S]*?<\/\2>|`[^`\n]*`|<[^<>]{0,1000}>|\{[{%][^{}]{0,1000}\}|\]\([^()\n]*\)|https?:\/\/\S+/gm;

/** Texts with fewer words are too short to detect a language. */
const WORDS_MIN = 100;
/** A text is in a language if at least this share of its words are stop words of it: half of what is usual. */
const STOP_WORDS_SHARE_MIN = 0.2;
/**
 * Stop words are counted for each language. This is the minimum ratio of the highest count to the second
 * highest.
 */
const LEAD_MIN = 1.1;
/**
 * Minimum share of a script among a text's letters. It is low because texts about software contain many
 * English names.
 */
const SCRIPT_SHARE_MIN = 0.3;

const SCRIPTS: readonly (readonly [letters: RegExp, languageOf: (text: string) => string])[] = [
  [/\p{Script=Arabic}/gu, languageInArabic],
  [/\p{Script=Hebrew}/gu, () => "he"],
  [/\p{Script=Cyrillic}/gu, languageInCyrillic],
  [/\p{Script=Greek}/gu, () => "el"],
  [/\p{Script=Hangul}/gu, () => "ko"],
  [/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, languageInHan],
  [/\p{Script=Thai}/gu, () => "th"],
  [/\p{Script=Devanagari}/gu, () => "hi"],
  [/\p{Script=Bengali}/gu, () => "bn"],
  [/\p{Script=Tamil}/gu, () => "ta"],
  [/\p{Script=Georgian}/gu, () => "ka"],
  [/\p{Script=Armenian}/gu, () => "hy"],
];

/** Detects the language of texts by their script and stop words; null: it is unclear. */
export function detectTextLanguage(texts: readonly string[]): string | null {
  const prose = texts.map((text) => text.replaceAll(NO_PROSE, " ")).join("\n");
  const letters = countOf(prose, /\p{L}/gu);
  const script = SCRIPTS.find(
    ([ofScript]) => countOf(prose, ofScript) > letters * SCRIPT_SHARE_MIN,
  );
  if (script !== undefined) return letters < WORDS_MIN ? null : script[1](prose);
  const words = foldText(prose).match(/\p{L}+/gu) ?? [];
  const [best, next] = languagesWithStopWords()
    .map((language) => ({
      language,
      count: words.filter((word) => stopWordsOf(language).has(word)).length,
    }))
    .sort((a, b) => b.count - a.count);
  if (best === undefined || words.length < WORDS_MIN) return null;
  const isClear =
    best.count > words.length * STOP_WORDS_SHARE_MIN && best.count > (next?.count ?? 0) * LEAD_MIN;
  return isClear ? best.language : null;
}

function languageInArabic(text: string): string {
  if (countOf(text, /[ٹڈڑںے]/g) * 50 > countOf(text, /\p{Script=Arabic}/gu)) return "ur";
  return countOf(text, /[پچژگکی]/g) > countOf(text, /[كيةىأإ]/g) ? "fa" : "ar";
}

function languageInCyrillic(text: string): string {
  const letters = countOf(text, /\p{Script=Cyrillic}/gu);
  const has = (distinct: RegExp) => countOf(text, distinct) * 200 > letters;
  if (has(/[їєґ]/gi)) return "uk";
  if (has(/ў/gi)) return "be";
  if (has(/[ђљњћџ]/gi)) return "sr";
  return has(/[ыэ]/gi) ? "ru" : "bg";
}

function languageInHan(text: string): string {
  const kana = countOf(text, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  return kana * 10 > countOf(text, /\p{Script=Han}/gu) ? "ja" : "zh";
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
