import { formsOfQueryWord } from "../../search/language/word-forms.ts";
import { isInUnspacedScript, wordsOf } from "../../search/language/words.ts";

/** Limit of words in a query. If a query is longer, only its longest words are used. */
export const QUERY_WORDS_MAX = 12;
/**
 * A word also finds longer words that begin with it, but only if it has at least this many
 * characters.
 */
const BEGINNING_CHARACTERS_MIN = 3;

/** A word form to look up. */
export interface QueryWordForm {
  form: string;
  /** Whether to also find longer words that begin with the form. */
  isBeginning: boolean;
}

/** The word forms to look up for a query. The last word may be incomplete. */
export function queryWordFormsOf(text: string): QueryWordForm[] {
  const words = wordsOf(text.toLowerCase()).map((word) => word.text);
  return words.flatMap((word, at) => {
    const forms = formsOfQueryWord(word);
    const isLast = at === words.length - 1;
    return forms.map((form, part): QueryWordForm => {
      if (isInUnspacedScript(word)) return { form, isBeginning: [...form].length === 1 };
      const isLong = form.length >= BEGINNING_CHARACTERS_MIN;
      return { form, isBeginning: isLast && part === forms.length - 1 && isLong };
    });
  });
}

/** If there are too many words, keeps only the longest, which are likely the most selective. */
export function keepLongestWordForms(lookups: readonly QueryWordForm[]): readonly QueryWordForm[] {
  if (lookups.length <= QUERY_WORDS_MAX) return lookups;
  return lookups.toSorted((a, b) => b.form.length - a.form.length).slice(0, QUERY_WORDS_MAX);
}
