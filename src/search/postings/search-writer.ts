import type { ContentType, ContentTypes, FieldValue } from "../../content/types/content-type.ts";
import { otherNames } from "../../storage/reading/values.ts";
import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { Statements } from "../../storage/sqlite/statements.ts";
import type { IndexedText, IndexWriter } from "./index-writer.ts";

/** An item as stored in the reading copy, and the rows it links to. */
export interface SearchedItem {
  row: number;
  /** Was the item unpublished before? Then no index holds it. */
  isNew: boolean;
  /** May its names have changed: title, path, aliases? */
  isNamedAnew: boolean;
  type: ContentType;
  language: string;
  title: string;
  path: string;
  fields: Readonly<Record<string, FieldValue>>;
  /** The body as plain text. */
  text: string;
  targets: readonly number[];
}

/** Items whose texts are held in memory at once to index them again. */
const AGAIN_ITEMS = 500;

/**
 * Keeps the search index in step with the items. Buffers until {@link SearchWriter.flush}, when the
 * titles of related items are known.
 */
export class SearchWriter {
  readonly #sql: Statements;
  readonly #index: IndexWriter;
  readonly #puts = new Map<number, SearchedItem>();
  /** Rows to index from what is stored, and whether the index may lack their names. */
  readonly #again = new Map<number, { isNamedAnew: boolean }>();

  constructor(sql: Statements, index: IndexWriter) {
    this.#sql = sql;
    this.#index = index;
  }

  put(item: SearchedItem): void {
    this.#puts.set(item.row, item);
  }

  /** Reindexes an item because the title of an item it links to changed. */
  putAgain(row: number): void {
    this.#again.set(row, { isNamedAnew: false });
  }

  /** Indexes an item that waited until the titles of the items it links to were stored. */
  putLate(row: number): void {
    this.#again.set(row, { isNamedAnew: true });
  }

  remove(row: number): void {
    this.#index.remove(row);
  }

  /**
   * Call after writing the items, their bodies and their links; call {@link SearchWriter.finish} before
   * the transaction ends.
   */
  *flush(types: ContentTypes): Generator<void> {
    yield* this.#write([...this.#puts.values()]);
    const again = [...this.#again].filter(([row]) => !this.#puts.has(row));
    for (let from = 0; from < again.length; from += AGAIN_ITEMS) {
      const items: SearchedItem[] = [];
      for (const [row, { isNamedAnew }] of again.slice(from, from + AGAIN_ITEMS)) {
        const item = this.#stored(row, types);
        if (item !== null) items.push({ ...item, isNamedAnew });
        yield;
      }
      yield* this.#write(items);
    }
    this.#forget();
  }

  *#write(items: readonly SearchedItem[]): Generator<void> {
    if (items.length === 0) return;
    const titles = this.#titlesOf(items);
    yield* this.#index.write(items.map((item) => foundBy(item, titles)));
  }

  /** Writes postings buffered over many blocks. */
  *finish(): Generator<void> {
    yield* this.#index.finish();
  }

  discard(): void {
    this.#forget();
    this.#index.discard();
  }

  #forget(): void {
    this.#puts.clear();
    this.#again.clear();
  }

  /** A published item to reindex that was not put in this block. */
  #stored(row: number, types: ContentTypes): Omit<SearchedItem, "isNamedAnew"> | null {
    const found = this.#sql
      .of(
        `SELECT i.type, i.language, i.title, i.path, i.fields, i.text, b.text_rest FROM reading_item i
           CROSS JOIN reading_body b ON b.row = i.row WHERE i.row = ?`,
      )
      .get(row);
    const type = found === undefined ? undefined : types.get(textOf(found, "type"));
    if (found === undefined || type === undefined) return null;
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
  }

  /** The titles of all published items that these link to, by row. */
  #titlesOf(items: readonly SearchedItem[]): ReadonlyMap<number, string> {
    const targets = new Set(items.flatMap((item) => item.targets));
    const found = this.#sql
      .of("SELECT row, title FROM reading_item WHERE row IN (SELECT value FROM json_each(?))")
      .all(JSON.stringify([...targets]));
    return new Map(found.map((target) => [numberOf(target, "row"), textOf(target, "title")]));
  }
}

function foundBy(
  { type, fields: given, text, targets, ...item }: SearchedItem,
  titles: ReadonlyMap<number, string>,
): IndexedText {
  const fields = searchedFields(type, given);
  // Sorted, so that the order of the words does not depend on what was written when.
  const related = [...new Set(targets)].map((target) => titles.get(target) ?? "").sort();
  const names = [...fields.names, ...related].join("\n");
  const body = [text, ...fields.texts].join("\n");
  const aliases = otherNames(given);
  const { row, isNew, isNamedAnew, language, path, title } = item;
  const named = { row, isNew, isNamedAnew, language, path, title, aliases };
  return { ...named, type: type.name, names, body };
}

/** Lists of names count like titles of related items; URLs are not indexed. */
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
