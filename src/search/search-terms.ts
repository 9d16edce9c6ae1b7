import { foldText, wordHash } from "./language/folding.ts";
import { otherNumerals } from "./language/numerals.ts";
import { queryPairs, queryStems, smallWordKey, wordToken } from "./language/stems.ts";
import { isStopWord, languagesWithStopWords } from "./language/stop-words.ts";
import { isUnspaced } from "./language/words.ts";
import { pairId } from "./postings/word-pairs.ts";
import type { SearchTerms, SearchWord } from "./query.ts";

/** In longer queries, adjacent words are looked up in one language only. */
const PAIRED_WORDS_MAX = 40;
/** Fewer stop words do not tell the language of a query. */
const FOREIGN_WORDS_MIN = 2;

/** A query word as it may appear in the index. */
export interface QueryWord {
  /** Any of these matches, in any language. */
  stems: readonly string[];
  /** Any stem with this prefix also matches. */
  prefix: string | null;
  /** A stop word or filler word; it counts only for proximity. */
  isSmall: boolean;
  /** A filler word, which need not match. */
  isFiller: boolean;
  /**
   * Whether it is part of the name of an item: then items related to that one match as well as by their
   * own text.
   */
  isName: boolean;
  /** Two characters of a run without spaces; the two may belong to different words. */
  isPair: boolean;
  /** Buckets of the pair of the previous word and this one, in any language; empty for the first word. */
  pairIds: readonly number[];
}

/** Words that must be adjacent: for each language, the keys of all words. */
export type Phrase = readonly (readonly string[])[];

/** A query in terms of the index. */
export interface IndexQuery {
  /** In order; any may match, and repetitions count. */
  words: readonly QueryWord[];
  /** All must occur. */
  phrases: readonly Phrase[];
  excludedWords: readonly QueryWord[];
  excludedPhrases: readonly Phrase[];
}

/**
 * @param languages those of the site, the query's own first; or only the requested one.
 * @param naming the words of `terms` that name an item.
 * @param isIndexed whether any item contains a stem; a stop word of another of these languages counts as
 * small only if no item contains any of its stems.
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
  const asked = { language, languages, isIndexed };
  const isWord = (words: readonly string[]) =>
    words.length === 1 && words.every((text) => !isUnspaced(text) && !isStopWord(text, language));
  return {
    words: [
      ...queryWords(
        terms.words.map((word) => ({ ...word, isName: naming.has(word) })),
        asked,
      ),
      ...terms.phrases.flatMap((phrase) => queryWords(phrase.map(plainWord), asked)),
    ],
    phrases: terms.phrases.map((phrase) => phraseIn(phrase, languages)),
    excludedWords: terms.excluded
      .filter(isWord)
      .flatMap(([text = ""]) => queryWords([plainWord(text)], asked)),
    excludedPhrases: terms.excluded
      .filter((part) => !isWord(part))
      .map((phrase) => phraseIn(phrase, languages)),
  };
}

type PlainWord = Pick<SearchWord, "text" | "isPrefix" | "isFiller"> & Pick<QueryWord, "isName">;

function plainWord(text: string): PlainWord {
  return { text, isPrefix: false, isFiller: false, isName: true };
}

function queryWords(
  words: readonly PlainWord[],
  {
    language,
    languages,
    isIndexed,
  }: { language: string; languages: readonly string[]; isIndexed: (stem: string) => boolean },
): QueryWord[] {
  return words.flatMap(({ text, isPrefix, isFiller, isName }, place): QueryWord[] => {
    const prefix = isPrefix || isOneOfPair(text) ? foldText(text) : null;
    if (isUnspaced(text)) {
      return queryStems(text, languages).map((stems) => ({
        stems,
        prefix,
        isSmall: isFiller,
        isFiller,
        isName,
        isPair: true,
        pairIds: [],
      }));
    }
    const stems = [text, ...otherNumerals(text)].flatMap((said) =>
      queryStems(said, languages).flat(),
    );
    const isStopWordOfAny = languages.some((one) => isStopWord(text, one));
    const before = words[place - 1]?.text;
    const paired = words.length > PAIRED_WORDS_MAX ? [language] : languages;
    const pairIds = before === undefined ? [] : wordPairIds(before, text, paired);
    const isSmall =
      isFiller || isStopWord(text, language) || (isStopWordOfAny && !stems.some(isIndexed));
    const small = isStopWordOfAny ? [smallWordKey(foldText(text))] : [];
    const known = isSmall ? [...small, ...stems] : stems;
    return [{ stems: known, prefix, isSmall, isFiller, isName, isPair: false, pairIds }];
  });
}

function wordPairIds(before: string, text: string, languages: readonly string[]): number[] {
  if (isUnspaced(before)) return [];
  const ids = languages.map((language) =>
    pairId(wordToken(before, language).hash, wordToken(text, language).hash),
  );
  return [...new Set(ids)];
}

/**
 * Whether it is a single character of a script without spaces, which is indexed as part of pairs only.
 */
function isOneOfPair(text: string): boolean {
  return isUnspaced(text) && [...text].length === 1;
}

/**
 * The languages, the query's own first: that of the site, unless more stop words belong to another one.
 */
export function likeliestFirst(terms: SearchTerms, languages: readonly string[]): string[] {
  const words = [...terms.words.map(({ text }) => text), ...terms.phrases.flat()];
  const [own = "en", ...others] = languages;
  const stopWords = (language: string) => words.filter((text) => isStopWord(text, language)).length;
  let likely = own;
  let most = Math.max(1, stopWords(own));
  for (const language of others) {
    if (stopWords(language) <= most) continue;
    likely = language;
    most = stopWords(language);
  }
  return [...new Set([likely, ...languages])];
}

/** Whether a language that is none of these has more of the words as stop words than any of these. */
export function isInOtherLanguage({ words }: SearchTerms, languages: readonly string[]): boolean {
  const stopWords = (language: string) =>
    words.filter(({ text }) => isStopWord(text, language)).length;
  const most = Math.max(FOREIGN_WORDS_MIN - 1, ...languages.map(stopWords));
  return languagesWithStopWords().some((language) => stopWords(language) > most);
}

/** The phrase as keys in each of the languages, without duplicates. */
function phraseIn(words: readonly string[], languages: readonly string[]): Phrase {
  const readings = languages.map((language) =>
    words.flatMap((word) =>
      isUnspaced(word) ? queryPairs(word) : [wordToken(word, language).key],
    ),
  );
  return [...new Map(readings.map((keys) => [keys.join(" "), keys])).values()];
}

/** Index ids of the pairs of adjacent words in a phrase. */
export function phrasePairIds(keys: readonly string[]): number[] {
  return keys.slice(1).map((key, place) => pairId(wordHash(keys[place] ?? ""), wordHash(key)));
}
