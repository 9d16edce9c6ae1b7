import { rowHash } from "../../storage/sqlite/row-hash.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import type { Token } from "../language/stems.ts";
import { groupChangesByBlock, keepLastChangePerRow, mergePostings } from "./block-changes.ts";
import {
  decodeIndexedItem,
  encodeIndexedItem,
  type IndexedItem,
  toIndexedItem,
  wordCountOfLengthClass,
} from "./indexed-items.ts";
import { ItemKindWriter } from "./item-kind-writer.ts";
import type { ItemKind } from "./item-kinds.ts";
import { PostingChanges } from "./posting-changes.ts";
import { blockKey, decodePostingBlock, encodePostingBlock, packPosting } from "./postings.ts";
import { StemNumbers } from "./stem-numbers.ts";
import { addWordFrequencies, type NumberedWords, recountChangedNames } from "./word-frequencies.ts";
import { decodeWordOrder, encodeWordOrder, INDEXED_TEXT_COLUMNS } from "./word-order.ts";
import { PAIR_BUCKET_COUNT } from "./word-pairs.ts";

/** Limit of buffered changes. A full buffer takes 30 MB. */
const CHANGES_MAX = 1_000_000;
/** The writer may pause after numbering this many new words, which takes a few milliseconds. */
const WORDS_BETWEEN_PAUSES = 1024;

const COUNT_PAIR = `INSERT INTO reading_stem VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (id) DO UPDATE SET items = items + ?3, hash = row_hash(id, stem, items + ?3)`;
const COUNT_STEM = `UPDATE reading_stem
  SET items = items + ?1, hash = row_hash(id, stem, items + ?1) WHERE id = ?2`;

const NOT_INDEXED: IndexedItem = { lengthClass: 0, stems: [] };

interface StoredItem {
  item: IndexedItem;
  bytes: Uint8Array;
}

/** The words of an item by column, in text order. */
export interface TokenizedItem {
  title: readonly Token[];
  names: readonly Token[];
  body: readonly Token[];
}

/**
 * Updates the inverted index when items change. Buffers changes, so that each block of a posting
 * list is written once for many items. Call {@link PostingsWriter.flush} when the buffer is full,
 * and {@link PostingsWriter.finish} before the transaction ends.
 */
export class PostingsWriter {
  readonly #sql: StatementCache;
  /** Changes by stem; the last change of a row wins. */
  readonly #changes = new PostingChanges();
  readonly #stems: StemNumbers;
  readonly #kinds: ItemKindWriter;
  #items = 0;
  #words = 0;

  constructor(sql: StatementCache) {
    this.#sql = sql;
    this.#stems = new StemNumbers(sql);
    this.#kinds = new ItemKindWriter(sql);
  }

  /**
   * Indexes an item. `isNew`: the index does not yet contain the row. Yields where the caller may pause,
   * because numbering a megabyte of words takes hundreds of milliseconds if all are new.
   */
  *put(
    row: number,
    item: TokenizedItem,
    { isNew, kind }: { isNew: boolean; kind: ItemKind },
  ): Generator<void> {
    this.#kinds.put(row, kind);
    const { indexed: after, order } = yield* this.#indexedAs(item);
    const before = isNew ? null : this.#indexed(row);
    if (isNew || Buffer.compare(this.#order(row), order) !== 0) this.#replaceOrder(row, order);
    this.#replace(row, before, after);
  }

  /**
   * Replaces only the names of an item.
   *
   * @returns false if the stored data does not suffice. The caller must then index the whole item.
   */
  rename(row: number, before: readonly Token[], after: readonly Token[]): boolean {
    const stored = this.#indexed(row);
    if (stored === null) return false;
    this.#stems.begin();
    const [title = [], names = [], body = []] = decodeWordOrder(this.#order(row));
    const [oldNames, newNames] = [this.#numbered(before), this.#numbered(after)];
    const isAsStored =
      oldNames.ids.length === names.length && oldNames.ids.every((id, at) => id === names[at]);
    if (!isAsStored) return false;
    const otherWords = [...title, ...body].filter((id) => !this.#stems.isStopWord(id)).length;
    const indexed = recountChangedNames(stored.item, {
      before: oldNames,
      after: newNames,
      otherWords,
    });
    if (indexed === null) return false;
    const order = encodeWordOrder(indexed.lengthClass, [title, newNames.ids, body]);
    this.#replaceOrder(row, order);
    this.#replace(row, stored, indexed);
    return true;
  }

  remove(row: number): void {
    const before = this.#indexed(row);
    if (before === null) return;
    this.#kinds.remove(row);
    this.#sql.of("DELETE FROM reading_indexed WHERE row = ?").run(row);
    this.#sql.of("DELETE FROM reading_order WHERE row = ?").run(row);
    this.#change(row, before.item, null);
  }

  isFull(): boolean {
    return this.#changes.count > CHANGES_MAX;
  }

  /** Writes the buffered changes. */
  *flush(): Generator<void> {
    yield* this.#kinds.flush();
    for (const part of this.#changes.byStem()) {
      if (part !== null) this.#writeStem(part.stem, part.changes);
      yield;
    }
    if (this.#items !== 0 || this.#words !== 0) {
      this.#sql
        .of("UPDATE reading_indexed_total SET items = items + ?, words = words + ?")
        .run(this.#items, this.#words);
    }
    this.#forget();
  }

  /** Writes the buffered changes. Call before the transaction ends. */
  *finish(): Generator<void> {
    yield* this.flush();
    this.#stems.end();
  }

  /** Drops buffered changes after a rollback. */
  discard(): void {
    this.#forget();
    this.#kinds.discard();
    this.#stems.end();
  }

  #forget(): void {
    this.#changes.clear();
    this.#items = 0;
    this.#words = 0;
  }

  #indexed(row: number): StoredItem | null {
    const found = this.#sql.of("SELECT stems FROM reading_indexed WHERE row = ?").get(row);
    const bytes = found?.["stems"];
    return bytes instanceof Uint8Array ? { item: decodeIndexedItem(bytes), bytes } : null;
  }

  #order(row: number): Uint8Array {
    const words = this.#sql.of("SELECT words FROM reading_order WHERE row = ?").get(row)?.["words"];
    return words instanceof Uint8Array ? words : new Uint8Array();
  }

  *#indexedAs(item: TokenizedItem): Generator<void, { indexed: IndexedItem; order: Uint8Array }> {
    this.#stems.begin();
    const frequencies = new Map<number, number>();
    let words = 0;
    const columns: (readonly number[])[] = [];
    for (const column of INDEXED_TEXT_COLUMNS) {
      const tokens = item[column];
      const ids: number[] = [];
      for (let from = 0; from < tokens.length; from += WORDS_BETWEEN_PAUSES) {
        const to = Math.min(from + WORDS_BETWEEN_PAUSES, tokens.length);
        for (const { key } of tokens.slice(from, to)) ids.push(this.#stems.of(key));
        words += addWordFrequencies(frequencies, { tokens, ids }, column, { from, to });
        yield;
      }
      columns.push(ids);
    }
    const indexed = toIndexedItem(frequencies, words);
    yield;
    return { indexed, order: encodeWordOrder(indexed.lengthClass, columns) };
  }

  #numbered(tokens: readonly Token[]): NumberedWords {
    return { tokens, ids: tokens.map(({ key }) => this.#stems.of(key)) };
  }

  #replace(row: number, before: StoredItem | null, after: IndexedItem): void {
    const bytes = encodeIndexedItem(after);
    if (before !== null && Buffer.compare(before.bytes, bytes) === 0) return;
    this.#sql
      .of("INSERT OR REPLACE INTO reading_indexed VALUES (?, ?, ?)")
      .run(row, bytes, rowHash(row, bytes));
    this.#change(row, before?.item ?? null, after);
  }

  #replaceOrder(row: number, order: Uint8Array): void {
    this.#sql
      .of("INSERT OR REPLACE INTO reading_order VALUES (?, ?, ?)")
      .run(row, order, rowHash(row, order));
  }

  #change(row: number, before: IndexedItem | null, after: IndexedItem | null): void {
    this.#items += (after === null ? 0 : 1) - (before === null ? 0 : 1);
    this.#words += wordsOf(after) - wordsOf(before);
    const { stems, lengthClass } = after ?? NOT_INDEXED;
    if (before === null) {
      for (const [id, frequency] of stems) this.#note(id, packPosting(row, frequency, lengthClass));
      return;
    }
    const frequencies = new Map(stems);
    for (const [id] of before.stems) {
      if (!frequencies.has(id)) this.#note(id, packPosting(row, 0, 0));
    }
    const hasSameLength = before.lengthClass === lengthClass;
    const unchanged = new Map(hasSameLength ? before.stems : []);
    for (const [id, frequency] of stems) {
      if (unchanged.get(id) !== frequency) this.#note(id, packPosting(row, frequency, lengthClass));
    }
  }

  #note(stem: number, posting: number): void {
    this.#changes.note(stem, posting);
  }

  #writeStem(id: number, stemChanges: Float64Array): void {
    let added = 0;
    for (const { block, changes } of groupChangesByBlock(keepLastChangePerRow(stemChanges))) {
      added += this.#merge(id, block, changes);
    }
    if (added === 0) return;
    if (id <= PAIR_BUCKET_COUNT) {
      const pair = `#${id}`;
      this.#sql.of(COUNT_PAIR).get(id, pair, added, rowHash(id, pair, added));
    } else this.#sql.of(COUNT_STEM).get(added, id);
  }

  /** Merges changes into a block. @returns the number of items by which the block grew. */
  #merge(id: number, block: number, changes: Float64Array): number {
    const key = blockKey(id, block);
    const found = this.#sql.of("SELECT entries FROM reading_posting WHERE place = ?").get(key);
    const bytes = found?.["entries"];
    const before = bytes instanceof Uint8Array ? decodePostingBlock(bytes) : new Uint32Array();
    const after = mergePostings(before, changes);
    if (after.length === 0) {
      this.#sql.of("DELETE FROM reading_posting WHERE place = ?").run(key);
    } else {
      const bytesAfter = encodePostingBlock(after);
      this.#sql
        .of("INSERT OR REPLACE INTO reading_posting VALUES (?, ?, ?)")
        .run(key, bytesAfter, rowHash(key, bytesAfter));
    }
    return after.length - before.length;
  }
}

function wordsOf(item: IndexedItem | null): number {
  return item === null ? 0 : Math.round(wordCountOfLengthClass(item.lengthClass));
}
