import type { DatabaseSync } from "node:sqlite";
import { Statements } from "../../storage/sqlite/statements.ts";
import { nameKey } from "../language/folding.ts";
import { tokensOf } from "../language/stems.ts";
import { PostingsWriter } from "./postings-writer.ts";
import { withBoundaries } from "./trigrams.ts";
import { WordWriter } from "./word-writer.ts";

/** Searchable text of an item; plain data, since another thread may write the index. */
export interface IndexedText {
  row: number;
  /** Was the item unpublished before? Then no index holds it. */
  isNew: boolean;
  /** May its names have changed: title, path, aliases? */
  isNamedAnew: boolean;
  type: string;
  language: string;
  path: string;
  /** One FTS column each, with different weights. */
  title: string;
  /** Other names of the item itself, such as aliases. */
  aliases: readonly string[];
  /** Names in the item's own fields and the titles of related items, in the item's language. */
  names: string;
  body: string;
}

/** Writes the search index and the indexes of names and words. */
export interface IndexWriter {
  write(items: readonly IndexedText[]): Generator<void>;
  remove(row: number): void;
  /** Writes postings buffered over many blocks. */
  finish(): Generator<void>;
  /** Drops buffered changes after a rollback. */
  discard(): void;
}

export function createIndexWriter(db: DatabaseSync): IndexWriter {
  return new SqliteIndexWriter(db);
}

/**
 * Writes each index in one go: a write to another table in between would make SQLite's FTS flush its
 * buffer.
 */
class SqliteIndexWriter implements IndexWriter {
  readonly #sql: Statements;
  readonly #postings: PostingsWriter;
  readonly #words: WordWriter;

  constructor(db: DatabaseSync) {
    this.#sql = new Statements(db);
    this.#postings = new PostingsWriter(this.#sql);
    this.#words = new WordWriter(this.#sql);
  }

  *write(items: readonly IndexedText[]): Generator<void> {
    this.#words.begin();
    for (const item of items) {
      this.#index(item);
      if (this.#postings.isFull()) yield* this.#postings.flush();
      yield;
    }
    for (const item of items) {
      if (!item.isNamedAnew) continue;
      const insert = item.isNew ? INSERT_NAMES : REPLACE_NAMES;
      this.#sql.of(insert).get(item.row, comparableNames(item));
      yield;
    }
    yield* this.#words.learn();
  }

  /**
   * Deleting from FTS tables leaves an internal number as the connection's last insert row id, too large
   * for JavaScript: any later `run` that inserts nothing would throw. Hence `get`, which does not read
   * it, and an insert that resets it.
   */
  remove(row: number): void {
    this.#postings.remove(row);
    this.#sql.of("DELETE FROM reading_name_trigram WHERE rowid = ?").get(row);
    this.#sql.of("INSERT OR REPLACE INTO reading_state SELECT * FROM reading_state").run();
  }

  *finish(): Generator<void> {
    yield* this.#postings.finish();
  }

  discard(): void {
    this.#postings.discard();
  }

  #index(item: IndexedText): void {
    const { row, isNew, type, language } = item;
    const columns = {
      title: repeatsBody(item) ? [] : tokensOf(item.title, language),
      names: tokensOf(item.names, language),
      body: tokensOf(item.body, language),
    };
    const kind = { type, language: language.toLowerCase() };
    this.#postings.put(row, columns, { isNew, kind });
    for (const tokens of Object.values(columns)) {
      for (const { folded } of tokens) this.#words.note(folded);
    }
  }
}

/** Is the title only how the text begins, or a text of one line? A single word is a heading. */
function repeatsBody({ title, body }: IndexedText): boolean {
  const isCut = title.endsWith("…");
  const start = isCut ? title.slice(0, -1) : `${title}\n`;
  const text = `${body.slice(0, title.length + SPACES_MAX).replace(/[^\S\n]+/gu, " ")}\n`;
  return text.startsWith(start) && (isCut || title.includes(" "));
}

/** White space that a title has once and a text more often. */
const SPACES_MAX = 20;
const INSERT_NAMES = "INSERT INTO reading_name_trigram (rowid, name) VALUES (?, ?)";
const REPLACE_NAMES = INSERT_NAMES.replace("INSERT", "INSERT OR REPLACE");

/** The title, the last path segment and the other names. */
function comparableNames({ title, path, aliases }: IndexedText): string {
  const names = new Set([nameKey(title), lastPartKey(path), ...aliases.map(nameKey)]);
  return [...names].map(withBoundaries).join(" ");
}

/** `/authors/marcus-aurelius` becomes `marcus aurelius`. */
export function lastPartKey(path: string): string {
  return nameKey(path.slice(path.lastIndexOf("/") + 1));
}
