import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { addBoundaryMarks } from "./trigrams.ts";

const CACHED_WORDS_MAX = 200_000;
/**
 * Sequences of letters that are longer than this are not words, and are omitted from spelling suggestions.
 */
const WORD_CHARACTERS_MAX = 30;
/** Words stored per step. A step takes a few milliseconds. */
const WORDS_AT_ONCE = 2048;

/** Stores every word ever indexed, except very long ones, for spelling suggestions. */
export class SpellingWordWriter {
  readonly #sql: StatementCache;
  readonly #known = new Set<string>();
  #noted = new Set<string>();
  #lastWordId = -1;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /** Buffers a word until {@link SpellingWordWriter.learn}. */
  note(word: string): void {
    if (!this.#known.has(word) && word.length <= WORD_CHARACTERS_MAX) this.#noted.add(word);
  }

  /** Drops buffered words and, after a rollback, the cache. Call before the first `note`. */
  begin(): void {
    this.#noted.clear();
    this.#forgetRolledBack();
  }

  /** Stores the buffered words. */
  *learn(): Generator<void> {
    const words = [...this.#noted];
    this.#noted = new Set();
    for (let from = 0; from < words.length; from += WORDS_AT_ONCE) {
      yield* this.#store(words.slice(from, from + WORDS_AT_ONCE));
    }
  }

  *#store(words: readonly string[]): Generator<void> {
    const last = this.#lastWordId;
    for (const word of words) this.#known.add(word);
    this.#sql
      .of(
        `INSERT OR IGNORE INTO reading_word
         SELECT ?1 + j.key + 1, j.value, row_hash(?1 + j.key + 1, j.value) FROM json_each(?2) j`,
      )
      .get(last, JSON.stringify(words));
    const newWords = this.#sql.of("SELECT id, word FROM reading_word WHERE id > ?").all(last);
    const insert = this.#sql.of("INSERT INTO reading_word_trigram (rowid, word) VALUES (?, ?)");
    for (const found of newWords) {
      this.#lastWordId = numberOf(found, "id");
      insert.run(this.#lastWordId, addBoundaryMarks(textOf(found, "word")));
      yield;
    }
  }

  /**
   * Drops the cache if this writer did not assign the last id, because then a transaction was rolled back
   * or another process wrote.
   */
  #forgetRolledBack(): void {
    const last = this.#sql.of("SELECT coalesce(max(id), 0) AS id FROM reading_word").get();
    const lastWordId = numberOf(last ?? {}, "id");
    if (lastWordId !== this.#lastWordId || this.#known.size > CACHED_WORDS_MAX) this.#known.clear();
    this.#lastWordId = lastWordId;
  }
}
