import { requireRowHash } from "../storage/reading/hashed-rows.ts";
import { textOf } from "../storage/sqlite/columns.ts";
import type { Statements } from "../storage/sqlite/statements.ts";
import { foldText } from "./language/folding.ts";
import { editDistance } from "./language/similarity.ts";
import { queryStems } from "./language/stems.ts";
import { isStopWord, stopWordsOf } from "./language/stop-words.ts";
import { isUnspaced } from "./language/words.ts";
import type { Postings } from "./postings/postings.ts";
import { rowsSharingTrigrams } from "./postings/trigrams.ts";
import { replaceWords, SEARCH_CHARACTERS_MAX, type SearchTerms } from "./query.ts";

const CANDIDATES_MAX = 200;
const CORRECTED_CHARACTERS_MIN = 4;
const CORRECTED_CHARACTERS_MAX = 30;
/** From this length on, two typos are accepted if the first letter is right. */
const TWO_SLIPS_CHARACTERS_MIN = 8;
/** The item count of a stop word: more than any indexed word has. */
const FREQUENT_ITEMS = Number.MAX_SAFE_INTEGER;

interface Candidate {
  word: string;
  distance: number;
  items: number;
}

/** Suggests corrections from the words in the index. */
export class Spelling {
  readonly #sql: Statements;
  readonly #postings: Postings;

  constructor(sql: Statements, postings: Postings) {
    this.#sql = sql;
    this.#postings = postings;
  }

  /** The text with its unknown words corrected; null if there are none, or if it gets too long. */
  correctedText(text: string, { words }: SearchTerms, languages: readonly string[]): string | null {
    const replacements = words.flatMap((word) => {
      if (word.isPrefix || languages.some((language) => isStopWord(word.text, language))) return [];
      const by = this.correction(word.text, { languages, isAlone: words.length === 1 });
      return by === null ? [] : [{ word, by }];
    });
    const corrected = replaceWords(text, replacements);
    return replacements.length === 0 || corrected.length > SEARCH_CHARACTERS_MAX ? null : corrected;
  }

  /**
   * Null if the word matches something in any of the languages, or if nothing similar is known. Next to
   * other words (`isAlone: false`), suggestions include stop words of the first language.
   */
  correction(
    asked: string,
    { languages, isAlone }: { languages: readonly string[]; isAlone: boolean },
  ): string | null {
    const word = foldText(asked);
    if (word.length < CORRECTED_CHARACTERS_MIN || word.length > CORRECTED_CHARACTERS_MAX)
      return null;
    if (isUnspaced(word) || /\p{N}/u.test(word) || this.#isKnown(asked, languages)) return null;
    const slips = word.length < TWO_SLIPS_CHARACTERS_MIN ? 1 : 2;
    const frequent = stopWordsOf(isAlone ? "" : (languages[0] ?? ""));
    const candidates = [...frequent, ...this.#similar(word)].flatMap((other): Candidate[] => {
      const distance = editDistance(word, other, slips);
      if (distance > slips || (distance > 1 && other[0] !== word[0])) return [];
      const items = frequent.has(other) ? FREQUENT_ITEMS : this.#itemsWith(other, languages);
      return items === 0 ? [] : [{ word: other, distance, items }];
    });
    const [best] = candidates.sort((a, b) => a.distance - b.distance || b.items - a.items);
    return best?.word ?? null;
  }

  #isKnown(word: string, languages: readonly string[]): boolean {
    return this.#itemsWith(word, languages) > 0;
  }

  /** Number of items that contain the word in any form; stop words count as being everywhere. */
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

/** Transposing two letters in the middle of a short word changes all its trigrams. */
function transposed(word: string): string[] {
  const characters = [...word];
  return characters.slice(1).map((character, at) => {
    const [before, after] = [characters.slice(0, at), characters.slice(at + 2)];
    return [...before, character, characters[at], ...after].join("");
  });
}
