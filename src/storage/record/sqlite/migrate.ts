import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError, englishOnly } from "../../../errors.ts";
import { registerRowHash } from "../../sqlite/row-hash.ts";

const MIGRATIONS_FOLDER = new URL("./migrations/", import.meta.url);
/** Long enough for another process that is closing the store, which locks it briefly. */
const LOCK_WAIT_MILLISECONDS = 10_000;

/**
 * Applies missing migrations: `.sql` files in the order of their names, all in one transaction, so that a
 * store is never between two versions. Processes that start at the same time wait for each other.
 *
 * @throws {AppError} `unavailable` when a newer version has migrated the file.
 */
export function migrate(db: DatabaseSync): void {
  db.exec("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  registerRowHash(db);
  if (missingMigrations(db).length > 0) applyMissing(db);
  requireKnownMigrations(db);
}

/** Whether a store of an earlier version is in the file; false if it is missing, empty or unreadable. */
export function isOfEarlierVersion(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MILLISECONDS });
    const missing = missingMigrations(db);
    return missing.length > 0 && missing.length < knownMigrations().length;
  } catch {
    // Opening the store reports what is wrong with it.
    return false;
  }
}

/** @throws {AppError} `unavailable` when a newer version has migrated the file. */
export function requireKnownMigrations(db: DatabaseSync): void {
  const known = knownMigrations();
  const applied = db.prepare("SELECT name FROM migrations ORDER BY name").all();
  const unknown = applied.map(({ name }) => String(name)).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new AppError(
      "unavailable",
      englishOnly(
        `The store was changed by a newer version of this program (${unknown.join(", ")}); start that version`,
      ),
    );
  }
}

function knownMigrations(): string[] {
  return readdirSync(MIGRATIONS_FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

function missingMigrations(db: DatabaseSync): string[] {
  const applied = db.prepare("SELECT name FROM migrations").all();
  const names = new Set(applied.map(({ name }) => String(name)));
  return knownMigrations().filter((name) => !names.has(name));
}

function applyMissing(db: DatabaseSync): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have applied them while this one waited.
    for (const name of missingMigrations(db)) {
      db.exec(readFileSync(new URL(name, MIGRATIONS_FOLDER), "utf8"));
      db.prepare("INSERT INTO migrations VALUES (?)").run(name);
    }
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}
