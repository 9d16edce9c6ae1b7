import { DatabaseSync } from "node:sqlite";
import { forEachEncodedWord } from "../../src/search/postings/word-order.ts";
import { recordTables } from "./full-store.ts";
import type { RecordStore } from "./record-store.ts";

/** Columns that may differ between stores with the same content: assigned ids, and hashes of them. */
const PASSING: Readonly<Record<string, readonly string[]>> = { reading_item: ["id", "hash"] };
/** Tables that describe the state rather than the published content, or that are keyed by assigned ids. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "reading_made",
  "reading_state",
  "reading_row",
  "reading_posting",
  "reading_indexed",
  "reading_order",
  "reading_kind",
  "reading_kinds",
  // Kept when the copy is rebuilt.
  "reading_vector",
  "reading_embedder",
  // Also contains words that are no longer in the index.
  "reading_stem",
  "reading_word",
]);

/** The rows of the reading copy by table, sorted. */
export function readingDump(file: string): Record<string, string[]> {
  using db = new DatabaseSync(file);
  const virtual = names(db, "sql LIKE 'CREATE VIRTUAL%'");
  const isShadow = (name: string) => virtual.some((table) => name.startsWith(`${table}_`));
  const plain = names(db, "sql NOT LIKE 'CREATE VIRTUAL%'").filter((name) => !isShadow(name));
  const dump: Record<string, string[]> = {};
  for (const table of plain.filter((name) => !LEFT_OUT.has(name))) {
    dump[table] = lines(db, `SELECT * FROM ${table}`, PASSING[table]);
  }
  dump["kinds"] = kinds(db);
  dump["stems"] = lines(db, "SELECT stem, items FROM reading_stem WHERE items > 0");
  dump["orders"] = orders(db);
  db.exec("CREATE VIRTUAL TABLE temp.names USING fts5vocab(main, reading_name_trigram, row)");
  dump["names"] = lines(db, "SELECT * FROM temp.names");
  return dump;
}

/** The items of the record with their links and claims. Refers to items by path instead of id. */
export async function recordDump({
  sql,
}: Pick<RecordStore, "sql">): Promise<Record<string, string[]>> {
  const revisions = await sql(
    "SELECT i.path, r.revision, r.actor, r.action, r.item FROM revisions r JOIN items i ON i.id = r.item_id",
  );
  return {
    items: linesOf(await sql("SELECT * FROM items"), [
      "id",
      "number",
      "created_at",
      "updated_at",
      "hash",
      "outline_hash",
      // Depends on the id too.
      "dates_hash",
    ]),
    relations: linesOf(
      await sql(
        `SELECT f.path AS source, relation, position, t.path AS target, note FROM relations
         JOIN items f ON f.id = from_id JOIN items t ON t.id = to_id`,
      ),
    ),
    claims: linesOf(
      await sql(
        `SELECT c.path, i.path AS item, is_current, was_public FROM path_claims c
         JOIN items i ON i.id = item_id`,
      ),
    ),
    revisions: linesOf(
      revisions.map(({ item, ...row }) => ({ ...row, title: JSON.parse(String(item)).title })),
    ),
    audit: linesOf(
      await sql("SELECT actor, action, target, revision_before, revision_after FROM audit"),
    ),
  };
}

/**
 * All rows of all tables of the record with the last assigned numbers, except for numbers that triggers
 * assign.
 */
export function wholeRecordDump(file: string): Record<string, string[]> {
  using db = new DatabaseSync(file, { readOnly: true });
  const tables = [...recordTables(db), "sqlite_sequence"];
  const passing = (table: string) => (table === "desk_changes" ? ["number"] : []);
  return Object.fromEntries(
    tables.map((table) => [table, lines(db, `SELECT * FROM ${table}`, passing(table))]),
  );
}

/** The words of each item in order, separately for each column. */
function orders(db: DatabaseSync): string[] {
  const stems = db.prepare("SELECT id, stem FROM reading_stem").all();
  const stemOf = new Map(stems.map(({ id, stem }) => [Number(id), String(stem)]));
  return db
    .prepare("SELECT row, words FROM reading_order ORDER BY row")
    .all()
    .map(({ row, words }) => {
      const columns: string[][] = [];
      if (!(words instanceof Uint8Array)) throw new TypeError("Not a blob");
      forEachEncodedWord(words, (word, _place, column) => {
        columns[column] ??= [];
        columns[column].push(stemOf.get(word) ?? `stem ${word}`);
        return false;
      });
      return `${row}: ${JSON.stringify(columns)}`;
    });
}

/** Type and language of each indexed row, independent of the order in which the kinds were numbered. */
function kinds(db: DatabaseSync): string[] {
  const kindOf = new Map(
    db
      .prepare("SELECT id, type, language FROM reading_kind")
      .all()
      .map(({ id, type, language }) => [Number(id), `${type} ${language}`]),
  );
  return db
    .prepare("SELECT block, kinds FROM reading_kinds ORDER BY block")
    .all()
    .flatMap(({ block, kinds: bytes }) => {
      const ids = bytes instanceof Uint8Array ? new Uint16Array(bytes.slice().buffer) : [];
      return [...ids].flatMap((id, place) =>
        id === 0 ? [] : [`block ${block} row ${place}: ${kindOf.get(id)}`],
      );
    });
}

function names(db: DatabaseSync, where: string): string[] {
  return db
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'reading%' AND ${where}`,
    )
    .all()
    .map(({ name }) => String(name));
}

function lines(db: DatabaseSync, query: string, passing: readonly string[] = []): string[] {
  return linesOf(db.prepare(query).all(), passing);
}

function linesOf(
  rows: readonly Record<string, unknown>[],
  passing: readonly string[] = [],
): string[] {
  return rows
    .map((row) => JSON.stringify(Object.entries(row).filter(([name]) => !passing.includes(name))))
    .sort();
}
