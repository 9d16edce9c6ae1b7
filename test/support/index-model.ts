import { DatabaseSync } from "node:sqlite";
import { tokenize } from "../../src/search/language/stems.ts";
import { decodeIndexedItem } from "../../src/search/postings/indexed-items.ts";
import { decodePostingBlock } from "../../src/search/postings/postings.ts";
import { wordPairBucketNumber } from "../../src/search/postings/word-pairs.ts";

/** For each stem, its items as `id ×frequency /length class`. */
export type StemIndex = ReadonlyMap<string, readonly string[]>;

const BLOCKS = 2 ** 20;
const BLOCK_ROWS = 16_384;
const DOUBLED_WEIGHTS = { title: 6, names: 3, body: 2 };
const BYTE_MAX = 255;

/** The index according to the postings. */
export function postingsIn(file: string): StemIndex {
  using db = new DatabaseSync(file, { readOnly: true });
  const idOf = idsByRow(db);
  const index = new Map<string, string[]>();
  for (const { stem, items, place, entries } of db.prepare(POSTINGS).all()) {
    const firstRow = (Number(place) % BLOCKS) * BLOCK_ROWS;
    for (const entry of decodePostingBlock(bytesOf(entries))) {
      const id = idOf.get(firstRow + (entry >>> 16)) ?? `row ${firstRow + (entry >>> 16)}`;
      add(index, String(stem), line(id, (entry >>> 8) & 255, entry & 255));
    }
    const counted = `${items} items`;
    if (index.get(String(stem))?.includes(counted) !== true) add(index, String(stem), counted);
  }
  return sorted(index);
}

/** The index according to the data stored with each item. */
export function indexedItemsIn(file: string): StemIndex {
  using db = new DatabaseSync(file, { readOnly: true });
  const idOf = idsByRow(db);
  const stems = db.prepare("SELECT id, stem FROM reading_stem").all();
  const stemOf = new Map(stems.map(({ id, stem }) => [Number(id), String(stem)]));
  const index = new Map<string, string[]>();
  for (const { row, stems: bytes } of db.prepare("SELECT row, stems FROM reading_indexed").all()) {
    const item = decodeIndexedItem(bytesOf(bytes));
    const id = idOf.get(Number(row)) ?? `row ${row}`;
    for (const [stem, frequency] of item.stems) {
      add(index, stemOf.get(stem) ?? `stem ${stem}`, line(id, frequency, item.lengthClass));
    }
  }
  return withCounts(index);
}

/** The expected index, counted from the words of the published items. */
export function countedWordsIn(file: string): StemIndex {
  using db = new DatabaseSync(file, { readOnly: true });
  const index = new Map<string, string[]>();
  for (const { id, title, language, fields, targets, body } of db.prepare(PUBLISHED).all()) {
    const names = [...(JSON.parse(String(fields)).aliases ?? []), targets].join("\n");
    const { frequencies, words } = weighed({ title, names, body }, String(language));
    const lengthClass = Math.min(BYTE_MAX, Math.round(16 * Math.log2(words + 1)));
    for (const [stem, frequency] of frequencies) {
      add(index, stem, line(String(id), Math.min(BYTE_MAX, frequency), lengthClass));
    }
  }
  return withCounts(index);
}

function weighed(columns: Record<keyof typeof DOUBLED_WEIGHTS, unknown>, language: string) {
  const frequencies = new Map<string, number>();
  let words = 0;
  for (const column of ["title", "names", "body"] as const) {
    let before = 0;
    for (const { stem, isStop, hash } of tokenize(String(columns[column]), language)) {
      const pair = before === 0 || hash === 0 ? [] : [`#${wordPairBucketNumber(before, hash)}`];
      for (const name of pair)
        frequencies.set(name, (frequencies.get(name) ?? 0) + DOUBLED_WEIGHTS.body);
      before = hash;
      if (isStop) continue;
      words += 1;
      frequencies.set(stem, (frequencies.get(stem) ?? 0) + DOUBLED_WEIGHTS[column]);
    }
  }
  return { frequencies, words };
}

const POSTINGS = `
  SELECT stem, items, place, entries FROM reading_posting
  JOIN reading_stem ON reading_stem.id = place / ${BLOCKS}`;

const PUBLISHED = `
  SELECT i.id, i.title, i.language, i.fields, i.text || b.text_rest AS body,
    (SELECT coalesce(group_concat(t.title, char(10) ORDER BY t.title), '') FROM reading_item t
     WHERE t.row IN (SELECT target FROM reading_link WHERE source = i.row)) AS targets
  FROM reading_item i JOIN reading_body b USING (row)`;

function idsByRow(db: DatabaseSync): ReadonlyMap<number, string> {
  const rows = db.prepare("SELECT row, id FROM reading_item").all();
  return new Map(rows.map(({ row, id }) => [Number(row), String(id)]));
}

function line(id: string, frequency: number, lengthClass: number): string {
  return `${id} ×${frequency} /${lengthClass}`;
}

function add(index: Map<string, string[]>, stem: string, entry: string): void {
  const listed = index.get(stem);
  if (listed === undefined) index.set(stem, [entry]);
  else listed.push(entry);
}

function withCounts(index: Map<string, string[]>): StemIndex {
  for (const listed of index.values()) listed.push(`${listed.length} items`);
  return sorted(index);
}

function sorted(index: Map<string, string[]>): StemIndex {
  for (const listed of index.values()) listed.sort();
  return index;
}

function bytesOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError("Not a blob");
  return value;
}
