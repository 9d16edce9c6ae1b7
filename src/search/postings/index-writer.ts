import type { DatabaseSync } from "node:sqlite";
import { StatementCache } from "../../storage/sqlite/statements.ts";
import { nameKey } from "../language/folding.ts";
import { type Token, tokenize, tokenizeInSteps } from "../language/stems.ts";
import { PostingsWriter } from "./postings-writer.ts";
import { addBoundaryMarks } from "./trigrams.ts";
import { SpellingWordWriter } from "./word-writer.ts";

/** The searchable text of an item. Plain data, because another thread may write the index. */
export interface TextToIndex {
  row: number;
  /** Whether the item was not published before and therefore is in no index. */
  isNew: boolean;
  /** Whether the item's names may have changed: title, path, aliases. */
  mayHaveNewNames: boolean;
  type: string;
  language: string;
  path: string;
  title: string;
  /** Names of the item in addition to its title. */
  aliases: readonly string[];
  /**
   * The names in the item's fields and the titles of related items. All are tokenized in the item's language.
   */
  names: string;
  body: string;
}

/** An item whose `names` have changed and whose other texts have not. */
export interface ItemWithChangedNames extends Pick<TextToIndex, "row" | "language" | "names"> {
  namesBefore: string;
}

/** Writes the search index and the indexes of names and words. */
export interface IndexWriter {
  write(items: readonly TextToIndex[]): Generator<void>;
  remove(row: number): void;
  /** Writes postings that are buffered across batches. */
  finish(): Generator<void>;
  /** Drops buffered changes after a rollback. */
  discard(): void;
}

export interface NameUpdatingIndexWriter extends IndexWriter {
  /**
   * Replaces only the names of items. @returns the rows of the items for which this was impossible. The
   * caller must write these items as a whole.
   */
  rename(items: readonly ItemWithChangedNames[]): Generator<void, number[]>;
}

/** Opens a writer of all indexes on a connection. */
export function createIndexWriter(db: DatabaseSync): NameUpdatingIndexWriter {
  return new SqliteIndexWriter(db);
}

/**
 * Writes to one index at a time, because a write to another table in between would make SQLite's FTS flush
 * its buffer.
 */
class SqliteIndexWriter implements NameUpdatingIndexWriter {
  readonly #sql: StatementCache;
  readonly #postings: PostingsWriter;
  readonly #words: SpellingWordWriter;

  constructor(db: DatabaseSync) {
    this.#sql = new StatementCache(db);
    this.#postings = new PostingsWriter(this.#sql);
    this.#words = new SpellingWordWriter(this.#sql);
  }

  *write(items: readonly TextToIndex[]): Generator<void> {
    this.#words.begin();
    for (const item of items) {
      yield* this.#index(item);
      if (this.#postings.isFull()) yield* this.#postings.flush();
      yield;
    }
    for (const item of items) {
      if (!item.mayHaveNewNames) continue;
      const insert = item.isNew ? INSERT_NAMES : REPLACE_NAMES;
      this.#sql.of(insert).get(item.row, comparableNames(item));
      yield;
    }
    yield* this.#words.learn();
  }

  *rename(items: readonly ItemWithChangedNames[]): Generator<void, number[]> {
    const toWriteWhole: number[] = [];
    this.#words.begin();
    for (const { row, language, namesBefore, names } of items) {
      const after = tokenize(names, language);
      if (this.#postings.rename(row, tokenize(namesBefore, language), after)) this.#note(after);
      else toWriteWhole.push(row);
      if (this.#postings.isFull()) yield* this.#postings.flush();
      yield;
    }
    yield* this.#words.learn();
    return toWriteWhole;
  }

  /**
   * Removes an item from all indexes. Deleting from an FTS table sets the connection's last insert row id to
   * an internal number that is too large for JavaScript. Any later `run` that inserts nothing would then
   * throw. Therefore this method uses `get`, which does not read the id. The next insert resets the id.
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

  /** Also yields within an item, because a text of a megabyte can have a hundred thousand words. */
  *#index(item: TextToIndex): Generator<void> {
    const { row, isNew, type, language } = item;
    const columns = {
      title: repeatsBody(item) ? [] : tokenize(item.title, language),
      names: yield* tokenizeInSteps(item.names, language),
      body: yield* tokenizeInSteps(item.body, language),
    };
    const kind = { type, language: language.toLowerCase() };
    yield* this.#postings.put(row, columns, { isNew, kind });
    yield;
    for (const tokens of Object.values(columns)) this.#note(tokens);
  }

  #note(tokens: readonly Token[]): void {
    for (const { folded } of tokens) this.#words.note(folded);
  }
}

/**
 * True if the title only repeats the body: it is the first line of the body, or the start of the body with
 * `…` after it. False for a first line of a single word, because it is a heading.
 */
function repeatsBody({ title, body }: TextToIndex): boolean {
  const isCut = title.endsWith("…");
  const repeated = isCut ? title.slice(0, -1) : `${title}\n`;
  const bodyStart = `${body.slice(0, title.length + EXTRA_SPACES_MAX).replace(/[^\S\n]+/gu, " ")}\n`;
  return bodyStart.startsWith(repeated) && (isCut || title.includes(" "));
}

/**
 * A title counts as the start of the body even if the body has up to this many more white-space characters.
 */
const EXTRA_SPACES_MAX = 20;
const INSERT_NAMES = "INSERT INTO reading_name_trigram (rowid, name) VALUES (?, ?)";
const REPLACE_NAMES = INSERT_NAMES.replace("INSERT", "INSERT OR REPLACE");

/**
 * The names by which a search for similar names finds an item: the title, the last path segment and
 * the aliases.
 */
function comparableNames({ title, path, aliases }: TextToIndex): string {
  const names = new Set([nameKey(title), nameKeyOfPath(path), ...aliases.map(nameKey)]);
  return [...names].map(addBoundaryMarks).join(" ");
}

/** The name key of the last path segment: `marcus aurelius` for `/authors/marcus-aurelius`. */
export function nameKeyOfPath(path: string): string {
  return nameKey(path.slice(path.lastIndexOf("/") + 1));
}
