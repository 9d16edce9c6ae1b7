import { requireEqualHash, requireRowHash } from "../../storage/reading/hashed-rows.ts";
import { numberOf, type Row, textOf } from "../../storage/sqlite/columns.ts";
import { hashOf } from "../../storage/sqlite/row-hash.ts";
import type { Statements } from "../../storage/sqlite/statements.ts";

/** Posting lists are stored in blocks: a change rewrites little and a search reads few rows. */
export const BLOCK_ROWS = 16_384;
/** Allows up to 17 billion rows. */
const BLOCKS_MAX = 2 ** 20;

/**
 * Weight of a match in the title, in the names of related items and in the body, as a number of halves.
 */
export const COLUMN_HALVES = { title: 6, names: 3, body: 2 } as const;
/** One byte; higher frequencies rank the same as this one. */
export const FREQUENCY_MAX = 255;
const LENGTH_CLASS_MAX = 255;
const FREQUENCY_UNIT = 256;
const ROW_UNIT = 65_536;
const ENTRY_UNIT = ROW_UNIT * BLOCK_ROWS;
/** Size of the cache of verified blocks. */
const CHECKED_MAX = 100_000;
const STEMS_MAX = 20_000;
/** A varint of up to 2^53 and a frequency. */
const STEM_BYTES_MAX = 9;
const CLASSES_PER_DOUBLING = 16;

/**
 * Made only by {@link indexedItem} and {@link readItem}, which keep the length class and each frequency
 * within one byte.
 */
export interface IndexedItem {
  lengthClass: number;
  /** Weighted frequencies in halves, 1 to 255; by stem number, ascending. */
  stems: readonly [id: number, frequency: number][];
}

export interface KnownStem {
  id: number;
  stem: string;
  /** Number of items that contain it. */
  items: number;
}

/** Key in `reading_posting` of the block that holds the row. */
export function blockKey(stemId: number, block: number): number {
  return stemId * BLOCKS_MAX + block;
}

function blockAt(place: number): number {
  return place % BLOCKS_MAX;
}

/**
 * @param frequencies weighted, in halves, by stem number; unbounded.
 * @param words number of words, unbounded.
 */
export function indexedItem(frequencies: ReadonlyMap<number, number>, words: number): IndexedItem {
  const stems = [...frequencies].sort(([a], [b]) => a - b);
  for (const stem of stems) stem[1] = Math.min(FREQUENCY_MAX, stem[1]);
  return { lengthClass: lengthClassOf(words), stems };
}

/**
 * Packs row, frequency and length class (as in {@link IndexedItem}) into one number, ordered by row.
 * Frequency 0 removes the row. Rows up to 2^37 keep it below 2^53.
 */
export function postingOf(row: number, frequency: number, lengthClass: number): number {
  return row * ROW_UNIT + frequency * FREQUENCY_UNIT + lengthClass;
}

export function rowOf(posting: number): number {
  return Math.floor(posting / ROW_UNIT);
}

export function blockOf(posting: number): number {
  return Math.floor(posting / ENTRY_UNIT);
}

export function isRemoval(posting: number): boolean {
  return posting % ROW_UNIT < FREQUENCY_UNIT;
}

/** The posting with its row relative to the block, in 30 bits, as stored. */
export function entryOf(posting: number): number {
  return posting % ENTRY_UNIT;
}

/** Decodes a block of `reading_posting`. */
export function readEntries(bytes: Uint8Array): Uint32Array {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4);
}

export function entryBytes(entries: Uint32Array): Uint8Array {
  return new Uint8Array(entries.buffer, entries.byteOffset, entries.byteLength);
}

/** 256 length classes, each for texts 4 % longer than the one before. */
function lengthClassOf(words: number): number {
  return Math.min(LENGTH_CLASS_MAX, Math.round(CLASSES_PER_DOUBLING * Math.log2(words + 1)));
}

export function wordsInClass(lengthClass: number): number {
  return 2 ** (lengthClass / CLASSES_PER_DOUBLING) - 1;
}

/** The length class, then for each stem the delta to the previous one (varint) and its frequency. */
export function writeItem({ lengthClass, stems }: IndexedItem): Uint8Array {
  const bytes = new Uint8Array(1 + stems.length * STEM_BYTES_MAX);
  bytes[0] = lengthClass;
  let length = 1;
  let before = 0;
  for (const [id, frequency] of stems) {
    let distance = id - before;
    for (; distance > 127; distance = Math.floor(distance / 128))
      bytes[length++] = (distance % 128) + 128;
    bytes[length++] = distance;
    bytes[length++] = frequency;
    before = id;
  }
  return bytes.slice(0, length);
}

export function readItem(bytes: Uint8Array): IndexedItem {
  const stems: [number, number][] = [];
  const lengthClass = eachStem(bytes, (id, frequency) => stems.push([id, frequency]));
  return { lengthClass, stems };
}

/** @returns the length class. */
export function eachStem(bytes: Uint8Array, use: (id: number, frequency: number) => void): number {
  let id = 0;
  let at = 1;
  while (at < bytes.length) {
    let byte = bytes[at++] ?? 0;
    let scale = 1;
    for (; byte > 127; scale *= 128) {
      id += (byte - 128) * scale;
      byte = bytes[at++] ?? 0;
    }
    id += byte * scale;
    use(id, bytes[at++] ?? 0);
  }
  return bytes[0] ?? 0;
}

const STEM_COLUMNS = "id, stem, items, hash";

function knownStem(found: Row): KnownStem {
  requireRowHash(found, 3, "reading_stem");
  return { id: numberOf(found, 0), stem: textOf(found, 1), items: numberOf(found, 2) };
}

interface Totals {
  items: number;
  words: number;
  rowMax: number;
}

/** Reads the inverted index: items by stem, and stems by item. */
export class Postings {
  readonly #sql: Statements;
  /** Keys of verified blocks. */
  readonly #checked = new Set<number>();
  /** By stem and by id; null: there is none. About 3 MB. */
  readonly #stems = new Map<string | number, KnownStem | null>();
  #totals: Totals | null = null;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Call after any change of published content. */
  forget(): void {
    this.#checked.clear();
    this.#stems.clear();
    this.#totals = null;
  }

  totals(): Totals {
    this.#totals ??= this.#readTotals();
    return this.#totals;
  }

  #readTotals(): Totals {
    const found = this.#sql
      .of(
        "SELECT items, words, (SELECT max(row) FROM reading_indexed) AS last FROM reading_indexed_total",
      )
      .get();
    const { last } = found ?? {};
    return {
      items: numberOf(found ?? {}, "items"),
      words: numberOf(found ?? {}, "words"),
      rowMax: typeof last === "number" ? last : 0,
    };
  }

  stem(stem: string): KnownStem | null {
    const known = this.#stemBy("stem", stem);
    return known?.items === 0 ? null : known;
  }

  #stemBy(column: "stem" | "id", key: string | number): KnownStem | null {
    const cached = this.#stems.get(key);
    if (cached !== undefined) return cached;
    const select = `SELECT ${STEM_COLUMNS} FROM reading_stem WHERE ${column} = ?`;
    const found = this.#sql.listing(select).get(key);
    const known = found === undefined ? null : knownStem(found);
    if (this.#stems.size >= STEMS_MAX) this.#stems.clear();
    this.#stems.set(key, known);
    return known;
  }

  /** The most frequent stems with this prefix. */
  stemsFrom(start: string, limit: number): KnownStem[] {
    return this.#sql
      .listing(
        `SELECT ${STEM_COLUMNS} FROM reading_stem WHERE stem >= ? AND stem < ? AND items > 0
         ORDER BY items DESC, id LIMIT +?`,
      )
      .all(start, `${start}\u{10ffff}`, limit)
      .map(knownStem);
  }

  stemById(id: number): KnownStem | null {
    return this.#stemBy("id", id);
  }

  /** The number of a word as written, including stop words; null: it never occurred. */
  numberOf(key: string): number | null {
    return this.#stemBy("stem", key)?.id ?? null;
  }

  /** Calls back with the entries of each block and the row they are relative to. */
  read(stemId: number, use: (entries: Uint32Array, firstRow: number) => void): void {
    const blocks = this.#sql
      .listing(
        `SELECT place, entries, hash FROM reading_posting WHERE place >= ? AND place < ?
         ORDER BY place`,
      )
      .all(blockKey(stemId, 0), blockKey(stemId + 1, 0));
    for (const { 0: place, 1: entries, 2: hash } of blocks) {
      if (!(entries instanceof Uint8Array)) continue;
      this.#requireIntact(Number(place), entries, hash);
      use(readEntries(entries), blockAt(Number(place)) * BLOCK_ROWS);
    }
  }

  /** The stored stems of each row, to be read with {@link eachStem}. */
  items(rows: readonly number[]): Map<number, Uint8Array> {
    const found = this.#sql
      .listing(
        `SELECT i.row, i.stems, i.hash FROM json_each(?) r
         CROSS JOIN reading_indexed i ON i.row = r.value`,
      )
      .all(JSON.stringify(rows));
    return intactBytes(found, "reading_indexed");
  }

  /** The words of each row in order, to be read with {@link eachWord}. */
  orders(rows: readonly number[]): Map<number, Uint8Array> {
    const found = this.#sql
      .listing(
        `SELECT o.row, o.words, o.hash FROM json_each(?) r
         CROSS JOIN reading_order o ON o.row = r.value`,
      )
      .all(JSON.stringify(rows));
    return intactBytes(found, "reading_order");
  }

  /** The first rows of the index. */
  firstRows(limit: number): number[] {
    return this.#sql
      .listing("SELECT row FROM reading_order ORDER BY row LIMIT +?")
      .all(limit)
      .map((found) => numberOf(found, 0));
  }

  /** A block of a frequent stem has 64 KB, so each is verified only on the first read after a change. */
  #requireIntact(place: number, entries: Uint8Array, stored: unknown): void {
    if (this.#checked.has(place)) return;
    requireEqualHash({ stored, found: hashOf(place, entries) }, "reading_posting", place);
    if (this.#checked.size >= CHECKED_MAX) this.#checked.clear();
    this.#checked.add(place);
  }
}

/** The bytes of each row, verified; its columns are row, bytes and hash. */
function intactBytes(found: readonly Row[], table: string): Map<number, Uint8Array> {
  const byRow = new Map<number, Uint8Array>();
  for (const { 0: number, 1: bytes, 2: stored } of found) {
    if (!(bytes instanceof Uint8Array)) continue;
    const row = Number(number);
    requireEqualHash({ stored, found: hashOf(row, bytes) }, table, row);
    byRow.set(row, bytes);
  }
  return byRow;
}
