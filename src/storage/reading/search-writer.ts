import type { ContentType, FieldValue } from "../../content/content-type.ts";
import { nameKey } from "../../content/folding.ts";
import { isStopWord } from "../../content/stop-words.ts";
import { numberOf, textOf } from "./columns.ts";
import type { Statements } from "./statements.ts";
import { foldedWords, stemOf } from "./stems.ts";
import { bounded } from "./trigrams.ts";

const REMEMBERED_WORDS_MAX = 200_000;
/** Longer runs of letters are no words anyone misspells. */
const WORD_CHARACTERS_MAX = 30;

/** What an item is found by, one column each; the columns weigh differently. */
interface Searched {
  title: string[];
  names: string[];
  body: string[];
}

/** Keeps the search index and the indexes of names and words in step with the items. */
export class SearchWriter {
  readonly #sql: Statements;
  readonly #words = new Set<string>();
  #lastWord = -1;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Call after the item, its body and its links were put. */
  put(row: number, type: ContentType): void {
    const item = this.#sql
      .of(
        `SELECT i.title, i.path, i.fields, i.text, b.text_rest FROM reading_item i
         CROSS JOIN reading_body b ON b.row = i.row WHERE i.row = ?`,
      )
      .get(row);
    if (item === undefined) return;
    const title = textOf(item, "title");
    const fields = searchedFields(type, JSON.parse(textOf(item, "fields")));
    const searched: Searched = {
      title: foldedWords(title),
      names: foldedWords([...fields.names, ...this.#relatedNames(row)].join("\n")),
      body: foldedWords(
        [textOf(item, "text") + textOf(item, "text_rest"), ...fields.texts].join("\n"),
      ),
    };
    const columns = [searched.title, searched.names, searched.body];
    this.#index("reading_search", row, columns.map(tellingWords));
    this.#index("reading_phrase", row, columns);
    this.#sql
      .of("INSERT OR REPLACE INTO reading_name_trigram (rowid, name) VALUES (?, ?)")
      .run(row, comparableNames(title, textOf(item, "path")));
    this.#learnWords(new Set([...searched.title, ...searched.names, ...searched.body]));
  }

  /**
   * Deleting from these indexes leaves an internal number as the connection's last insert row, too
   * large for JavaScript: any later `run` that inserts nothing would throw. Hence `get`, which does
   * not ask for it, and an insert that sets it back.
   */
  remove(row: number): void {
    for (const index of ["reading_search", "reading_phrase", "reading_name_trigram"]) {
      this.#sql.of(`DELETE FROM ${index} WHERE rowid = ?`).get(row);
    }
    this.#sql.of("INSERT OR REPLACE INTO reading_state SELECT * FROM reading_state").run();
  }

  #index(index: string, row: number, columns: readonly (readonly string[])[]): void {
    const stems = columns.map((words) => words.map(stemOf).join(" "));
    this.#sql
      .of(`INSERT OR REPLACE INTO ${index} (rowid, title, names, body) VALUES (?, ?, ?, ?)`)
      .run(row, ...stems);
  }

  #relatedNames(row: number): string[] {
    return this.#sql
      .of(
        `SELECT DISTINCT t.title FROM reading_link l
         CROSS JOIN reading_item t ON t.row = l.target WHERE l.source = ?`,
      )
      .all(row)
      .map((found) => textOf(found, "title"));
  }

  #learnWords(words: ReadonlySet<string>): void {
    this.#forgetRolledBack();
    for (const word of words) {
      if (word.length > WORD_CHARACTERS_MAX || this.#words.has(word)) continue;
      this.#words.add(word);
      const { changes, lastInsertRowid } = this.#sql
        .of("INSERT OR IGNORE INTO reading_word (word) VALUES (?)")
        .run(word);
      if (changes === 0) continue;
      this.#lastWord = Number(lastInsertRowid);
      this.#sql
        .of("INSERT INTO reading_word_trigram (rowid, word) VALUES (?, ?)")
        .run(lastInsertRowid, bounded(word));
    }
  }

  /** Another last word than ours: a transaction was rolled back, or another process wrote. */
  #forgetRolledBack(): void {
    const last = this.#sql.of("SELECT coalesce(max(id), 0) AS id FROM reading_word").get();
    const lastWord = numberOf(last ?? {}, "id");
    if (lastWord !== this.#lastWord || this.#words.size > REMEMBERED_WORDS_MAX) this.#words.clear();
    this.#lastWord = lastWord;
  }
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

function tellingWords(words: readonly string[]): string[] {
  return words.filter((word) => !isStopWord(word));
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
