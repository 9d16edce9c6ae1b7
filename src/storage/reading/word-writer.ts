import { numberOf, textOf } from "./columns.ts";
import type { Statements } from "./statements.ts";
import { bounded } from "./trigrams.ts";

const REMEMBERED_WORDS_MAX = 200_000;
/** Longer runs of letters are no words anyone misspells. */
const WORD_CHARACTERS_MAX = 30;

/** Keeps every word that ever stood in the index, for telling what a misspelled one was meant to be. */
export class WordWriter {
  readonly #sql: Statements;
  readonly #known = new Set<string>();
  #lastWord = -1;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  learn(texts: Iterable<readonly string[]>): void {
    const last = this.#forgetRolledBack();
    const words = new Set<string>();
    for (const text of texts) {
      for (const word of text) {
        if (this.#known.has(word) || word.length > WORD_CHARACTERS_MAX) continue;
        this.#known.add(word);
        words.add(word);
      }
    }
    if (words.size === 0) return;
    this.#sql
      .of("INSERT OR IGNORE INTO reading_word (word) SELECT value FROM json_each(?)")
      .get(JSON.stringify([...words]));
    const learnt = this.#sql.of("SELECT id, word FROM reading_word WHERE id > ?").all(last);
    const insert = this.#sql.of("INSERT INTO reading_word_trigram (rowid, word) VALUES (?, ?)");
    for (const found of learnt) {
      this.#lastWord = numberOf(found, "id");
      insert.run(this.#lastWord, bounded(textOf(found, "word")));
    }
  }

  /**
   * Another last word than ours: a transaction was rolled back, or another process wrote.
   * @returns the number of the last word there is.
   */
  #forgetRolledBack(): number {
    const last = this.#sql.of("SELECT coalesce(max(id), 0) AS id FROM reading_word").get();
    const lastWord = numberOf(last ?? {}, "id");
    if (lastWord !== this.#lastWord || this.#known.size > REMEMBERED_WORDS_MAX) this.#known.clear();
    this.#lastWord = lastWord;
    return lastWord;
  }
}
