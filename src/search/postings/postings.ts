import { requireEqualHash, requireRowHash } from "../../storage/reading/hashed-rows.ts";
import { numberOf, type Row, textOf } from "../../storage/sqlite/columns.ts";
import { rowHash } from "../../storage/sqlite/row-hash.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";

/**
 * Rows per block of a posting list. Lists are split into blocks, so that a change or a search needs only
 * some of them.
 */
export const ROWS_PER_BLOCK = 16_384;
/** Limit of blocks per posting list, enough for 17 billion rows. */
const BLOCKS_MAX = 2 ** 20;

/**
 * How much a match in each column of an item weighs. The weights are multiplied by 2 to make them
 * integers. `names` includes the names of related items.
 */
export const COLUMN_WEIGHTS_TIMES_TWO = { title: 6, names: 3, body: 2 } as const;
/** Higher frequencies are stored as this number, the maximum of one byte. */
export const STORED_FREQUENCY_MAX = 255;
const FREQUENCY_UNIT = 256;
const ROW_UNIT = 65_536;
const ENTRY_UNIT = ROW_UNIT * ROWS_PER_BLOCK;
/** Maximum number of index blocks that are remembered as having verified keys. */
const VERIFIED_MAX = 100_000;
const CACHED_STEMS_MAX = 20_000;
/** A stem in the index. */
export interface IndexedStem {
  id: number;
  stem: string;
  /** Number of items that contain the stem. */
  items: number;
}

/** The key of a block of a posting list in `reading_posting`. */
export function blockKey(stemId: number, block: number): number {
  return stemId * BLOCKS_MAX + block;
}

function blockOfKey(key: number): number {
  return key % BLOCKS_MAX;
}

/**
 * Packs row, frequency and length class (as in {@link IndexedItem}) into one number. Packed postings
 * sort by row. A frequency of 0 removes the row. Rows up to 2^37 keep the number below 2^53.
 */
export function packPosting(row: number, frequency: number, lengthClass: number): number {
  return row * ROW_UNIT + frequency * FREQUENCY_UNIT + lengthClass;
}

export function rowOf(posting: number): number {
  return Math.floor(posting / ROW_UNIT);
}

export function blockOf(posting: number): number {
  return Math.floor(posting / ENTRY_UNIT);
}

export function isRemovalPosting(posting: number): boolean {
  return posting % ROW_UNIT < FREQUENCY_UNIT;
}

/** The posting as stored: in 30 bits, with the row relative to its block. */
export function storedEntryOfPosting(posting: number): number {
  return posting % ENTRY_UNIT;
}

/** Decodes a block of `reading_posting`. */
export function decodePostingBlock(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

export function encodePostingBlock(entries: Uint32Array): Uint8Array {
  return new Uint8Array(entries.buffer, entries.byteOffset, entries.byteLength);
}

const STEM_COLUMNS = "id, stem, items, hash";

function knownStem(found: Row): IndexedStem {
  requireRowHash(found, 3, "reading_stem");
  return { id: numberOf(found, 0), stem: textOf(found, 1), items: numberOf(found, 2) };
}

interface Totals {
  items: number;
  words: number;
  rowMax: number;
}

/** Reads the inverted index: the items of a stem, and the stems of an item. */
export class Postings {
  readonly #sql: StatementCache;
  /** Keys of verified blocks. */
  readonly #verified = new Set<number>();
  /**
   * Cached stems, about 3 MB. Each stem is stored twice, keyed by its text and by its id; null if there is
   * no such stem.
   */
  readonly #stems = new Map<string | number, IndexedStem | null>();
  #totals: Totals | null = null;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  /** Clears the cached data. Call after any change of published content. */
  forget(): void {
    this.#verified.clear();
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

  /** Looks up a stem; null if no item contains it. */
  stem(stem: string): IndexedStem | null {
    const known = this.#stemBy("stem", stem);
    return known?.items === 0 ? null : known;
  }

  #stemBy(column: "stem" | "id", key: string | number): IndexedStem | null {
    const cached = this.#stems.get(key);
    if (cached !== undefined) return cached;
    const select = `SELECT ${STEM_COLUMNS} FROM reading_stem WHERE ${column} = ?`;
    const found = this.#sql.withArrayRows(select).get(key);
    const known = found === undefined ? null : knownStem(found);
    if (this.#stems.size >= CACHED_STEMS_MAX) this.#stems.clear();
    this.#stems.set(key, known);
    return known;
  }

  /** The most frequent stems with this prefix. */
  stemsWithPrefix(prefix: string, limit: number): IndexedStem[] {
    return this.#sql
      .withArrayRows(
        `SELECT ${STEM_COLUMNS} FROM reading_stem WHERE stem >= ? AND stem < ? AND items > 0
         ORDER BY items DESC, id LIMIT +?`,
      )
      .all(prefix, `${prefix}\u{10ffff}`, limit)
      .map(knownStem);
  }

  stemById(id: number): IndexedStem | null {
    return this.#stemBy("id", id);
  }

  /** The id of a key, which may be the key of a stop word; null if the index never had this key. */
  idOf(key: string): number | null {
    return this.#stemBy("stem", key)?.id ?? null;
  }

  /**
   * Yields each block of a stem's posting list: its entries, and the row to which they are relative. Reads
   * blocks lazily.
   */
  *blocks(stemId: number): Generator<{ entries: Uint32Array; firstRow: number }> {
    const select = this.#sql.withArrayRows(
      `SELECT place, entries, hash FROM reading_posting WHERE place >= ? AND place < ?
       ORDER BY place LIMIT 1`,
    );
    const end = blockKey(stemId + 1, 0);
    let block = select.get(blockKey(stemId, 0), end);
    while (block !== undefined) {
      const { 0: place, 1: entries, 2: hash } = block;
      const key = Number(place);
      if (entries instanceof Uint8Array) {
        this.#requireIntact(key, entries, hash);
        yield { entries: decodePostingBlock(entries), firstRow: blockOfKey(key) * ROWS_PER_BLOCK };
      }
      block = select.get(key + 1, end);
    }
  }

  /** The encoded stems of each row, for {@link forEachEncodedStem}. */
  items(rows: readonly number[]): Map<number, Uint8Array> {
    const found = this.#sql
      .withArrayRows(
        `SELECT i.row, i.stems, i.hash FROM json_each(?) r
         CROSS JOIN reading_indexed i ON i.row = r.value`,
      )
      .all(JSON.stringify(rows));
    return intactBytes(found, "reading_indexed");
  }

  /** The encoded word order of each row, for {@link forEachEncodedWord}. */
  orders(rows: readonly number[]): Map<number, Uint8Array> {
    const found = this.#sql
      .withArrayRows(
        `SELECT o.row, o.words, o.hash FROM json_each(?) r
         CROSS JOIN reading_order o ON o.row = r.value`,
      )
      .all(JSON.stringify(rows));
    return intactBytes(found, "reading_order");
  }

  /** The lowest rows in the index, at most `limit`. */
  firstRows(limit: number): number[] {
    return this.#sql
      .withArrayRows("SELECT row FROM reading_order ORDER BY row LIMIT +?")
      .all(limit)
      .map((found) => numberOf(found, 0));
  }

  /** Verifies a block. A block can take 64 KB, so each is verified only on the first read after a change. */
  #requireIntact(key: number, entries: Uint8Array, stored: unknown): void {
    if (this.#verified.has(key)) return;
    requireEqualHash({ stored, found: rowHash(key, entries) }, "reading_posting", key);
    if (this.#verified.size >= VERIFIED_MAX) this.#verified.clear();
    this.#verified.add(key);
  }
}

/** Verifies the bytes of each row. The columns of `found` are row, bytes and hash. */
function intactBytes(found: readonly Row[], table: string): Map<number, Uint8Array> {
  const byRow = new Map<number, Uint8Array>();
  for (const { 0: number, 1: bytes, 2: stored } of found) {
    if (!(bytes instanceof Uint8Array)) continue;
    const row = Number(number);
    requireEqualHash({ stored, found: rowHash(row, bytes) }, table, row);
    byRow.set(row, bytes);
  }
  return byRow;
}
