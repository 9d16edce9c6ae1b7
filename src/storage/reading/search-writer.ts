import type { ContentType, ContentTypes, FieldValue } from "../../content/content-type.ts";
import { nameKey } from "../../content/folding.ts";
import { numberOf, textOf } from "./columns.ts";
import { PostingsWriter } from "./postings-writer.ts";
import type { Statements } from "./statements.ts";
import { type Token, tokensOf } from "./stems.ts";
import { bounded } from "./trigrams.ts";
import { WordWriter } from "./word-writer.ts";

/** An item as the reading copy holds it, and the rows it points at. */
export interface SearchedItem {
  row: number;
  /** Was it not published before? Then no index holds it. */
  isNew: boolean;
  type: ContentType;
  language: string;
  title: string;
  path: string;
  fields: Readonly<Record<string, FieldValue>>;
  /** The body as plain text. */
  text: string;
  targets: readonly number[];
}

/** What an item is found by, one column each; the columns weigh differently. */
interface Columns {
  title: readonly Token[];
  names: readonly Token[];
  body: readonly Token[];
}

/** The stems of each column as one text. */
interface Phrases {
  item: SearchedItem;
  title: string;
  names: string;
  body: string;
}

/**
 * Keeps the search index and the indexes of names and words in step with the items. What is put is
 * kept back until {@link SearchWriter.flush}, which writes each index in one go: a write of another
 * table in between would make SQLite's full text index write out its buffer.
 */
export class SearchWriter {
  readonly #sql: Statements;
  readonly #postings: PostingsWriter;
  readonly #words: WordWriter;
  readonly #puts = new Map<number, SearchedItem>();
  readonly #again = new Set<number>();

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#postings = new PostingsWriter(sql);
    this.#words = new WordWriter(sql);
  }

  put(item: SearchedItem): void {
    this.#puts.set(item.row, item);
  }

  /** Items are found by the titles of those they point at, and one of these has changed. */
  putAgain(row: number): void {
    this.#again.add(row);
  }

  /**
   * Deleting from these indexes leaves an internal number as the connection's last insert row, too
   * large for JavaScript: any later `run` that inserts nothing would throw. Hence `get`, which does
   * not ask for it, and an insert that sets it back.
   */
  remove(row: number): void {
    this.#postings.remove(row);
    for (const index of ["reading_phrase", "reading_name_trigram"]) {
      this.#sql.of(`DELETE FROM ${index} WHERE rowid = ?`).get(row);
    }
    this.#sql.of("INSERT OR REPLACE INTO reading_state SELECT * FROM reading_state").run();
  }

  /**
   * Call after the items, their bodies and their links were written, and before the transaction ends
   * {@link SearchWriter.finish}.
   */
  *flush(types: ContentTypes): Generator<void> {
    const items = [...this.#puts.values(), ...this.#stored(types)];
    const titles = this.#titlesOf(items);
    // Of what an item is found by, only the text of its stems is held until all were analysed.
    const phrases: Phrases[] = [];
    this.#words.begin();
    for (const item of items) {
      phrases.push(this.#analyse(item, titles));
      yield;
    }
    if (this.#postings.isFull()) yield* this.#postings.flush();
    for (const phrase of phrases) {
      this.#indexPhrases(phrase);
      yield;
    }
    for (const item of items) {
      const insert = item.isNew ? INSERT_NAMES : REPLACE_NAMES;
      this.#sql.of(insert).get(item.row, comparableNames(item.title, item.path));
    }
    this.#words.learn();
    this.#forget();
  }

  /** Writes the part of the index that is kept back over many blocks. */
  *finish(): Generator<void> {
    yield* this.#postings.finish();
  }

  discard(): void {
    this.#forget();
    this.#postings.discard();
  }

  #forget(): void {
    this.#puts.clear();
    this.#again.clear();
  }

  /** Those to be put again that are still published, and not put anyhow. */
  #stored(types: ContentTypes): SearchedItem[] {
    return [...this.#again].flatMap((row) => {
      if (this.#puts.has(row)) return [];
      const found = this.#sql
        .of(
          `SELECT i.type, i.language, i.title, i.path, i.fields, i.text, b.text_rest FROM reading_item i
           CROSS JOIN reading_body b ON b.row = i.row WHERE i.row = ?`,
        )
        .get(row);
      const type = found === undefined ? undefined : types.get(textOf(found, "type"));
      if (found === undefined || type === undefined) return [];
      const targets = this.#sql
        .of("SELECT target FROM reading_link WHERE source = ? ORDER BY relation, position")
        .all(row)
        .map((link) => numberOf(link, "target"));
      return {
        row,
        isNew: false,
        type,
        language: textOf(found, "language"),
        title: textOf(found, "title"),
        path: textOf(found, "path"),
        fields: JSON.parse(textOf(found, "fields")),
        text: textOf(found, "text") + textOf(found, "text_rest"),
        targets,
      };
    });
  }

  /** The titles of all the published items these point at, by row. */
  #titlesOf(items: readonly SearchedItem[]): ReadonlyMap<number, string> {
    const targets = new Set(items.flatMap((item) => item.targets));
    const found = this.#sql
      .of("SELECT row, title FROM reading_item WHERE row IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify([...targets]));
    return new Map(found.map((target) => [numberOf(target, "row"), textOf(target, "title")]));
  }

  #analyse(item: SearchedItem, titles: ReadonlyMap<number, string>): Phrases {
    const { row, isNew, type, language } = item;
    const columns = columnsOf(item, titles);
    const kind = { type: type.name, language: language.toLowerCase() };
    this.#postings.put(row, columns, { isNew, kind });
    const { title, names, body } = columns;
    for (const tokens of [title, names, body]) {
      for (const { folded } of tokens) this.#words.note(folded);
    }
    return { item, title: stemsOf(title), names: stemsOf(names), body: stemsOf(body) };
  }

  #indexPhrases({ item, title, names, body }: Phrases): void {
    const insert = item.isNew ? INSERT_PHRASES : REPLACE_PHRASES;
    this.#sql.of(insert).get(item.row, title, names, body);
  }
}

const INSERT_PHRASES = "INSERT INTO reading_phrase (rowid, title, names, body) VALUES (?, ?, ?, ?)";
const REPLACE_PHRASES = INSERT_PHRASES.replace("INSERT", "INSERT OR REPLACE");
const INSERT_NAMES = "INSERT INTO reading_name_trigram (rowid, name) VALUES (?, ?)";
const REPLACE_NAMES = INSERT_NAMES.replace("INSERT", "INSERT OR REPLACE");

function stemsOf(tokens: readonly Token[]): string {
  let text = "";
  for (const { stem } of tokens) text += text === "" ? stem : ` ${stem}`;
  return text;
}

/** Names of related items are read in the language of the item that names them. */
function columnsOf(
  { type, language, title, fields: given, text, targets }: SearchedItem,
  titles: ReadonlyMap<number, string>,
): Columns {
  const fields = searchedFields(type, given);
  const related = [...new Set(targets)].map((row) => titles.get(row) ?? "");
  return {
    title: tokensOf(title, language),
    names: tokensOf([...fields.names, ...related].join("\n"), language),
    body: tokensOf([text, ...fields.texts].join("\n"), language),
  };
}

/** The title and the last part of the path. */
function comparableNames(title: string, path: string): string {
  const names = new Set([nameKey(title), lastPartKey(path)]);
  return [...names].map(bounded).join(" ");
}

/** `/authors/marcus-aurelius` is compared as `marcus aurelius`. */
export function lastPartKey(path: string): string {
  return nameKey(path.slice(path.lastIndexOf("/") + 1));
}

/** Lists of names are as good as titles of related items; addresses are no words. */
function searchedFields(
  type: ContentType,
  fields: Readonly<Record<string, FieldValue>>,
): { names: string[]; texts: string[] } {
  const names: string[] = [];
  const texts: string[] = [];
  for (const [name, { kind }] of Object.entries(type.fields)) {
    const value = fields[name];
    if (value === undefined || typeof value === "number" || typeof value === "boolean") continue;
    if (kind === "text_list") names.push(...[value].flat().filter(isNoAddress));
    if (kind === "text" || kind === "markdown") texts.push(...[value].flat());
  }
  return { names, texts };
}

function isNoAddress(text: string): boolean {
  return !/^[a-z]+:\/\//i.test(text);
}
