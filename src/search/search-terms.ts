import { foldText, hashWord } from "./language/folding.ts";
import { equivalentNumerals } from "./language/numerals.ts";
import { stemQueryWord, stopWordKey, tokenizeWord } from "./language/stems.ts";
import { isStopWord, languagesWithStopWords } from "./language/stop-words.ts";
import { splitIntoQueryPairs } from "./language/word-forms.ts";
import { isInUnspacedScript } from "./language/words.ts";
import { wordPairBucketNumber } from "./postings/word-pairs.ts";
import type { ExcludedWord, SearchTerms, SearchWord } from "./query.ts";

/** If a query has more words than this, its pairs of adjacent words are looked up in only one language. */
const PAIRED_WORDS_MAX = 40;
/**
 * A query counts as written in another language only if it has at least this many stop words of that
 * language.
 */
const FOREIGN_STOP_WORDS_MIN = 2;

/** A query word as it may appear in the index. */
export interface QueryWord {
  /** The stems of the word in all languages. An item matches if it has one of the stems. */
  stems: readonly string[];
  /** Any stem with this prefix matches too; null if the word is no prefix. */
  prefix: string | null;
  /** Whether the word is a stop word or filler word, which counts only for proximity. */
  isStopOrFiller: boolean;
  /** Whether the word is a filler word, which need not match. */
  isFiller: boolean;
  /**
   * Whether the word belongs to the name of an item. If so, items related to that item match just
   * as well as items with the word in their own text.
   */
  isName: boolean;
  /**
   * Whether this is not a word but a pair of characters in a script without spaces. The two characters may
   * belong to different words.
   */
  isPair: boolean;
  /**
   * For each language, the number of the bucket for the pair of the previous word and this word. Empty
   * for the first word.
   */
  pairIds: readonly number[];
}

/** A phrase: words that must be adjacent. Each entry has the keys of all its words in one language. */
export type PhraseInLanguages = readonly (readonly string[])[];

/** A query as it is looked up in the index. */
export interface IndexQuery {
  /**
   * The words in the order of the query. Any word may match, and repeated words count repeatedly.
   */
  words: readonly QueryWord[];
  /** Phrases that must occur. */
  phrases: readonly PhraseInLanguages[];
  excludedWords: readonly QueryWord[];
  excludedPhrases: readonly PhraseInLanguages[];
}

/**
 * Translates a query into the terms of the index.
 *
 * @param languages the languages of the site, beginning with the language of the query. If a language
 * was requested, only that language.
 * @param naming the words of `terms` that name an item.
 * @param isIndexed whether any item contains a stem. A stop word of the first language is always
 * treated as a stop word. A stop word of another language is treated as a stop word only if no item
 * contains any of its stems.
 */
export function toIndexQuery(
  terms: SearchTerms,
  {
    languages,
    naming,
    isIndexed,
  }: {
    languages: readonly string[];
    naming: ReadonlySet<SearchWord>;
    isIndexed: (stem: string) => boolean;
  },
): IndexQuery {
  const [language = "en"] = languages;
  const wordOptions = { language, languages, isIndexed };
  const isSingleWord = (words: readonly ExcludedWord[]) =>
    words.length === 1 &&
    words.every(
      ({ text, isPrefix }) =>
        !isInUnspacedScript(text) && (isPrefix || !isStopWord(text, language)),
    );
  return {
    words: [
      ...queryWords(
        terms.words.map((word) => ({ ...word, isName: naming.has(word) })),
        wordOptions,
      ),
      ...terms.phrases.flatMap((phrase) => queryWords(phrase.map(plainWord), wordOptions)),
    ],
    phrases: terms.phrases.map((phrase) => phraseIn(phrase, languages)),
    excludedWords: terms.excluded
      .filter(isSingleWord)
      .flatMap((words) => queryWords(words.map(plainExcludedWord), wordOptions)),
    excludedPhrases: terms.excluded
      .filter((part) => !isSingleWord(part))
      .map((phrase) =>
        phraseIn(
          phrase.map(({ text }) => text),
          languages,
        ),
      ),
  };
}

type PlainWord = Pick<SearchWord, "text" | "isPrefix" | "isFiller"> & Pick<QueryWord, "isName">;

function plainWord(text: string): PlainWord {
  return { text, isPrefix: false, isFiller: false, isName: true };
}

function plainExcludedWord({ text, isPrefix }: ExcludedWord): PlainWord {
  return { ...plainWord(text), isPrefix };
}

function queryWords(
  words: readonly PlainWord[],
  {
    language,
    languages,
    isIndexed,
  }: { language: string; languages: readonly string[]; isIndexed: (stem: string) => boolean },
): QueryWord[] {
  return words.flatMap(({ text, isPrefix, isFiller, isName }, position): QueryWord[] => {
    const prefix = isPrefix || isHalfOfPair(text) ? foldText(text) : null;
    if (isInUnspacedScript(text)) {
      return stemQueryWord(text, languages).map((stems) => ({
        stems,
        prefix,
        isStopOrFiller: isFiller,
        isFiller,
        isName,
        isPair: true,
        pairIds: [],
      }));
    }
    const stems = [text, ...equivalentNumerals(text)].flatMap((form) =>
      stemQueryWord(form, languages).flat(),
    );
    const isStopWordOfAny = languages.some((one) => isStopWord(text, one));
    const before = words[position - 1]?.text;
    const pairLanguages = words.length > PAIRED_WORDS_MAX ? [language] : languages;
    const pairIds = before === undefined ? [] : wordPairIds(before, text, pairLanguages);
    const isStopOrFiller =
      isFiller || isStopWord(text, language) || (isStopWordOfAny && !stems.some(isIndexed));
    const stopWordKeys = isStopWordOfAny ? [stopWordKey(foldText(text))] : [];
    const keys = isStopOrFiller ? [...stopWordKeys, ...stems] : stems;
    return [{ stems: keys, prefix, isStopOrFiller, isFiller, isName, isPair: false, pairIds }];
  });
}

function wordPairIds(before: string, text: string, languages: readonly string[]): number[] {
  if (isInUnspacedScript(before)) return [];
  const ids = languages.map((language) =>
    wordPairBucketNumber(tokenizeWord(before, language).hash, tokenizeWord(text, language).hash),
  );
  return [...new Set(ids)];
}

/**
 * Whether the text is a single character in a script without spaces, which is indexed only as part of pairs.
 */
function isHalfOfPair(text: string): boolean {
  return isInUnspacedScript(text) && [...text].length === 1;
}

/**
 * Moves the likeliest language of the query to the front: the language with the most stop words in the
 * query. If several languages have equally many, moves the first of them.
 */
export function moveLikeliestLanguageFirst(
  terms: SearchTerms,
  languages: readonly string[],
): string[] {
  const words = [...terms.words.map(({ text }) => text), ...terms.phrases.flat()];
  const [first = "en", ...others] = languages;
  const stopWords = (language: string) => words.filter((text) => isStopWord(text, language)).length;
  let likeliest = first;
  let most = Math.max(1, stopWords(first));
  for (const language of others) {
    if (stopWords(language) <= most) continue;
    likeliest = language;
    most = stopWords(language);
  }
  return [...new Set([likeliest, ...languages])];
}

/** Whether some other language has more stop words in the query than every language in `languages`. */
export function isInOtherLanguage({ words }: SearchTerms, languages: readonly string[]): boolean {
  const stopWords = (language: string) =>
    words.filter(({ text }) => isStopWord(text, language)).length;
  const most = Math.max(FOREIGN_STOP_WORDS_MIN - 1, ...languages.map(stopWords));
  return languagesWithStopWords().some((language) => stopWords(language) > most);
}

/** The keys of the phrase in each language, without duplicates. */
function phraseIn(words: readonly string[], languages: readonly string[]): PhraseInLanguages {
  const readings = languages.map((language) =>
    words.flatMap((word) =>
      isInUnspacedScript(word) ? splitIntoQueryPairs(word) : [tokenizeWord(word, language).key],
    ),
  );
  return [...new Map(readings.map((keys) => [keys.join(" "), keys])).values()];
}

/** Index ids of the pairs of adjacent words in a phrase. */
export function wordPairBucketsOfPhrase(keys: readonly string[]): number[] {
  return keys
    .slice(1)
    .map((key, at) => wordPairBucketNumber(hashWord(keys[at] ?? ""), hashWord(key)));
}
