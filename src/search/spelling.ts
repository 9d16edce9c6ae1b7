import type { ContentTypes } from "../content/types/content-type.ts";
import { requireRowHash } from "../storage/reading/hashed-rows.ts";
import { textOf } from "../storage/sqlite/columns.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import { foldText } from "./language/folding.ts";
import { maxTyposFor, typoDistance } from "./language/similarity.ts";
import { stemQueryWord, tokenizeWord } from "./language/stems.ts";
import { isStopWord, stopWordsOf } from "./language/stop-words.ts";
import { isInUnspacedScript } from "./language/words.ts";
import { findSimilarPersonNameWords } from "./postings/name-words.ts";
import { type Postings, rowOf } from "./postings/postings.ts";
import { findRowsSharingTrigrams } from "./postings/trigrams.ts";
import { wordPairBucketNumber } from "./postings/word-pairs.ts";
import { replaceWords, type SearchTerms } from "./query.ts";
import type { RowFilter } from "./search-filters.ts";
import { isInOtherLanguage } from "./search-terms.ts";

const CANDIDATES_MAX = 200;
/** Limit of words to correct in a query, because correcting a word costs more than searching for it. */
const CORRECTED_WORDS_MAX = 8;
/** Queries with more words than this are not corrected, because one wrong word matters little in them. */
const QUERY_WORDS_MAX = 60;
const CORRECTED_CHARACTERS_MIN = 4;
/**
 * Words shorter than this are never corrected. Any other word shorter than {@link CORRECTED_CHARACTERS_MIN}
 * is corrected only if the index has the correction next to a neighbour of the word in the query.
 */
const CORRECTED_WITH_NEIGHBOURS_MIN = 3;
const CORRECTED_CHARACTERS_MAX = 30;
const CAPITALIZED = /^\p{Lu}/u;
/** Assumed number of items that contain a stop word, because stop words have no postings to count. */
const STOP_WORD_ITEMS = 100_000;
/** Weight of how frequent a word is in all texts, relative to how frequent it is next to its neighbours. */
const FREQUENCY_WEIGHT = 0.5;
/**
 * Added to the likelihood of a word that belongs to a person's name, because visitors mostly search for
 * names.
 */
const NAME_LIKELIHOOD = 2;
/** In words of at least this length, two replaced letters are plausible slips. */
const TWO_REPLACED_CHARACTERS_MIN = 9;
/**
 * A word is compared by its stem only if its ending has at most this many characters. Otherwise
 * "marginalized" would be a correction of "martin".
 */
const ENDING_CHARACTERS_MAX = 5;
/** The number of candidates whose neighbours are looked up. */
const COMPARED_MAX = 8;
/** Limit of posting entries read per query to check whether candidates occur in the items searched. */
const READ_ENTRIES_MAX = 32_768;

interface Candidate {
  word: string;
  distance: number;
  items: number;
  isName: boolean;
}

export interface SearchedContent {
  types: ContentTypes;
  languages: readonly string[];
  /** Null if all items are allowed. */
  isAllowed: RowFilter["isAllowed"];
}

/** The words before and after a misspelled word, and the content that the query searches. */
interface WordContext extends SearchedContent {
  before: string | null;
  after: string | null;
  budget: Budget;
}

/**
 * The number of posting entries that a query may still read. Once it is 0, every word is assumed to
 * occur in the items searched.
 */
interface Budget {
  entries: number;
}

/** Corrects misspelled words with similar words in the index. */
export class SpellingCorrector {
  readonly #sql: StatementCache;
  readonly #postings: Postings;

  constructor(sql: StatementCache, postings: Postings) {
    this.#sql = sql;
    this.#postings = postings;
  }

  /**
   * Replaces unknown words of a query with words of the searched items; null if nothing was replaced.
   * If the query is in none of the `languages`, corrects only capitalized words, because only they may
   * be names in the index.
   */
  correctedText(terms: SearchTerms, searched: SearchedContent): string | null {
    const { text, words } = terms;
    const { languages } = searched;
    if (words.length > QUERY_WORDS_MAX) return null;
    const isForeign = isInOtherLanguage(terms, languages);
    const unknownWords = words.filter(
      (word) =>
        !word.isPrefix &&
        !word.isFiller &&
        !(isForeign && !CAPITALIZED.test(word.text)) &&
        !languages.some((language) => isStopWord(word.text, language)) &&
        this.#itemsWith(word.text, languages) === 0,
    );
    const budget = { entries: READ_ENTRIES_MAX };
    const replacements = unknownWords.slice(0, CORRECTED_WORDS_MAX).flatMap((word) => {
      const position = words.indexOf(word);
      const before = words[position - 1]?.text ?? null;
      const after = words[position + 1]?.text ?? null;
      const correction = this.#correction(word.text, { ...searched, before, after, budget });
      return correction === null ? [] : [{ word, by: correction }];
    });
    return replacements.length === 0 ? null : replaceWords(text, replacements);
  }

  /**
   * Whether every word occurs in the index exactly as typed. English stop words and words in
   * scripts without spaces count as indexed.
   */
  areAllIndexed({ words }: SearchTerms): boolean {
    return words.every(({ text }) => {
      const word = foldText(text);
      const found = this.#sql.of("SELECT 1 FROM reading_word WHERE word = ?").get(word);
      return found !== undefined || isStopWord(word) || isInUnspacedScript(word);
    });
  }

  /**
   * The likeliest correction of a word; null if no similar word is known. In a query of several
   * words, the correction may be a stop word of the first language.
   */
  #correction(typed: string, context: WordContext): string | null {
    const { types, languages, before, after } = context;
    const isAlone = before === null && after === null;
    const word = foldText(typed);
    const charactersMin = isAlone ? CORRECTED_CHARACTERS_MIN : CORRECTED_WITH_NEIGHBOURS_MIN;
    if (word.length < charactersMin || word.length > CORRECTED_CHARACTERS_MAX) return null;
    if (isInUnspacedScript(word) || /\p{N}/u.test(word)) return null;
    const slips = maxTyposFor(word);
    const stopWords = stopWordsOf(isAlone ? "" : (languages[0] ?? ""));
    const names = findSimilarPersonNameWords(this.#sql, word, types);
    const similar = new Set([...stopWords, ...names.keys(), ...this.#similar(word)]);
    const candidates = [...similar].flatMap((other): Candidate[] => {
      const distance = slipsToWord(word, other, { slips, languages });
      if (distance > slips) return [];
      if (isFarFetched(word, other, distance) && !names.has(other)) return [];
      const items = stopWords.has(other) ? STOP_WORD_ITEMS : this.#itemsWith(other, languages);
      return items === 0 ? [] : [{ word: other, distance, items, isName: names.has(other) }];
    });
    const leastDistance = Math.min(...candidates.map(({ distance }) => distance));
    const best = candidates
      .filter(({ distance }) => distance === leastDistance)
      .sort((a, b) => Number(b.isName) - Number(a.isName) || b.items - a.items)
      .slice(0, COMPARED_MAX)
      .map((one) => ({ ...one, likelihood: this.#likelihood(one, { ...context, typed: word }) }))
      .filter(
        ({ likelihood }) =>
          word.length >= CORRECTED_CHARACTERS_MIN || likelihood.occursWithNeighbour,
      )
      .sort((a, b) => b.likelihood.score - a.likelihood.score)
      .find(({ word: other }) => stopWords.has(other) || this.#occurs(other, context));
    if (best === undefined) return null;
    return names.get(best.word) ?? (CAPITALIZED.test(typed) ? capitalized(best.word) : best.word);
  }

  /**
   * Scores how likely it is that `word` was meant, on a logarithmic scale. Considers how often `word`
   * occurs next to the neighbours of the typed word, how many items have `word`, and how common the slip
   * is.
   */
  #likelihood(
    { word, items, isName }: Candidate,
    { typed, languages, before, after }: WordContext & { typed: string },
  ): { score: number; occursWithNeighbour: boolean } {
    const [language = ""] = languages;
    const hash = (text: string) => tokenizeWord(text, language).hash;
    const pairs = [
      ...(before === null ? [] : [wordPairBucketNumber(hash(before), hash(word))]),
      ...(after === null ? [] : [wordPairBucketNumber(hash(word), hash(after))]),
    ];
    const pairItems = pairs.map((id) => this.#postings.stemById(id)?.items ?? 0);
    const pairScore = pairItems.reduce((sum, count) => sum + Math.log(count + 0.5), 0);
    return {
      score:
        pairScore +
        FREQUENCY_WEIGHT * Math.log(items) +
        slipLikelihood(typed, word) +
        (isName ? NAME_LIKELIHOOD : 0),
      occursWithNeighbour: pairItems.some((count) => count > 0),
    };
  }

  /**
   * The number of items that contain the most frequent stem of the word; 1 for stop words, which have no
   * postings.
   */
  #itemsWith(word: string, languages: readonly string[]): number {
    if (languages.some((language) => isStopWord(word, language))) return 1;
    const stems = stemQueryWord(word, languages).flat();
    return Math.max(0, ...stems.map((stem) => this.#postings.stem(stem)?.items ?? 0));
  }

  /** Whether an allowed item contains the word. */
  #occurs(word: string, { languages, isAllowed, budget }: WordContext): boolean {
    if (isAllowed === null) return true;
    const stems = stemQueryWord(word, languages).flat();
    return stems.some((stem) => {
      const id = this.#postings.stem(stem)?.id;
      return id !== undefined && this.#hasAllowed(id, isAllowed, budget);
    });
  }

  #hasAllowed(stemId: number, isAllowed: (row: number) => boolean, budget: Budget): boolean {
    for (const { entries, firstRow } of this.#postings.blocks(stemId)) {
      if (entries.some((entry) => isAllowed(firstRow + rowOf(entry)))) return true;
      budget.entries -= entries.length;
      if (budget.entries <= 0) return true;
    }
    return false;
  }

  #similar(word: string): string[] {
    const rows = findRowsSharingTrigrams(this.#sql, "reading_word", {
      text: word,
      limit: CANDIDATES_MAX,
    });
    const words = this.#sql
      .withArrayRows(
        `SELECT w.id, w.word, w.hash FROM json_each(?) j CROSS JOIN reading_word w ON w.id = j.value
         UNION ALL SELECT w.id, w.word, w.hash FROM json_each(?) j CROSS JOIN reading_word w ON w.word = j.value`,
      )
      .all(JSON.stringify(rows), JSON.stringify(transpositions(word)))
      .map((found) => {
        requireRowHash(found, 2, "reading_word");
        return textOf(found, 1);
      });
    return [...new Set(words)];
  }
}

/**
 * True if two letters of a short word were replaced and one of them is the last, as in "einstein" and
 * "einsteht".
 */
function isFarFetched(word: string, other: string, distance: number): boolean {
  const isReplaced = distance > 1 && word.length === other.length;
  return isReplaced && word.at(-1) !== other.at(-1) && word.length < TWO_REPLACED_CHARACTERS_MIN;
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * How common the slip is. First letters are seldom wrong, and omissions are more frequent than substitutions
 * (J. J. Pollock, A. Zamora: Automatic Spelling Correction in Scientific and Scholarly
 * Text, CACM 27(4), 1984).
 */
function slipLikelihood(typed: string, word: string): number {
  return (typed[0] === word[0] ? 1.5 : 0) + (typed.length < word.length ? 1 : 0);
}

/**
 * The edit distance from a word to another word, or to the stem of the other word if that is nearer. The
 * stem helps if the index has only other forms: "lanten" is near the stem of "lanterns".
 */
function slipsToWord(
  word: string,
  other: string,
  { slips, languages }: { slips: number; languages: readonly string[] },
): number {
  const distance = typoDistance(word, other, slips);
  if (distance <= slips || other.length <= word.length || other[0] !== word[0]) return distance;
  const stems = stemQueryWord(other, languages).flat();
  const prefixes = stems.filter(
    (stem) => other.startsWith(stem) && other.length - stem.length <= ENDING_CHARACTERS_MAX,
  );
  return Math.min(distance, ...prefixes.map((stem) => typoDistance(word, stem, slips)));
}

/**
 * All words that differ from this one by a transposition of two adjacent letters. Trigrams do not find these,
 * because such a slip in the middle of a short word changes all its trigrams.
 */
function transpositions(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, at) => {
    const [before, after] = [characters.slice(0, at), characters.slice(at + 2)];
    return [...before, character, characters[at], ...after].join("");
  });
}
