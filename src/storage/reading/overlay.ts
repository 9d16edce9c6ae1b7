import { DatabaseSync } from "node:sqlite";
import type { ReadingCopy } from "../../content/library.ts";
import { numberOf, textOf } from "../sqlite/columns.ts";
import { asDamageError, translateSqliteReadError } from "../sqlite/sqlite-errors.ts";
import { runStepsWithYields } from "../sqlite/yield-between.ts";
import { openReadingCopyInTransaction } from "./open.ts";
import { applyChange, type ChangeLogEntry } from "./writing/changes.ts";
import { createReadingWriter } from "./writing/writer.ts";

/** Tables from which an item's page is read. Previews do not include search. */
const OVERLAID_TABLES = [
  "reading_state",
  "reading_row",
  "reading_item",
  "reading_body",
  "reading_related",
  "reading_value",
  "reading_tally",
  "reading_link",
  "reading_count",
  "reading_path",
  "reading_lead",
  "reading_medium",
  "reading_vector",
];

/** A snapshot of the reading copy. Changes to it are private and never stored. */
export interface OverlaySnapshot {
  /** The connection with the snapshot. It includes the record if the record is in the same file. */
  db: DatabaseSync;
  /** The public view after the changes; valid until the snapshot ends. */
  apply(entry: Pick<ChangeLogEntry, "numbers" | "changes">): Promise<ReadingCopy>;
}

/**
 * Applies changes to the reading copy without writing to its file. Temporary tables hold the
 * changes. Temporary views shadow the tables of the copy and combine them with the changes. Never
 * makes a writer wait for a lock.
 */
export class ReadingOverlay {
  readonly #file: string;
  readonly #origin: string;
  #db: DatabaseSync | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, origin: string) {
    this.#file = file;
    this.#origin = origin;
  }

  /** Runs one `use` at a time, and discards its changes at the end. */
  async run<T>(use: (overlay: OverlaySnapshot) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => this.#run(use));
    this.#last = turn.catch(() => {});
    return await turn;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#db?.close();
    this.#db = null;
  }

  async #run<T>(use: (overlay: OverlaySnapshot) => Promise<T>): Promise<T> {
    this.#db ??= openOverlaid(this.#file);
    const db = this.#db;
    db.exec("BEGIN");
    try {
      return await use({ db, apply: (entry) => this.#apply(db, entry) });
    } catch (error) {
      throw asDamageError(error, "reading copy") ?? translateSqliteReadError(error);
    } finally {
      if (db.isTransaction) db.exec("ROLLBACK");
    }
  }

  async #apply(
    db: DatabaseSync,
    { numbers, changes }: Pick<ChangeLogEntry, "numbers" | "changes">,
  ): Promise<ReadingCopy> {
    const rowNumberOf = numberRows(db, numbers);
    const writer = createReadingWriter(db, { origin: this.#origin, rowNumberOf, index: null });
    for (const change of changes) await runStepsWithYields(applyChange(writer, change));
    await runStepsWithYields(writer.finish());
    return openReadingCopyInTransaction(db);
  }
}

/**
 * Returns a function that looks up row numbers. Items without a number get the next highest
 * numbers, as they will when they are stored.
 */
function numberRows(
  db: DatabaseSync,
  known: ChangeLogEntry["numbers"],
): (itemId: string) => number {
  const last = db.prepare("SELECT coalesce(max(row), 0) AS last FROM main.reading_row").get();
  let next = Math.max(numberOf(last ?? {}, "last"), ...Object.values(known)) + 1;
  return (itemId) => {
    const number = known[itemId];
    if (number !== undefined) return number;
    next += 1;
    return next - 1;
  };
}

function openOverlaid(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  db.exec("PRAGMA temp_store = MEMORY");
  for (const table of OVERLAID_TABLES) db.exec(createOverlay(db, table));
  return db;
}

/**
 * Returns SQL for a temporary view that shadows the table: SQLite looks for an unqualified name
 * among temporary views first.
 */
function createOverlay(db: DatabaseSync, table: string): string {
  const columns = db.prepare(`PRAGMA main.table_info(${table})`).all();
  const names = columns.map((column) => textOf(column, "name"));
  const keys = columns
    .filter((column) => numberOf(column, "pk") > 0)
    .sort((a, b) => numberOf(a, "pk") - numberOf(b, "pk"))
    .map((column) => textOf(column, "name"));
  const typed = columns.map((column) => `${textOf(column, "name")} ${textOf(column, "type")}`);
  const typedKeys = typed.filter((_, index) => keys.includes(names[index] ?? ""));
  const list = (prefix: string, parts: readonly string[]) =>
    parts.map((part) => `${prefix}${part}`).join(", ");
  const isKey = (prefix: string) => keys.map((key) => `${key} = ${prefix}${key}`).join(" AND ");
  const hide = (which: string) =>
    `INSERT OR REPLACE INTO hidden_${table} VALUES (${list(which, keys)});`;
  const add = `${hide("NEW.")} INSERT OR REPLACE INTO changed_${table} VALUES (${list("NEW.", names)});`;
  const remove = `${hide("OLD.")} DELETE FROM changed_${table} WHERE ${isKey("OLD.")};`;
  return `
    CREATE TEMP TABLE changed_${table} (${typed.join(", ")}, PRIMARY KEY (${keys.join(", ")})) STRICT;
    CREATE TEMP TABLE hidden_${table} (${typedKeys.join(", ")}, PRIMARY KEY (${keys.join(", ")})) STRICT;
    CREATE TEMP VIEW ${table} AS
      SELECT ${names.join(", ")} FROM main.${table} AS stored
      WHERE NOT EXISTS (SELECT 1 FROM hidden_${table} WHERE ${isKey("stored.")})
      UNION ALL SELECT ${names.join(", ")} FROM changed_${table};
    CREATE TEMP TRIGGER insert_${table} INSTEAD OF INSERT ON ${table} BEGIN ${add} END;
    CREATE TEMP TRIGGER delete_${table} INSTEAD OF DELETE ON ${table} BEGIN ${remove} END;
    CREATE TEMP TRIGGER update_${table} INSTEAD OF UPDATE ON ${table} BEGIN ${remove} ${add} END;`;
}
