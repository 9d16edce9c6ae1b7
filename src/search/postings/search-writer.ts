import type { ContentType, ContentTypes, FieldValue } from "../../content/types/content-type.ts";
import { alternativeNamesOf } from "../../storage/reading/values.ts";
import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import type { IndexWriter, TextToIndex } from "./index-writer.ts";

/** An item as stored in the reading copy, and the rows that it links to. */
export interface IndexableItem {
  row: number;
  /** Whether the item was not published before and therefore is in no index. */
  isNew: boolean;
  /** Whether the item's names may have changed: title, path, aliases. */
  mayHaveNewNames: boolean;
  type: ContentType;
  language: string;
  title: string;
  path: string;
  fields: Readonly<Record<string, FieldValue>>;
  /** The body as plain text. */
  text: string;
  targets: readonly number[];
}

/** Items reindexed per batch. Their texts are in memory at the same time. */
const BATCH_ITEMS = 500;

/**
 * Updates the search index when items change. Buffers changes until {@link SearchWriter.flush},
 * when the titles of related items are known.
 */
export class SearchWriter {
  readonly #sql: StatementCache;
  readonly #index: IndexWriter | null;
  readonly #puts = new Map<number, IndexableItem>();
  /** Rows to reindex from stored data, and whether the names of the items may have changed. */
  readonly #reindexed = new Map<number, { mayHaveNewNames: boolean }>();

  /** @param index null if nothing is indexed. */
  constructor(sql: StatementCache, index: IndexWriter | null) {
    this.#sql = sql;
    this.#index = index;
  }

  put(item: IndexableItem): void {
    if (this.#index !== null) this.#puts.set(item.row, item);
  }

  hasPut(row: number): boolean {
    return this.#puts.has(row);
  }

  /** Marks an item for reindexing, because the title of an item that it links to has changed. */
  reindex(row: number): void {
    if (this.#index !== null) this.#reindexed.set(row, { mayHaveNewNames: false });
  }

  /** Marks a deferred item for indexing. The titles of the items that it links to must be stored by now. */
  indexDeferred(row: number): void {
    this.#reindexed.set(row, { mayHaveNewNames: true });
  }

  remove(row: number): void {
    this.#index?.remove(row);
  }

  /**
   * Indexes the buffered items. Call after writing the items, their bodies and their links, and call
   * {@link SearchWriter.finish} before the transaction ends.
   */
  *flush(types: ContentTypes): Generator<void> {
    yield* this.#write([...this.#puts.values()]);
    const reindexed = [...this.#reindexed];
    for (let from = 0; from < reindexed.length; from += BATCH_ITEMS) {
      const items: IndexableItem[] = [];
      for (const [row, { mayHaveNewNames }] of reindexed.slice(from, from + BATCH_ITEMS)) {
        const item = this.#stored(row, types);
        if (item !== null) items.push({ ...item, mayHaveNewNames });
        yield;
      }
      yield* this.#write(items);
    }
    this.#forget();
  }

  *#write(items: readonly IndexableItem[]): Generator<void> {
    if (this.#index === null || items.length === 0) return;
    const titles = titlesOfRows(this.#sql, new Set(items.flatMap(({ targets }) => targets)));
    yield;
    const texts: TextToIndex[] = [];
    for (const item of items) {
      texts.push(indexedText(item, titles));
      yield;
    }
    yield* this.#index.write(texts);
  }

  /** Writes postings that are buffered across batches. */
  *finish(): Generator<void> {
    if (this.#index !== null) yield* this.#index.finish();
  }

  discard(): void {
    this.#forget();
    this.#index?.discard();
  }

  #forget(): void {
    this.#puts.clear();
    this.#reindexed.clear();
  }

  /** Reads a published item to reindex; null if it was removed or its type no longer exists. */
  #stored(row: number, types: ContentTypes): Omit<IndexableItem, "mayHaveNewNames"> | null {
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
}

/** The titles of published items, by row. */
export function titlesOfRows(
  sql: StatementCache,
  rows: Iterable<number>,
): ReadonlyMap<number, string> {
  const found = sql
    .of("SELECT row, title FROM reading_item WHERE row IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify([...rows]));
  return new Map(found.map((item) => [numberOf(item, "row"), textOf(item, "title")]));
}

function indexedText(
  { type, fields: storedFields, text, targets, ...item }: IndexableItem,
  titles: ReadonlyMap<number, string>,
): TextToIndex {
  const fields = extractSearchableValues(type, storedFields);
  const names = joinNamesAndTitles(
    fields,
    [...new Set(targets)].map((target) => titles.get(target) ?? ""),
  );
  const body = [text, ...fields.texts].join("\n");
  const aliases = alternativeNamesOf(storedFields);
  const { row, isNew, mayHaveNewNames, language, path, title } = item;
  const identity = { row, isNew, mayHaveNewNames, language, path, title, aliases };
  return { ...identity, type: type.name, names, body };
}

/**
 * Joins the names in fields and the titles. Titles are sorted, so that their order does not depend on the
 * order of writes.
 */
export function joinNamesAndTitles(
  fields: { names: readonly string[] },
  titles: readonly string[],
): string {
  return [...fields.names, ...titles.toSorted()].join("\n");
}

/**
 * The searchable values of fields. Entries of text lists count as names, except URLs. Names weigh as
 * much as titles of related items. Texts and Markdown count as body.
 */
export function extractSearchableValues(
  type: ContentType,
  fields: Readonly<Record<string, FieldValue>>,
): { names: string[]; texts: string[] } {
  const names: string[] = [];
  const texts: string[] = [];
  for (const [name, { kind }] of Object.entries(type.fields)) {
    const value = fields[name];
    if (value === undefined || typeof value === "number" || typeof value === "boolean") continue;
    if (kind === "text_list") names.push(...[value].flat().filter(isNotUrl));
    if (kind === "text" || kind === "markdown") texts.push(...[value].flat());
  }
  return { names, texts };
}

function isNotUrl(text: string): boolean {
  return !/^[a-z]+:\/\//i.test(text);
}
