import { foldText, wordHash } from "./language/folding.ts";
import { otherNumerals } from "./language/numerals.ts";
import { queryPairs, queryStems, smallWordKey, wordToken } from "./language/stems.ts";
import { isStopWord } from "./language/stop-words.ts";
import { isUnspaced } from "./language/words.ts";
import { pairId } from "./postings/word-pairs.ts";
import type { SearchTerms, SearchWord } from "./query.ts";

/** Neighbouring words of longer queries are looked up in one language only. */
const PAIRED_WORDS_MAX = 40;

/** A query word as it may appear in the index. */
export interface QueryWord {
  /** Any of these matches, in any language. */
  stems: readonly string[];
  /** Any stem with this prefix matches too. */
  prefix: string | null;
  /** A stop word or one that only asks; it counts only where words stand together. */
  isSmall: boolean;
  /** Only asks, and need not be found. */
  isFiller: boolean;
  /** Buckets of this word and the one before, in any language; empty if there is none before. */
  pairIds: readonly number[];
}

/** Words that must stand together: the keys of each word, by language. */
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

/** @param languages those the site is in, its own first, or the one requested. */
export function toIndexQuery(terms: SearchTerms, languages: readonly string[]): IndexQuery {
  const language = likelyLanguage(terms, languages);
  const asked = { language, languages };
  const isWord = (words: readonly string[]) =>
    words.length === 1 && words.every((text) => !isUnspaced(text) && !isStopWord(text, language));
  return {
    words: [
      ...queryWords(terms.words, asked),
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

type PlainWord = Pick<SearchWord, "text" | "isPrefix" | "isFiller">;

function plainWord(text: string): PlainWord {
  return { text, isPrefix: false, isFiller: false };
}

function queryWords(
  words: readonly PlainWord[],
  { language, languages }: { language: string; languages: readonly string[] },
): QueryWord[] {
  return words.flatMap(({ text, isPrefix, isFiller }, place): QueryWord[] => {
    const prefix = isPrefix || isOneOfPair(text) ? foldText(text) : null;
    if (isUnspaced(text)) {
      return queryStems(text, languages).map((stems) => ({
        stems,
        prefix,
        isSmall: isFiller,
        isFiller,
        pairIds: [],
      }));
    }
    const isSmall = isFiller || isStopWord(text, language);
    const stems = [text, ...otherNumerals(text)].flatMap((said) =>
      queryStems(said, languages).flat(),
    );
    const small = languages.some((one) => isStopWord(text, one))
      ? [smallWordKey(foldText(text))]
      : [];
    const before = words[place - 1]?.text;
    const paired = words.length > PAIRED_WORDS_MAX ? [language] : languages;
    const pairIds = before === undefined ? [] : pairsOf(before, text, paired);
    return [{ stems: isSmall ? [...small, ...stems] : stems, prefix, isSmall, isFiller, pairIds }];
  });
}

function pairsOf(before: string, text: string, languages: readonly string[]): number[] {
  if (isUnspaced(before)) return [];
  const ids = languages.map((language) =>
    pairId(wordToken(before, language).hash, wordToken(text, language).hash),
  );
  return [...new Set(ids)];
}

/** Scripts without spaces are indexed as pairs of characters. */
function isOneOfPair(text: string): boolean {
  return isUnspaced(text) && [...text].length === 1;
}

/** The site's own language, unless the query's stop words indicate another one. */
function likelyLanguage({ words }: SearchTerms, languages: readonly string[]): string {
  const [own = "en", ...others] = languages;
  const stopWords = (language: string) =>
    words.filter(({ text }) => isStopWord(text, language)).length;
  let likely = own;
  let most = Math.max(1, stopWords(own));
  for (const language of others) {
    if (stopWords(language) <= most) continue;
    likely = language;
    most = stopWords(language);
  }
  return likely;
}

/** The phrase in each of the languages. */
function phraseIn(words: readonly string[], languages: readonly string[]): Phrase {
  const readings = languages.map((language) =>
    words.flatMap((word) =>
      isUnspaced(word) ? queryPairs(word) : [wordToken(word, language).key],
    ),
  );
  return [...new Map(readings.map((keys) => [keys.join(" "), keys])).values()];
}

/** Buckets of the adjacent words of a phrase in one language. */
export function pairsIn(keys: readonly string[]): number[] {
  return keys.slice(1).map((key, place) => pairId(wordHash(keys[place] ?? ""), wordHash(key)));
}
