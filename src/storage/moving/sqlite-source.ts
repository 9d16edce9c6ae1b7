import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { AppError, englishOnlyWording } from "../../errors.ts";
import { isStoreInUse } from "../record/sqlite/copy.ts";
import { migrate } from "../record/sqlite/migrate.ts";
import { recordFilesInFolder } from "./folder-files.ts";
import type { MoveSource, ReadableRecord } from "./readable-record.ts";
import { nextRowsSql, takeRowsUpToByteLimit } from "./sqlite-rows.ts";

/** A data folder and the file name of its store. */
export interface SqliteLocation {
  folder: string;
  store: string;
}

/**
 * Opens the store of a data folder, and locks it until disposed of.
 *
 * @param beforeUpgrade called before the store is brought to this program's version.
 * @throws {AppError} `conflict` if there is no store, or another process is using it.
 */
export async function openSqliteSource(
  { folder, store }: SqliteLocation,
  beforeUpgrade: () => Promise<void>,
): Promise<MoveSource> {
  const file = join(folder, store);
  if (!existsSync(file)) {
    throw new AppError(
      "conflict",
      englishOnlyWording(`There is nothing to move: ${file} does not exist`),
    );
  }
  if (isStoreInUse(file)) throw inUse(file);
  await beforeUpgrade();
  migrateStore(file);
  const db = new DatabaseSync(file, { readOnly: true, timeout: 0 });
  // `isStoreInUse` has set rollback-journal mode ("delete"), in which an open read transaction blocks
  // all writers. If the mode is different now, a server has opened the store in the meantime.
  db.exec("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1");
  if (db.prepare("PRAGMA journal_mode").get()?.["journal_mode"] !== "delete") {
    db.close();
    throw inUse(file);
  }
  return {
    ...createReadableSqliteRecord(db, { folder, store }),
    changesSince: async () => 0,
    async [Symbol.asyncDispose]() {
      db.close();
    },
  };
}

/** Reads the record in an open store. The caller closes `db`. */
export function createReadableSqliteRecord(
  db: DatabaseSync,
  { folder, store }: SqliteLocation,
): Omit<ReadableRecord, keyof AsyncDisposable> {
  const statements = new Map<string, StatementSync>();
  return {
    name: join(folder, store),
    files: recordFilesInFolder(folder),
    async columns({ name }) {
      const rows = db.prepare("SELECT name FROM pragma_table_info(?)").all(name);
      const names = rows.map((row) => String(row["name"]));
      return (name === "items" ? [...names, "number"] : names).sort();
    },
    async read(table, { columns, after, rowsMax, bytes }) {
      if (after !== null && table.key.length === 0) return [];
      const sql = nextRowsSql(db, table, { columns, after });
      const statement = statements.get(sql) ?? db.prepare(sql);
      statements.set(sql, statement);
      return takeRowsUpToByteLimit(bytes, statement.iterate(...(after ?? []), rowsMax));
    },
    async count({ name }) {
      return Number(db.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.["count"]);
    },
    async lastNumber({ name }) {
      return Number(
        db.prepare("SELECT seq FROM sqlite_sequence WHERE name = ?").get(name)?.["seq"] ?? 0,
      );
    },
  };
}

/** Migrates as the server does at start, so that both sides have the same tables. */
function migrateStore(file: string): void {
  using db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  migrate(db);
}

function inUse(file: string): AppError {
  return new AppError(
    "conflict",
    englishOnlyWording(`${file} is in use; stop the server and other commands first`),
  );
}
