import { existsSync } from "node:fs";
import { rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { AppError, englishOnlyWording } from "../../errors.ts";
import {
  listFolderEntryNames,
  makeFolder,
  moveDurably,
  restrictAndSyncFile,
} from "../../files/durable-files.ts";
import { LOCK_FILE_NAME, lockDataFolder } from "../folder-lock.ts";
import { CREATE_ROW_NUMBER_TABLE_SQL } from "../reading/tables.ts";
import type { KeyedTable } from "../record/keyed-tables.ts";
import { migrate } from "../record/sqlite/migrate.ts";
import { MOVED_FOLDERS } from "./moving-files.ts";
import type { MoveTarget, RecordRow } from "./readable-record.ts";
import { createReadableSqliteRecord, type SqliteLocation } from "./sqlite-source.ts";

/** Size of SQLite's page cache, enough for the index pages that change during a bulk load. */
const CACHE_KIBIBYTES = 128_000;

/** Name of the file that a move fills. Renaming the file to `store` completes the move. */
export function unfinishedStoreName(store: string): string {
  return `${store}.moving`;
}

/**
 * Opens a new store in a data folder that does not exist, is empty, or was left by a killed move.
 *
 * @throws {AppError} `conflict` if the folder contains anything else or another process uses it.
 */
export async function openSqliteTarget(target: SqliteLocation): Promise<MoveTarget> {
  const { folder, store } = target;
  await requireEmpty(target);
  const isNew = !existsSync(folder);
  makeFolder(folder);
  let isCommitted = false;
  await using opened = new AsyncDisposableStack();
  const lock = opened.use(lockDataFolder(folder, "exclusive"));
  // Checks again, because another move may have ended since the first check.
  await requireEmpty(target);
  opened.defer(async () => {
    if (!isCommitted) await removeMoved(target);
    await rm(join(folder, LOCK_FILE_NAME), { force: true });
    lock[Symbol.dispose]();
    if (isNew && !isCommitted) await rmdir(folder);
  });
  await removeMoved(target);
  const movingFile = join(folder, unfinishedStoreName(store));
  const db = opened.adopt(
    new DatabaseSync(movingFile, { enableForeignKeyConstraints: false }),
    async (db) => {
      if (db.isOpen) db.close();
    },
  );
  // Turns off crash safety, because a move is complete only when the file has its final name.
  db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  db.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  migrate(db);
  db.exec(CREATE_ROW_NUMBER_TABLE_SQL);
  const indexes = dropIndexes(db);
  const owned = opened.move();
  return {
    ...createReadableSqliteRecord(db, target),
    ...writer(db),
    async finishTables(lastNumbers) {
      for (const [{ name }, number] of lastNumbers) setNumber(db, name, number);
      for (const statement of indexes) db.exec(statement);
      requireForeignKeys(db);
    },
    async commit() {
      db.close();
      await restrictAndSyncFile(movingFile);
      await moveDurably(movingFile, join(folder, store));
      isCommitted = true;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Throws if the folder is not empty. Accepts what a killed move left: the store then does not have
 * its final name yet.
 */
async function requireEmpty({ folder, store }: SqliteLocation): Promise<void> {
  const found = await listFolderEntryNames(folder);
  const ours = [LOCK_FILE_NAME, `${LOCK_FILE_NAME}-journal`];
  if (found.includes(unfinishedStoreName(store)))
    ours.push(unfinishedStoreName(store), ...MOVED_FOLDERS);
  if (found.every((name) => ours.includes(name))) return;
  throw new AppError(
    "conflict",
    englishOnlyWording(`Cannot move to ${folder}: something is there already; name a new folder`),
  );
}

/** Removes the store last, because the store marks the folder as filled by a move. */
async function removeMoved({ folder, store }: SqliteLocation): Promise<void> {
  for (const part of [...MOVED_FOLDERS, unfinishedStoreName(store)]) {
    await rm(join(folder, part), { recursive: true, force: true });
  }
}

function writer(db: DatabaseSync): Pick<MoveTarget, "write"> {
  const statements = new Map<string, StatementSync>();
  const insertStatement = (table: KeyedTable, columns: readonly string[]) => {
    const sql = `INSERT INTO ${table.name} (${columns.join()}) VALUES (${columns.map(() => "?").join()})`;
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    async write(table, rows) {
      const columns = Object.keys(rows[0] ?? {}).filter(
        (column) => table.name !== "items" || column !== "number",
      );
      db.exec("BEGIN");
      if (table.key.length === 0) db.exec(`DELETE FROM ${table.name}`);
      const insert = insertStatement(table, columns);
      for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
      if (table.name === "items") keepNumbers(db, rows);
      db.exec("COMMIT");
    },
  };
}

/**
 * Drops indexes before the bulk load, because building indexes afterwards is faster.
 *
 * @returns the statements that build the indexes.
 */
function dropIndexes(db: DatabaseSync): string[] {
  const indexes = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all();
  for (const { name } of indexes) db.exec(`DROP INDEX ${String(name)}`);
  return indexes.map(({ sql }) => String(sql));
}

function keepNumbers(db: DatabaseSync, rows: readonly RecordRow[]): void {
  const insert = db.prepare("INSERT INTO reading_row (row, item_id) VALUES (?, ?)");
  for (const { number = null, id = null } of rows) insert.run(number, id);
}

function setNumber(db: DatabaseSync, table: string, number: number): void {
  db.prepare("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  db.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)").run(table, number);
}

function requireForeignKeys(db: DatabaseSync): void {
  const broken = db.prepare("PRAGMA foreign_key_check").get();
  if (broken === undefined) return;
  throw new Error(`A row of ${String(broken["table"])} refers to a missing row`);
}
