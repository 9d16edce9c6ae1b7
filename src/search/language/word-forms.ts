import { foldText } from "./folding.ts";
import { isInUnspacedScript } from "./words.ts";

/** The Arabic article with the particles attached to it (`الكتاب`: the book; `والكتاب`: and the book). */
const ARABIC_ARTICLE = /^(?:[وفبك]?ال|لل)(?=\p{Script=Arabic}{3})/u;

/**
 * Removes the Arabic article from a folded word. Recognizes Arabic by its script instead of the language,
 * because a query is tokenized in only a few languages.
 */
export function removeArabicArticle(folded: string): string {
  return folded.replace(ARABIC_ARTICLE, "");
}

/**
 * Splits a text in a script without spaces into pairs of adjacent characters. Adds the last
 * character alone, so that a search by prefix finds every single character.
 */
export function splitIntoIndexPairs(run: string): string[] {
  const characters = [...foldText(run)];
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

/**
 * Splits a text in a script without spaces into pairs of adjacent characters. Returns a single
 * character unchanged.
 */
export function splitIntoQueryPairs(run: string): string[] {
  const pairs = splitIntoIndexPairs(run);
  return pairs.length === 1 ? pairs : pairs.slice(0, -1);
}

/**
 * The forms in which a query word may occur in texts: the folded word or, in a script without
 * spaces, its pairs of characters.
 */
export function formsOfQueryWord(word: string): string[] {
  return isInUnspacedScript(word)
    ? splitIntoQueryPairs(word)
    : [removeArabicArticle(foldText(word))];
}
