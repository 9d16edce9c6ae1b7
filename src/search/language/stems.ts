import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as serbian } from "@orama/stemmers/serbian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { stemmer as english } from "stemmer";
import { stemBulgarianWord } from "./bulgarian-stem.ts";
import { foldText, hashWord } from "./folding.ts";
import { baseLanguage } from "./languages.ts";
import { stopWordsOf } from "./stop-words.ts";
import { removeArabicArticle, splitIntoIndexPairs, splitIntoQueryPairs } from "./word-forms.ts";
import { chunkAtWordBoundaries, isInUnspacedScript, wordsOf } from "./words.ts";

const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  bg: stemBulgarianWord,
  da: danish,
  de: german,
  el: greekStem,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  id: indonesian,
  it: italian,
  lt: lithuanian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sr: serbian,
  sv: swedish,
  tr: turkish,
  uk: ukrainian,
};

/**
 * For each language, endings that are often typed without accents, with their accented forms. The
 * stemmer recognizes only the accented forms.
 */
const ACCENTED_ENDINGS: Readonly<Record<string, readonly [plain: RegExp, accented: string][]>> = {
  es: [
    [/([cs])ion$/, "$1ión"],
    [/ia(s|n|mos|is)?$/, "ía$1"],
    [/io$/, "ió"],
    [/([aei]r)a([sn]?)$/, "$1á$2"],
    [/([aei]r)e$/, "$1é"],
    [/ais$/, "áis"],
    [/eis$/, "éis"],
    [/ab(amos|ais)$/, "áb$1"],
    [/ando(me|te|se|nos|os|l[aeo]s?)$/, "ándo$1"],
    [/iendo(me|te|se|nos|os|l[aeo]s?)$/, "iéndo$1"],
  ],
  fr: [
    [/e(s?)$/, "é$1"],
    [/ee(s?)$/, "ée$1"],
  ],
  it: [[/ta$/, "tà"]],
  pt: [
    [/cao$/, "ção"],
    [/coes$/, "ções"],
  ],
};

const CACHED_TOKENS_MAX = 50_000;
/** The cached stems of this many words take about 2 MB. */
const CACHED_QUERY_WORDS_MAX = 5000;
const CACHED_CHARACTERS_MAX = 40;
/** Characters to tokenize before the next pause. Tokenizing them takes a few milliseconds. */
const CHARACTERS_BETWEEN_PAUSES = 16_384;
const STEMMABLE = /^\p{L}{3,40}$/u;

/** A word as it is indexed. */
export interface Token {
  stem: string;
  /** The key in the index: the stem, or {@link stopWordKey} for a stop word. */
  key: string;
  /**
   * Hash of the key, for word pairs. 0 if the token is a pair of characters in a script without spaces:
   * such tokens form no word pairs.
   */
  hash: number;
  /** Lower case without accents. */
  folded: string;
  isStop: boolean;
}

const pairTokens = new Map<string, Token>();
const tokensByLanguage = new Map<string, Map<string, Token>>();
/**
 * The stems of each query word in a list of languages. Cached, because a search needs the stems several
 * times.
 */
const cachedQueryStems = new Map<string, readonly string[][]>();

/**
 * The key of a stop word. It differs from the key of a word with an equal stem: German "die" is a stop
 * word, but English "die" is not.
 */
export function stopWordKey(folded: string): string {
  return `~${folded}`;
}

/**
 * Tokenizes a text in its language. In scripts without spaces, the tokens are pairs of characters.
 */
export function tokenize(text: string, language: string): Token[] {
  const base = baseLanguage(language);
  const known = cachedTokens(base);
  const tokens: Token[] = [];
  for (const { text: word } of wordsOf(text.toLowerCase())) {
    const token = known.get(word);
    if (token !== undefined) tokens.push(token);
    else if (isInUnspacedScript(word))
      for (const pair of splitIntoIndexPairs(word)) tokens.push(pairToken(pair));
    else tokens.push(tokenOf(word, { known, language: base }));
  }
  return tokens;
}

/**
 * Like {@link tokenize}, but in steps, because a text of a megabyte can have hundreds of thousands of words.
 */
export function* tokenizeInSteps(text: string, language: string): Generator<void, Token[]> {
  const tokens: Token[] = [];
  for (const piece of chunkAtWordBoundaries(text, CHARACTERS_BETWEEN_PAUSES)) {
    for (const token of tokenize(piece, language)) tokens.push(token);
    yield;
  }
  return tokens;
}

/**
 * The stems of a query word in these languages, without duplicates, as one list. A word in a script
 * without spaces has one list for each pair of its characters. Leaves out languages in which the word
 * is a stop word. If the word is a stop word in all these languages, the result is empty.
 */
export function stemQueryWord(word: string, languages: readonly string[]): readonly string[][] {
  if (word.length > CACHED_CHARACTERS_MAX) return stemsIn(word.toLowerCase(), languages);
  const key = `${languages.join()} ${word}`;
  const known = cachedQueryStems.get(key);
  if (known !== undefined) return known;
  if (cachedQueryStems.size >= CACHED_QUERY_WORDS_MAX) cachedQueryStems.clear();
  const stems = stemsIn(word.toLowerCase(), languages);
  cachedQueryStems.set(key, stems);
  return stems;
}

function stemsIn(word: string, languages: readonly string[]): string[][] {
  if (isInUnspacedScript(word)) return splitIntoQueryPairs(foldText(word)).map((pair) => [pair]);
  const stems = languages.flatMap((language) => {
    const base = baseLanguage(language);
    const token = tokenOf(word, { known: cachedTokens(base), language: base });
    return token.isStop ? [] : [token.stem, ...unaccentedStems(word, token.folded, base)];
  });
  return stems.length === 0 ? [] : [[...new Set(stems)]];
}

/** Tokenizes a single word in a script with spaces between words. */
export function tokenizeWord(word: string, language: string): Token {
  const base = baseLanguage(language);
  return tokenOf(word.toLowerCase(), { known: cachedTokens(base), language: base });
}

function pairToken(stem: string): Token {
  const known = pairTokens.get(stem);
  if (known !== undefined) return known;
  if (pairTokens.size >= CACHED_TOKENS_MAX) pairTokens.clear();
  const newToken = { stem, key: stem, hash: 0, folded: stem, isStop: false };
  pairTokens.set(stem, newToken);
  return newToken;
}

function tokenOf(
  word: string,
  { known, language }: { known: Map<string, Token>; language: string },
): Token {
  const token = known.get(word);
  if (token !== undefined) return token;
  if (known.size >= CACHED_TOKENS_MAX) known.clear();
  const folded = foldText(word);
  const isStop = stopWordsOf(language).has(folded);
  const stem = stemOf(word, language);
  const key = isStop ? stopWordKey(folded) : stem;
  const newToken = { stem, key, hash: hashWord(key), folded, isStop };
  known.set(word, newToken);
  return newToken;
}

export function hasStemmerOrStopWords(language: string): boolean {
  return STEMMERS[language] !== undefined || stopWordsOf(language).size > 0;
}

const ARABIC_START = /^\p{Script=Arabic}/u;

function stemOf(word: string, language: string): string {
  if (ARABIC_START.test(word)) return removeArabicArticle(foldText(word));
  const stemmer = STEMMERS[language];
  const composedWord = word.normalize("NFC");
  return foldText(
    stemmer === undefined || !STEMMABLE.test(composedWord) ? composedWord : stemmer(composedWord),
  );
}

/**
 * Stems a Greek word after removing its accents, because ancient texts have more accents than modern ones.
 * Removes a final ι, because the stemmer leaves it in φιλίας but not in φιλία.
 */
function greekStem(word: string): string {
  return greek(foldText(word)).replace(/ι$/, "");
}

function unaccentedStems(word: string, folded: string, language: string): string[] {
  const endings = ACCENTED_ENDINGS[language] ?? [];
  const accented = endings
    .filter(([plain]) => plain.test(folded))
    .map(([plain, ending]) => folded.replace(plain, ending));
  const others = word === folded ? accented : [folded, ...accented];
  return others.map((other) => stemOf(other, language));
}

function cachedTokens(language: string): Map<string, Token> {
  const known = tokensByLanguage.get(language);
  if (known !== undefined) return known;
  const newTokens = new Map<string, Token>();
  // Limits the number of cached languages. Few languages have a stemmer or stop words, but queries may name
  // any language tag.
  if (tokensByLanguage.size >= 100) tokensByLanguage.clear();
  tokensByLanguage.set(language, newTokens);
  return newTokens;
}
