import { foldText } from "./language/folding.ts";
import { queryPairs, queryStems, stemOf } from "./language/stems.ts";
import { isStopWord } from "./language/stop-words.ts";
import { isUnspaced } from "./language/words.ts";
import type { SearchTerms } from "./query.ts";

/** A query word as it may appear in the index. */
export interface QueryWord {
  /** Any of these matches, in any language. */
  stems: readonly string[];
  /** Any stem with this prefix matches too. */
  prefix: string | null;
}

/** A query in terms of the index. */
export interface IndexQuery {
  /** Any may match; repetitions count. */
  words: readonly QueryWord[];
  /** Required phrases as an FTS5 expression; null: none. */
  phrases: string | null;
  /** For a query of stop words only (`to be or not to be`): FTS5 expressions, strictest first. */
  frequentWords: readonly string[];
  /** Stems to highlight in a snippet when the query has only stop words. */
  frequentStems: readonly string[];
  excludedWords: readonly QueryWord[];
  excludedPhrases: string | null;
}

/** @param languages those the site is in, its own first, or the one requested. */
export function toIndexQuery(terms: SearchTerms, languages: readonly string[]): IndexQuery {
  const language = likelyLanguage(terms, languages);
  const isSignificant = ({ text }: { text: string }) => !isStopWord(text, language);
  const words = terms.words.filter(isSignificant).flatMap(({ text, isPrefix }) => {
    const prefix = isPrefix || isOneOfPair(text) ? foldText(text) : null;
    return queryStems(text, languages).map((stems): QueryWord => ({ stems, prefix }));
  });
  const ofPhrases = terms.phrases
    .flat()
    .flatMap((text) => queryStems(text, languages))
    .map((stems): QueryWord => ({ stems, prefix: null }));
  const isWord = (words: readonly string[]) =>
    words.length === 1 &&
    !isUnspaced(words[0] ?? "") &&
    words.every((text) => isSignificant({ text }));
  const excludedPhrases = terms.excluded.filter((part) => !isWord(part));
  const said = [...terms.words.map(({ text }) => text), ...terms.phrases.flat()];
  const hasStopWordsOnly = words.length + terms.phrases.length === 0 && terms.words.length > 0;
  return {
    words: [...words, ...ofPhrases],
    phrases: allOf(terms.phrases.map((phrase) => phraseIn(phrase, languages))),
    frequentWords: hasStopWordsOnly ? readings(terms, languages) : [],
    frequentStems:
      words.length + ofPhrases.length > 0 ? [] : said.flatMap((text) => stemsOf(text, languages)),
    excludedWords: terms.excluded
      .filter(isWord)
      .flatMap(([text = ""]) =>
        queryStems(text, languages).map((stems): QueryWord => ({ stems, prefix: null })),
      ),
    excludedPhrases: anyOf(excludedPhrases.map((phrase) => phraseIn(phrase, languages))),
  };
}

function stemsOf(word: string, languages: readonly string[]): string[] {
  return isUnspaced(word) ? [] : languages.map((language) => stemOf(word, language));
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

/** As a phrase, as words that must all occur, as words of which any may occur. */
function readings({ words }: SearchTerms, languages: readonly string[]): string[] {
  const texts = words.map(({ text }) => text);
  const each = texts.map((text) => phraseIn([text], languages));
  return [phraseIn(texts, languages), allOf(each), anyOf(each)].filter((text) => text !== null);
}

/** The phrase in any of the languages; null: no words. */
function phraseIn(words: readonly string[], languages: readonly string[]): string | null {
  const phrases = languages.map((language) =>
    words
      .flatMap((word) => (isUnspaced(word) ? queryPairs(word) : [stemOf(word, language)]))
      .join(" "),
  );
  return anyOf([...new Set(phrases)].filter((said) => said !== "").map((said) => `"${said}"`));
}

function allOf(parts: readonly (string | null)[]): string | null {
  return joined(parts, " AND ");
}

function anyOf(parts: readonly (string | null)[]): string | null {
  return joined(parts, " OR ");
}

function joined(parts: readonly (string | null)[], by: string): string | null {
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : `(${said.join(by)})`;
}
