import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { AppError } from "../../errors.ts";
import { makeFolder, namesInFolder } from "../../files/durable-files.ts";
import { ROW_NUMBERS } from "../reading/tables.ts";
import { MOVED_FROM, refuseUnfinished } from "../record/moved-from.ts";
import { isInUse } from "../record/sqlite/copy.ts";
import { migrate } from "../record/sqlite/migrate.ts";
import { isBusy } from "../sqlite/sqlite-faults.ts";
import { folderFiles, MOVING_PREFIX } from "./folder-files.ts";
import { type KeptNote, type MoveNote, readNote, writtenNote } from "./move-note.ts";
import type { Row, Side, Source, Target } from "./sides.ts";
import { rowsUpTo, selectNext, tableNames } from "./sqlite-rows.ts";
import { isNumbered, MOVED_TABLES, type MovedTable } from "./tables.ts";

/** A data folder and the file name of its store. */
export interface MovedFolder {
  folder: string;
  store: string;
}

/** Fits the index pages that change during a bulk load. */
const CACHE_KIBIBYTES = 128_000;

/**
 * The store of a data folder, locked while it is open here.
 *
 * @throws {AppError} `conflict` if there is none, or another process is using it.
 */
export function openSqliteSource({ folder, store }: MovedFolder): Source {
  const file = join(folder, store);
  if (!existsSync(file)) {
    throw new AppError("conflict", `There is nothing to move: ${file} does not exist`);
  }
  if (isInUse(file)) throw inUse(file);
  bringUpToDate(file);
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  // In rollback-journal mode ("delete"), not WAL, an open read transaction blocks all writers.
  db.exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
  if (db.prepare("PRAGMA journal_mode").get()?.["journal_mode"] !== "delete") {
    db.close();
    throw inUse(file);
  }
  return { ...sideOf(db, { folder, store }), changesSince: async () => 0 };
}

/** A store in a data folder that is new or holds a move. Locks it against other processes. */
export async function openSqliteTarget({ folder, store }: MovedFolder): Promise<Target> {
  const file = join(folder, store);
  await requireOurs(folder, store);
  makeFolder(folder);
  const db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false });
  try {
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = NORMAL; PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
    db.exec("BEGIN EXCLUSIVE; COMMIT");
    await clearReceived(folder);
  } catch (error) {
    db.close();
    throw isBusy(error) ? inUse(file) : error;
  }
  return targetOn(db, { folder, store });
}

function targetOn(db: DatabaseSync, place: MovedFolder): Target {
  const side = sideOf(db, place);
  const statements = new Map<string, StatementSync>();
  const inserting = (table: MovedTable, columns: readonly string[]) => {
    const sql = `INSERT INTO ${table.name} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const keep = (note: MoveNote) =>
    db.prepare(`UPDATE ${MOVED_FROM} SET note = ?`).run(writtenNote(note));
  return {
    ...side,
    async found() {
      const kept = noteIn(db);
      if (kept === null) requireNoRows(db, place);
      return kept;
    },
    async prepare(note) {
      if (noteIn(db) === null) {
        transact(db, () => {
          db.exec(`CREATE TABLE ${MOVED_FROM} (note TEXT NOT NULL, completed_at TEXT) STRICT`);
          db.prepare(`INSERT INTO ${MOVED_FROM} VALUES (?, NULL)`).run(writtenNote(note));
        });
      }
      migrate(db);
      db.exec(ROW_NUMBERS);
      return note.setAside === null ? setAside(db, note, keep) : note;
    },
    async write(table, rows, note) {
      const columns = Object.keys(rows[0] ?? {}).filter(
        (column) => table.name !== "items" || column !== "number",
      );
      transact(db, () => {
        if (table.key.length === 0) db.exec(`DELETE FROM ${table.name}`);
        const insert = inserting(table, columns);
        for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
        if (table.name === "items") keepNumbers(db, rows);
        keep(note);
      });
    },
    async settle(note, lastNumbers) {
      const settled = { ...note, setAside: [], isCopied: true };
      transact(db, () => {
        for (const [table, number] of lastNumbers) setNumber(db, table, number);
        for (const statement of note.setAside ?? []) db.exec(statement);
        keep(settled);
      });
      requireForeignKeys(db);
      return settled;
    },
    async complete(at) {
      db.exec("PRAGMA synchronous = FULL");
      db.prepare(`UPDATE ${MOVED_FROM} SET completed_at = ?`).run(at.toISOString());
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    async empty() {
      transact(db, () => {
        for (const name of tableNames(db)) db.exec(`DROP TABLE ${name}`);
      });
      db.exec("VACUUM");
      for (const part of ["media", "jobs"]) {
        await rm(join(place.folder, part), { recursive: true, force: true });
      }
    },
  };
}

function sideOf(db: DatabaseSync, { folder, store }: MovedFolder): Side {
  const selecting = new Map<string, StatementSync>();
  return {
    name: join(folder, store),
    files: folderFiles(folder),
    async columns({ name }) {
      const rows = db.prepare("SELECT name FROM pragma_table_info(?)").all(name);
      const own = rows.map((row) => String(row["name"]));
      return (name === "items" ? [...own, "number"] : own).sort();
    },
    async read(table, { columns, after, rowsMax, bytes }) {
      if (after !== null && table.key.length === 0) return [];
      const sql = selectNext(db, table, { columns, after });
      const statement = selecting.get(sql) ?? db.prepare(sql);
      selecting.set(sql, statement);
      return rowsUpTo(bytes, statement.iterate(...(after ?? []), rowsMax));
    },
    async count({ name }) {
      return Number(db.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.["count"]);
    },
    async lastNumber({ name }) {
      return Number(
        db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").get(name)?.["seq"] ?? 0,
      );
    },
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

/** Migrates as the server does at start, so that both sides have the same tables. */
function bringUpToDate(file: string): void {
  using db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  const kept = noteIn(db);
  if (kept !== null && kept.completedAt === null) refuseUnfinished(file);
  migrate(db);
}

function noteIn(db: DatabaseSync): KeptNote | null {
  if (!tableNames(db).includes(MOVED_FROM)) return null;
  const row = db.prepare(`SELECT note, completed_at FROM ${MOVED_FROM}`).get();
  if (row === undefined) return null;
  const completedAt = row["completed_at"];
  return {
    note: readNote(String(row["note"])),
    completedAt: typeof completedAt === "string" ? completedAt : null,
  };
}

/** Refuses a folder that holds anything a move does not create. */
async function requireOurs(folder: string, store: string): Promise<void> {
  const found = await namesInFolder(folder);
  const ours = new Set([
    store,
    `${store}-wal`,
    `${store}-shm`,
    `${store}-journal`,
    "media",
    "jobs",
  ]);
  const isOurs = found.every((name) => ours.has(name) || name.startsWith(MOVING_PREFIX));
  if (!isOurs || (found.length > 0 && !found.includes(store))) throw taken(folder);
}

/** Deletes partial files of a killed move. Safe, as the lock on the store excludes other moves. */
async function clearReceived(folder: string): Promise<void> {
  for (const name of await namesInFolder(folder)) {
    if (name.startsWith(MOVING_PREFIX)) await rm(join(folder, name), { force: true });
  }
}

/** Accepts a store without a note or rows: a move may have been interrupted while creating it. */
function requireNoRows(db: DatabaseSync, { folder }: MovedFolder): void {
  const names = tableNames(db);
  const isOurs = names.length === 0 || names.includes("migrations");
  const full = MOVED_TABLES.filter(
    ({ name, key }) =>
      key.length > 0 &&
      names.includes(name) &&
      db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined,
  );
  if (!isOurs || full.length > 0) throw taken(folder);
}

/** Drops indexes: rebuilding them after the bulk load is faster. */
function setAside(db: DatabaseSync, note: MoveNote, keep: (note: MoveNote) => void): MoveNote {
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all();
  const noted = { ...note, setAside: indexes.map(({ sql }) => String(sql)) };
  transact(db, () => {
    for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`);
    keep(noted);
  });
  return noted;
}

function keepNumbers(db: DatabaseSync, rows: readonly Row[]): void {
  const insert = db.prepare("INSERT INTO reading_row (row, item_id) VALUES (?, ?)");
  for (const { number = null, id = null } of rows) insert.run(number, id);
}

function setNumber(db: DatabaseSync, table: MovedTable, number: number): void {
  if (!isNumbered(table)) return;
  db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table.name);
  db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table.name, number);
}

function requireForeignKeys(db: DatabaseSync): void {
  const broken = db.prepare("PRAGMA foreign_key_check").get();
  if (broken === undefined) return;
  throw new Error(`A row of ${String(broken["table"])} names one that is not there`);
}

function transact(db: DatabaseSync, change: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    change();
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

function inUse(file: string): AppError {
  return new AppError("conflict", `${file} is in use; stop the server and other commands first`);
}

function taken(folder: string): AppError {
  return new AppError(
    "conflict",
    `Cannot move to ${folder}: something is there already; name a new folder`,
  );
}
