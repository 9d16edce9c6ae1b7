import type { DatabaseSync } from "node:sqlite";
import { HASHED_READING_TABLES, type HashedTable } from "../reading/hashed-rows.ts";
import { isCopyOfThisVersion } from "../reading/schema.ts";
import { HASHED_RECORD_TABLES } from "../record/content/record-hashes.ts";
import { WRONG_COUNTS_SQL } from "../record/item-counts.ts";
import type { DamageLocation } from "../sqlite/damage.ts";
import { registerRowHash } from "../sqlite/row-hash.ts";
import { asDamageError } from "../sqlite/sqlite-errors.ts";
import { compareCopyWithRecord, type DamageCheck } from "./agreement.ts";

const SLICE_ROWS = 200;
const FAULTS_MAX = 100_000;
/**
 * Matches harmless messages of SQLite's check about pages that `removeReadingTablesFromSchema` has
 * abandoned.
 */
const UNUSED_PAGE = /^(?:\*\*\* in database main \*\*\*|Page \d+: never used)$/;

/**
 * Whether the record and the reading copy in a store have row hashes. Either may lack them in a
 * store of an earlier version.
 */
export interface RowHashAvailability {
  record: boolean;
  reading: boolean;
}

/**
 * Checks a whole file: its structure, every row that has a hash, and the reading copy against the
 * record. Yields each damaged location. Yields null where the caller may pause.
 */
export function* checkDatabase(
  db: DatabaseSync,
  { record, reading }: RowHashAvailability = { record: true, reading: true },
): DamageCheck {
  yield* checkStructure(db);
  if (reading) yield* checkRows(db, HASHED_READING_TABLES, "reading copy");
  if (record) yield* checkRows(db, HASHED_RECORD_TABLES, "record");
  try {
    if (record) yield* checkCounts(db);
    if (record && reading) yield* compareCopyWithRecord(db);
  } catch (error) {
    // Ignores the error of a damaged table, because `checkStructure` has already reported that
    // table.
    if (asDamageError(error, "record") === null) throw error;
  }
}

/** Checks pages, indexes and full-text indexes with SQLite's own checks. */
function* checkStructure(db: DatabaseSync): DamageCheck {
  if (isWhole(db, "")) return;
  yield null;
  let isKnown = false;
  for (const table of tableNames(db)) {
    if (!isWhole(db, `'${table}'`)) {
      isKnown = true;
      yield { part: damagedPart(table), table, row: null };
    }
    yield null;
  }
  // Reports damage outside all tables too, for example in the free list, from which the next write
  // may take pages.
  if (!isKnown) yield { part: "record", table: null, row: null };
}

/** Finds rows that do not match their hash. Skips tables that do not exist. */
function* checkRows(
  db: DatabaseSync,
  tables: readonly HashedTable[],
  part: DamageLocation["part"],
): DamageCheck {
  registerRowHash(db);
  const present = new Set(tableNames(db));
  for (const table of tables) {
    if (!present.has(table.name)) continue;
    try {
      yield* checkTable(db, table, part);
    } catch (error) {
      if (asDamageError(error, part) === null) throw error;
      yield { part, table: table.name, row: null };
    }
  }
}

function* checkTable(
  db: DatabaseSync,
  { name, key, hashes }: HashedTable,
  part: DamageLocation["part"],
): DamageCheck {
  const present = new Set(columnNames(db, name));
  const isSame = Object.entries(hashes)
    .filter(([hash]) => present.has(hash))
    .map(([hash, covered]) => sameHash(hash, covered, part))
    .join(" AND ");
  if (isSame === "") return;
  const columns = `${key.join()}, (${isSame}) AS same`;
  const order = `ORDER BY ${key.join()} LIMIT ${SLICE_ROWS}`;
  const first = db.prepare(`SELECT ${columns} FROM ${name} ${order}`);
  const next = db.prepare(
    `SELECT ${columns} FROM ${name} WHERE (${key.join()}) > (${key.map(() => "?").join()}) ${order}`,
  );
  for (let rows = first.all(); ; ) {
    for (const row of rows) {
      const isUnwritten = name === "reading_site" && row["same"] === 0;
      if (row["same"] === 1 || (isUnwritten && isUnsaved(db))) continue;
      yield { part, table: name, row: key.map((column) => row[column]).join(" ") };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE_ROWS) return;
    yield null;
    rows = next.all(...key.map((column) => last[column] ?? null));
  }
}

/** Checks the stored counts of items. Stores of an earlier version have none. */
function* checkCounts(db: DatabaseSync): DamageCheck {
  if (!tableNames(db).includes("item_counts")) return;
  for (const { name } of db.prepare(WRONG_COUNTS_SQL).all()) {
    yield { part: "record", table: "item_counts", row: String(name) };
  }
  yield null;
}

/**
 * Returns the SQL condition that a row matches its hash. For the record, the condition is also true for
 * rows without a hash, which were written before hashes existed.
 */
function sameHash(hash: string, covered: readonly string[], part: DamageLocation["part"]): string {
  const test = `${hash} IS row_hash(${covered.join()})`;
  return part === "record" ? `(${hash} IS NULL OR ${test})` : test;
}

/** Whether the site has never been saved. Its row then has neither content nor a hash. */
function isUnsaved(db: DatabaseSync): boolean {
  const none = "profile IS NULL AND types IS NULL AND hash IS NULL";
  return db.prepare(`SELECT 1 FROM reading_site WHERE ${none}`).get() !== undefined;
}

function isWhole(db: DatabaseSync, table: string): boolean {
  try {
    const found = db.prepare(`PRAGMA integrity_check(${table || FAULTS_MAX})`).all();
    const lines = found.flatMap(({ integrity_check: text }) => String(text).split("\n"));
    return lines.every((line) => line === "ok" || UNUSED_PAGE.test(line));
  } catch (error) {
    if (asDamageError(error, "record") === null) throw error;
    return false;
  }
}

function tableNames(db: DatabaseSync): string[] {
  const tables = db.prepare(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
  );
  return tables.all().map(({ name }) => String(name));
}

function damagedPart(table: string): DamageLocation["part"] {
  return table.startsWith("reading_") || table === "followed" ? "reading copy" : "record";
}

function columnNames(db: DatabaseSync, table: string): string[] {
  const columns = db.prepare("SELECT name FROM pragma_table_info(?)").all(table);
  return columns.map(({ name }) => String(name));
}

/**
 * Whether the reading copy is intact. Checks only the tables of the copy, without pausing. If another
 * version made the copy, checks only the structure of these tables.
 */
export function isReadingCopyIntact(db: DatabaseSync): boolean {
  for (const table of tableNames(db)) {
    if (damagedPart(table) === "reading copy" && !isWhole(db, `'${table}'`)) return false;
  }
  if (!isCopyOfThisVersion(db)) return true;
  for (const place of checkRows(db, HASHED_READING_TABLES, "reading copy"))
    if (place !== null) return false;
  return true;
}
