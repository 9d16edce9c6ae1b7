import { requireRowHash } from "../storage/reading/hashed-rows.ts";
import { textOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { foldText } from "./language/folding.ts";
import { slipsTo, slipsWithin } from "./language/similarity.ts";
import { queryStems, wordToken } from "./language/stems.ts";
import { isStopWord, stopWordsOf } from "./language/stop-words.ts";
import { isUnspaced } from "./language/words.ts";
import type { Postings } from "./postings/postings.ts";
import { rowsSharingTrigrams } from "./postings/trigrams.ts";
import { pairId } from "./postings/word-pairs.ts";
import { replaceWords, type SearchTerms } from "./query.ts";
import { isInOtherLanguage } from "./search-terms.ts";

const CANDIDATES_MAX = 200;
/** Correcting a word costs more than searching for one. */
const CORRECTED_WORDS_MAX = 8;
/** Longer texts are not corrected, as one wrong word matters little in them. */
const READ_WORDS_MAX = 60;
const CORRECTED_CHARACTERS_MIN = 4;
/**
 * Words this short are corrected only to words that occur next to one of their neighbours in the query.
 */
const CORRECTED_AMONG_OTHERS_MIN = 3;
const CORRECTED_CHARACTERS_MAX = 30;
const CAPITALISED = /^\p{Lu}/u;
/** Assumed number of items with a stop word, as stop words have no postings to count. */
const FREQUENT_ITEMS = 100_000;
/** Weight of a word's frequency relative to how often it occurs next to its neighbours. */
const USE_SHARE = 0.5;
/** The number of candidates whose neighbours are looked up. */
const COMPARED_MAX = 8;

interface Candidate {
  word: string;
  distance: number;
  items: number;
}

/** The words around a misspelled one, with their languages. */
interface Surroundings {
  languages: readonly string[];
  before: string | null;
  after: string | null;
}

/** Suggests corrections from the words in the index. */
export class Spelling {
  readonly #sql: Statements;
  readonly #postings: Postings;

  constructor(sql: Statements, postings: Postings) {
    this.#sql = sql;
    this.#postings = postings;
  }

  /**
   * The text with its unknown words corrected; null if nothing was corrected. In a query in a language
   * other than these, only capitalised words are, as names may be known.
   */
  correctedText(terms: SearchTerms, languages: readonly string[]): string | null {
    const { text, words } = terms;
    if (words.length > READ_WORDS_MAX) return null;
    const isForeign = isInOtherLanguage(terms, languages);
    const unknown = words.filter(
      (word) =>
        !word.isPrefix &&
        !word.isFiller &&
        !(isForeign && !CAPITALISED.test(word.text)) &&
        !languages.some((language) => isStopWord(word.text, language)) &&
        this.#itemsWith(word.text, languages) === 0,
    );
    const replacements = unknown.slice(0, CORRECTED_WORDS_MAX).flatMap((word) => {
      const place = words.indexOf(word);
      const before = words[place - 1]?.text ?? null;
      const after = words[place + 1]?.text ?? null;
      const by = this.#correction(word.text, { languages, before, after });
      return by === null ? [] : [{ word, by }];
    });
    return replacements.length === 0 ? null : replaceWords(text, replacements);
  }

  /**
   * Whether every word occurs in the index exactly as typed; English stop words and runs without spaces
   * count as if they did.
   */
  areWritten({ words }: SearchTerms): boolean {
    return words.every(({ text }) => {
      const word = foldText(text);
      const found = this.#sql.of("SELECT 1 FROM reading_word WHERE word = ?").get(word);
      return found !== undefined || isStopWord(word) || isUnspaced(word);
    });
  }

  /**
   * Null if no similar word is known. In a query of several words, it may be a stop word of the first
   * language.
   */
  #correction(asked: string, around: Surroundings): string | null {
    const { languages, before, after } = around;
    const isAlone = before === null && after === null;
    const word = foldText(asked);
    const charactersMin = isAlone ? CORRECTED_CHARACTERS_MIN : CORRECTED_AMONG_OTHERS_MIN;
    if (word.length < charactersMin || word.length > CORRECTED_CHARACTERS_MAX) return null;
    if (isUnspaced(word) || /\p{N}/u.test(word)) return null;
    const slips = slipsWithin(word);
    const frequent = stopWordsOf(isAlone ? "" : (languages[0] ?? ""));
    const candidates = [...frequent, ...this.#similar(word)].flatMap((other): Candidate[] => {
      const distance = slipsToWord(word, other, { slips, languages });
      if (distance > slips) return [];
      const items = frequent.has(other) ? FREQUENT_ITEMS : this.#itemsWith(other, languages);
      return items === 0 ? [] : [{ word: other, distance, items }];
    });
    const nearest = Math.min(...candidates.map(({ distance }) => distance));
    const [best] = candidates
      .filter(({ distance }) => distance === nearest)
      .sort((a, b) => b.items - a.items)
      .slice(0, COMPARED_MAX)
      .map((one) => ({ ...one, likelihood: this.#likelihood(one, { ...around, asked: word }) }))
      .filter(({ likelihood }) => word.length >= CORRECTED_CHARACTERS_MIN || likelihood.isTogether)
      .sort((a, b) => b.likelihood.score - a.likelihood.score);
    return best?.word ?? null;
  }

  /**
   * How likely the word was meant, on a logarithmic scale: by how often it occurs next to its neighbours,
   * how common it is, and how common the slip.
   */
  #likelihood(
    { word, items }: Candidate,
    { asked, languages, before, after }: Surroundings & { asked: string },
  ): { score: number; isTogether: boolean } {
    const [language = ""] = languages;
    const hash = (text: string) => wordToken(text, language).hash;
    const pairs = [
      ...(before === null ? [] : [pairId(hash(before), hash(word))]),
      ...(after === null ? [] : [pairId(hash(word), hash(after))]),
    ];
    const together = pairs.map((id) => this.#postings.stemById(id)?.items ?? 0);
    const score = together.reduce((sum, count) => sum + Math.log(count + 0.5), 0);
    return {
      score: score + USE_SHARE * Math.log(items) + slipLikelihood(asked, word),
      isTogether: together.some((count) => count > 0),
    };
  }

  /**
   * Number of items with the most frequent stem of the word; 1 for stop words, which have no postings.
   */
  #itemsWith(word: string, languages: readonly string[]): number {
    if (languages.some((language) => isStopWord(word, language))) return 1;
    const stems = queryStems(word, languages).flat();
    return Math.max(0, ...stems.map((stem) => this.#postings.stem(stem)?.items ?? 0));
  }

  #similar(word: string): string[] {
    const sharing = rowsSharingTrigrams(this.#sql, "reading_word", {
      text: word,
      limit: CANDIDATES_MAX,
    });
    const words = this.#sql
      .listing(
        `SELECT w.id, w.word, w.hash FROM json_each(?) j CROSS JOIN reading_word w ON w.id = j.value
         UNION ALL SELECT w.id, w.word, w.hash FROM json_each(?) j CROSS JOIN reading_word w ON w.word = j.value`,
      )
      .all(JSON.stringify(sharing), JSON.stringify(transposed(word)))
      .map((found) => {
        requireRowHash(found, 2, "reading_word");
        return textOf(found, 1);
      });
    return [...new Set(words)];
  }
}

/**
 * How common the slip is: first letters are seldom wrong, and omissions are more frequent than
 * substitutions (J. J. Pollock, A. Zamora: Automatic Spelling Correction in Scientific and Scholarly
 * Text, CACM 27(4), 1984).
 */
function slipLikelihood(asked: string, word: string): number {
  return (asked[0] === word[0] ? 1.5 : 0) + (asked.length < word.length ? 1 : 0);
}

/**
 * Edit distance of a word to another or to its stem: "lanten" is near "lantern", which occurs only as
 * "lanterns".
 */
function slipsToWord(
  word: string,
  other: string,
  { slips, languages }: { slips: number; languages: readonly string[] },
): number {
  const distance = slipsTo(word, other, slips);
  if (distance <= slips || other.length <= word.length || other[0] !== word[0]) return distance;
  const stems = queryStems(other, languages).flat();
  const beginning = stems.filter((stem) => other.startsWith(stem));
  return Math.min(distance, ...beginning.map((stem) => slipsTo(word, stem, slips)));
}

/**
 * The word with each two adjacent letters transposed: such a slip in the middle of a short word changes
 * all its trigrams, so they do not find it.
 */
function transposed(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, at) => {
    const [before, after] = [characters.slice(0, at), characters.slice(at + 2)];
    return [...before, character, characters[at], ...after].join("");
  });
}
