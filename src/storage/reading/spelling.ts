import { editDistance } from "../../content/likeness.ts";
import { isStopWord } from "../../content/stop-words.ts";
import { numberOf, textOf } from "./columns.ts";
import type { Statements } from "./statements.ts";
import { stemOf } from "./stems.ts";
import { rowsSharingTrigrams } from "./trigrams.ts";

const CANDIDATES_MAX = 200;
const CORRECTED_CHARACTERS_MIN = 4;
const CORRECTED_CHARACTERS_MAX = 30;
/** From this length on two slips are believed, if the first letter is right. */
const TWO_SLIPS_CHARACTERS_MIN = 8;

interface Candidate {
  word: string;
  distance: number;
  items: number;
}

/** Finds the word that was meant among the words the index knows. */
export class Spelling {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Null when the folded word finds something as it is, or nothing like it is known. */
  correction(word: string): string | null {
    if (word.length < CORRECTED_CHARACTERS_MIN || word.length > CORRECTED_CHARACTERS_MAX)
      return null;
    if (/\p{N}/u.test(word) || this.#itemsWith(word) > 0) return null;
    const slips = word.length < TWO_SLIPS_CHARACTERS_MIN ? 1 : 2;
    const candidates = this.#alike(word).flatMap((other): Candidate[] => {
      const distance = editDistance(word, other, slips);
      if (distance > slips || (distance > 1 && other[0] !== word[0])) return [];
      const items = this.#itemsWith(other);
      return items === 0 && !isStopWord(other) ? [] : [{ word: other, distance, items }];
    });
    const [best] = candidates.sort((a, b) => a.distance - b.distance || b.items - a.items);
    return best?.word ?? null;
  }

  /** How many items contain the word in any of its forms. */
  #itemsWith(word: string): number {
    const found = this.#sql.of("SELECT doc FROM reading_term WHERE term = ?").get(stemOf(word));
    return found === undefined ? 0 : numberOf(found, "doc");
  }

  #alike(word: string): string[] {
    return rowsSharingTrigrams(this.#sql, "reading_word", {
      text: word,
      limit: CANDIDATES_MAX,
    }).map((id) =>
      textOf(this.#sql.of("SELECT word FROM reading_word WHERE id = ?").get(id) ?? {}, "word"),
    );
  }
}
