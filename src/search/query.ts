import { AppError } from "../errors.ts";
import { isStopWord, withoutFiller } from "./language/stop-words.ts";
import { type Word, wordsOf } from "./language/words.ts";

export const SEARCH_CHARACTERS_MAX = 300;
/** Words that a search looks for; those too frequent to tell items apart are not. */
const SEARCH_TERMS_MAX = 32;
/** Hits are counted so far; beyond, a search says "more than". */
export const SEARCH_TOTAL_MAX = 1000;

/** How people and agents are told to ask, in catalogs and on the search page. */
export const QUERY_LANGUAGE =
  'Plain words find items with any of them, best matches first; "quoted words" must stand together in that order; -word leaves items out; begin* finds every word that begins so.';

export interface SearchWord extends Word {
  /** Asked as `begin*`. */
  isPrefix: boolean;
}

/** A search text taken apart. */
export interface SearchTerms {
  /**
   * Any of them may match; the more and the rarer, the better. Repetitions count. Words that only ask
   * (`find articles about`) are left out.
   */
  words: readonly SearchWord[];
  /** Each has to occur, word after word. */
  phrases: readonly (readonly string[])[];
  /** None may occur; longer ones are phrases. */
  excluded: readonly (readonly string[])[];
}

/** In order: an excluded or wanted phrase, or anything up to the next white space or quote. */
const PART = /(-?)"([^"]*)"|[^\s"]+/gu;
const QUOTES = /[“”„«»＂]/g;

/**
 * Reads the query language. Anything that is no word, phrase or exclusion is passed over, so that any
 * text can be searched for.
 *
 * @throws {AppError} `invalid` when the text is empty, too long, or says only what is not wanted.
 */
export function parseSearch(text: string): SearchTerms {
  if (text.trim() === "") {
    throw new AppError("invalid", "The search text is empty: give words to look for");
  }
  if (text.length > SEARCH_CHARACTERS_MAX) {
    throw new AppError(
      "invalid",
      `The search text has ${text.length} characters and may have ${SEARCH_CHARACTERS_MAX}: shorten it`,
    );
  }
  const terms = takeApart(text.replace(QUOTES, '"'));
  const telling = terms.words.filter((word) => !isStopWord(word.text));
  const asked = terms.phrases.flat().length + terms.excluded.flat().length + telling.length;
  if (asked > SEARCH_TERMS_MAX) {
    throw new AppError(
      "invalid",
      `The search text has ${asked} words to look for and may have ${SEARCH_TERMS_MAX}: leave some out`,
    );
  }
  if (terms.words.length + terms.phrases.length === 0 && terms.excluded.length > 0) {
    throw new AppError(
      "invalid",
      "The search text only says what to leave out: add a word to look for",
    );
  }
  return terms;
}

function takeApart(text: string): SearchTerms {
  const words: SearchWord[] = [];
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  for (const match of text.matchAll(PART)) {
    const [part, minus, quoted] = match;
    const isUnwanted = (minus ?? part).startsWith("-") && startsTerm(text, match.index);
    if (isUnwanted) excluded.push(textsOf(part));
    else if (quoted !== undefined) phrases.push(textsOf(quoted));
    else words.push(...askedWords(text, part, match.index));
  }
  const isSaid = (phrase: readonly string[]) => phrase.length > 0;
  return {
    words: withoutFiller(text, words),
    phrases: phrases.filter(isSaid),
    excluded: excluded.filter(isSaid),
  };
}

/** A hyphen within a word excludes nothing. */
function startsTerm(text: string, at: number): boolean {
  return at === 0 || /\s/u.test(text[at - 1] ?? "");
}

function askedWords(text: string, part: string, start: number): SearchWord[] {
  return wordsOf(part).map((word) => ({
    text: word.text,
    start: start + word.start,
    end: start + word.end,
    isPrefix: text[start + word.end] === "*",
  }));
}

function textsOf(text: string): string[] {
  return wordsOf(text).map((word) => word.text);
}

/**
 * The same question with its phrases as plain words, for when no item has them; null where there are
 * no other words, or where words are excluded: then the phrases are what is asked.
 */
export function withoutQuotes(text: string, terms: SearchTerms): string | null {
  const { words, phrases, excluded } = terms;
  if (phrases.length === 0 || words.length === 0 || excluded.length > 0) return null;
  return text.replace(QUOTES, '"').replaceAll('"', " ").replace(/\s+/gu, " ").trim();
}

/** The text with some of its words replaced, everything else as it was typed. */
export function replaceWords(
  text: string,
  replacements: readonly { word: SearchWord; by: string }[],
): string {
  let result = text;
  for (const { word, by } of [...replacements].sort((a, b) => b.word.start - a.word.start)) {
    result = result.slice(0, word.start) + by + result.slice(word.end);
  }
  return result;
}
