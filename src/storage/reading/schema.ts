import type { DatabaseSync } from "node:sqlite";
import { BUILT_IN_TYPES } from "../../content/types/built-in.ts";
import { registerRowHash } from "../sqlite/row-hash.ts";
import { isCorruptionError } from "../sqlite/sqlite-errors.ts";
import {
  CREATE_INDEXES_SQL,
  CREATE_SEARCH_TABLES_SQL,
  CREATE_TABLES_SQL,
  DROP_TABLES_SQL,
  READING_COPY_VERSION,
} from "./tables.ts";

/** The stored types begin with this text, because the built-in types come first. */
const BUILT_IN_PREFIX = JSON.stringify(BUILT_IN_TYPES).slice(0, -1);

/**
 * Creates missing tables of the reading copy, and empties a copy made by another version of this
 * program or for another public origin. Call inside a write transaction.
 * @returns whether the copy is now empty. The caller must then fill it, starting with the site.
 */
export function ensureSchema(db: DatabaseSync, { origin }: { origin: string }): boolean {
  if (isCurrentCopy(db, { origin })) return false;
  const version = stateVersion(db) + 1;
  db.exec(DROP_TABLES_SQL);
  db.exec(CREATE_TABLES_SQL);
  db.exec(CREATE_SEARCH_TABLES_SQL);
  for (const index of CREATE_INDEXES_SQL) db.exec(index);
  registerRowHash(db);
  const epoch = "1970-01-01T00:00:00.000Z";
  db.prepare("INSERT INTO reading_state VALUES (1, ?1, ?2, row_hash(?2))").run(version, epoch);
  db.exec("CREATE TABLE IF NOT EXISTS reading_made (version INTEGER, origin TEXT) STRICT");
  db.exec("DELETE FROM reading_made");
  db.prepare("INSERT INTO reading_made VALUES (?, ?)").run(READING_COPY_VERSION, origin);
  return true;
}

/**
 * Increments the version on a change of published content. The parameter is the time of the change,
 * or empty.
 */
export const INCREMENT_COPY_VERSION_SQL = `UPDATE reading_state SET version = version + 1,
  updated_at = max(updated_at, ?1), hash = row_hash(max(updated_at, ?1))`;

/** Drops indexes to speed up filling an empty copy. Call {@link createIndexes} at the end. */
export function dropIndexes(db: DatabaseSync): void {
  for (const index of CREATE_INDEXES_SQL) db.exec(`DROP INDEX ${/INDEX (\w+)/.exec(index)?.[1]}`);
}

export function createIndexes(db: DatabaseSync): void {
  for (const index of CREATE_INDEXES_SQL) db.exec(index);
}

/** Creates only the search index tables, in a separate database that {@link copySearchTables} reads. */
export function createSearchTables(db: DatabaseSync): void {
  db.exec(CREATE_SEARCH_TABLES_SQL);
}

/**
 * Copies the search index tables, including FTS5's shadow tables, from an attached database
 * `search`. Needs a connection opened with `defensive: false` and leaves that connection unusable
 * for anything else.
 */
export function copySearchTables(db: DatabaseSync): void {
  const tables = db
    .prepare(
      `SELECT name FROM search.sqlite_schema
       WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    )
    .all();
  for (const { name } of tables) {
    db.exec(`DELETE FROM main.${name}; INSERT INTO main.${name} SELECT * FROM search.${name}`);
  }
}

/**
 * Whether the copy was built by this version of the program, for this origin and the site's current
 * types.
 */
export function isCurrentCopy(db: DatabaseSync, { origin }: { origin: string }): boolean {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reading_made'").get();
  if (table === undefined) return false;
  const made = db.prepare("SELECT version, origin FROM reading_made").get();
  if (made?.["version"] !== READING_COPY_VERSION || made["origin"] !== origin) return false;
  const site = db.prepare("SELECT stale, types FROM reading_site").get();
  return site?.["stale"] !== 1 && hasBuiltInTypes(site?.["types"]);
}

/**
 * Whether the stored types begin with the built-in types of this version. If not, the declaration
 * of a built-in type has changed since the types were stored.
 */
function hasBuiltInTypes(stored: unknown): boolean {
  return typeof stored !== "string" || stored.startsWith(BUILT_IN_PREFIX);
}

/** Whether the copy was made by this version of the program. */
export function isCopyOfThisVersion(db: DatabaseSync): boolean {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reading_made'").get();
  if (table === undefined) return false;
  return db.prepare("SELECT version FROM reading_made").get()?.["version"] === READING_COPY_VERSION;
}

/**
 * Removes the tables of the reading copy from the schema without touching their pages; the space is
 * reclaimed only when the file is copied. Use it only for tables too damaged to drop. Call inside a write
 * transaction that creates them again, so that no reader finds them missing.
 */
export function removeReadingTablesFromSchema(db: DatabaseSync): void {
  db.enableDefensive(false);
  try {
    db.exec("PRAGMA writable_schema = ON");
    db.exec("DELETE FROM sqlite_schema WHERE tbl_name LIKE 'reading~_%' ESCAPE '~'");
    const version = Number(db.prepare("PRAGMA schema_version").get()?.["schema_version"]);
    db.exec(`PRAGMA schema_version = ${version + 1}`);
  } finally {
    db.exec("PRAGMA writable_schema = RESET");
    db.enableDefensive(true);
  }
}

/**
 * Returns the version of the old copy. The new copy continues counting from this version, so that
 * caches keyed by version are invalidated.
 */
function stateVersion(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'reading_state'").get();
  if (table === undefined) return 0;
  try {
    return Number(db.prepare("SELECT version FROM reading_state").get()?.["version"] ?? 0);
  } catch (error) {
    if (!isCorruptionError(error)) throw error;
    // The version is unreadable. Uses a time in milliseconds, which exceeds every earlier version.
    return Date.now();
  }
}
