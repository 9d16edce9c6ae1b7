import { AppError, type Wording } from "../errors.ts";
import { findFillerWords } from "./language/filler-words.ts";
import { dropLoneSurrogate } from "./language/folding.ts";
import { type Word, wordsOf } from "./language/words.ts";

/** Search texts longer than this are truncated. */
export const SEARCH_CHARACTERS_MAX = 4000;
const WORDS_MAX = 700;
const LINE_WORDS_MIN = 4;
const PHRASES_MAX = 32;
const EXCLUDED_WORDS_MAX = 64;
/**
 * Hits are counted up to this number. If there are more, a search reports "more than" this number.
 */
export const COUNTED_HITS_MAX = 1000;

/** Help for people and agents, in catalogs and on the search page. */
export const QUERY_SYNTAX_HELP =
  'Plain words find items with any of them, best matches first; "quoted words" must stand together in that order; -word leaves items out; begin* finds every word that begins so.';

export interface SearchWord extends Word {
  /**
   * Whether the word is a filler, as in `find articles about`. A filler word is treated like a stop
   * word.
   */
  isFiller: boolean;
  /** Whether the word was typed as `prefix*`. */
  isPrefix: boolean;
}

/** A word to leave out: if it was typed as `-prefix*`, every word that begins so. */
export type ExcludedWord = Pick<SearchWord, "text" | "isPrefix">;

/** A parsed search text. */
export interface SearchTerms {
  /** The parsed text, to which the positions of the words refer. */
  text: string;
  /**
   * Words to search for. An item need not contain all of them. An item ranks higher if it has more of these
   * words, and if they are rarer. A repeated word counts repeatedly.
   */
  words: readonly SearchWord[];
  /** Phrases that must occur. */
  phrases: readonly (readonly string[])[];
  /** Words and phrases that must not occur; an entry of several words is a phrase. */
  excluded: readonly (readonly ExcludedWord[])[];
  /** Whether the text was too long and was truncated. */
  isShortened: boolean;
}

/**
 * Matches one part of a search text: an excluded or required phrase, or anything up to the next white space
 * or quotation mark.
 */
const QUERY_PART = /(-?)"([^"]*)"|[^\s"]+/gu;
/** Invisible hyphens, as in text copied from hyphenated pages and documents. */
const SOFT_HYPHENS = /\u00ad/g;
const QUOTATION_MARKS = /[“”„«»＂]/g;

/**
 * Parses a search text. Ignores anything that is not a word, phrase or exclusion, so that users can
 * search for any text. Truncates a text that is too long.
 *
 * @throws {AppError} `invalid` when the text is empty, only excludes words, or has too many phrases
 * or exclusions.
 */
export function parseSearch(text: string): SearchTerms {
  if (text.trim() === "") {
    throw new AppError("invalid", {
      en: "The search text is empty: give words to look for",
      de: "Der Suchtext ist leer: Geben Sie Wörter ein, nach denen gesucht werden soll",
    });
  }
  const terms = splitTerms(shorten(text).replace(SOFT_HYPHENS, "").replace(QUOTATION_MARKS, '"'));
  requireAtMost(terms.phrases.length, PHRASES_MAX, {
    en: "phrases in quotation marks",
    de: "Wendungen in Anführungszeichen",
  });
  requireAtMost(terms.excluded.flat().length, EXCLUDED_WORDS_MAX, {
    en: "words to exclude",
    de: "ausgeschlossene Wörter",
  });
  if (terms.words.length + terms.phrases.length === 0 && terms.excluded.length > 0) {
    throw new AppError("invalid", {
      en: "The search text only excludes words: add a word to look for",
      de: "Der Suchtext schließt nur Wörter aus: Fügen Sie eines hinzu, nach dem gesucht werden soll",
    });
  }
  const isCut = text.length > SEARCH_CHARACTERS_MAX || terms.words.length > WORDS_MAX;
  return { ...terms, words: terms.words.slice(0, WORDS_MAX), isShortened: isCut };
}

function shorten(text: string): string {
  if (text.length <= SEARCH_CHARACTERS_MAX) return text;
  const head = text.slice(0, SEARCH_CHARACTERS_MAX);
  const space = head.lastIndexOf(" ");
  return space === -1 ? dropLoneSurrogate(head) : head.slice(0, space);
}

function requireAtMost(count: number, max: number, noun: Wording): void {
  if (count <= max) return;
  throw new AppError("invalid", {
    en: `The search text has ${count} ${noun.en} and may have ${max}: leave some out`,
    de: `Der Suchtext hat ${count} ${noun.de}, und ${max} sind möglich: Lassen Sie einige weg`,
  });
}

function splitTerms(text: string): Omit<SearchTerms, "isShortened"> {
  const words: TypedWord[] = [];
  const phrases: string[][] = [];
  const excluded: ExcludedWord[][] = [];
  for (const match of text.matchAll(QUERY_PART)) {
    const [part, minus, quoted] = match;
    const isExcluded = (minus ?? part).startsWith("-") && startsTerm(text, match.index);
    const literal = quoted === undefined ? null : textsOf(quoted);
    if (isExcluded) excluded.push(literal?.map(literalWord) ?? typedWords(text, part, match.index));
    else if (literal !== null) phrases.push(literal);
    else words.push(...typedWords(text, part, match.index));
  }
  const filler = findFillerWords(text, words);
  const isNotEmpty = (phrase: readonly unknown[]) => phrase.length > 0;
  return {
    text,
    words: words.map((word) => ({ ...word, isFiller: filler.has(word) })),
    phrases: phrases.filter(isNotEmpty),
    excluded: excluded.filter(isNotEmpty),
  };
}

/** Whether a term starts at this position. A hyphen within a word does not start an exclusion. */
function startsTerm(text: string, at: number): boolean {
  return at === 0 || /\s/u.test(text[at - 1] ?? "");
}

type TypedWord = Omit<SearchWord, "isFiller">;

function typedWords(text: string, part: string, start: number): TypedWord[] {
  return wordsOf(part).map((word) => ({
    text: word.text,
    start: start + word.start,
    end: start + word.end,
    isPrefix: text[start + word.end] === "*",
  }));
}

function literalWord(text: string): ExcludedWord {
  return { text, isPrefix: false };
}

function textsOf(text: string): string[] {
  return wordsOf(text).map((word) => word.text);
}

/** Whether a phrase in quotation marks is long enough to be a line of a text rather than a term. */
export function isLongPhrase(phrase: readonly string[]): boolean {
  return phrase.length >= LINE_WORDS_MIN;
}

/**
 * The query with its phrases as plain words, for another search if no item contains the phrases. Null for a
 * query without phrases. Also null if the phrases are meant literally: if the query excludes words or
 * consists only of short phrases.
 */
export function unquotePhrases(text: string, terms: SearchTerms): string | null {
  const { words, phrases, excluded } = terms;
  if (phrases.length === 0 || excluded.length > 0) return null;
  if (words.length === 0 && !phrases.some(isLongPhrase)) return null;
  return text.replace(QUOTATION_MARKS, '"').replaceAll('"', " ").replace(/\s+/gu, " ").trim();
}

/** A title as words of a query. Its quotation marks would turn some of them into a phrase. */
export function removeQuotationMarks(title: string): string {
  return title.replace(QUOTATION_MARKS, '"').replaceAll('"', "");
}

/** Replaces some words of the text and keeps everything else as typed. */
export function replaceWords(
  text: string,
  replacements: readonly { word: Word; by: string }[],
): string {
  let result = text;
  for (const { word, by } of [...replacements].sort((a, b) => b.word.start - a.word.start)) {
    result = result.slice(0, word.start) + by + result.slice(word.end);
  }
  return result;
}

/**
 * Whether the query has operators (quotation marks, `-` or `*`). A query with operators searches for words,
 * not for a name.
 */
export function hasOperators({ words, phrases, excluded }: SearchTerms): boolean {
  return phrases.length + excluded.length > 0 || words.some(({ isPrefix }) => isPrefix);
}
