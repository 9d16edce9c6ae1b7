import { existsSync, readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { registerRowHash } from "../../sqlite/row-hash.ts";
import { requireAllMigrationsKnown } from "../known-migrations.ts";

const MIGRATIONS_FOLDER = new URL("./migrations/", import.meta.url);
/** Long enough to wait for a process that is closing the store and so locks it briefly. */
const LOCK_WAIT_MILLISECONDS = 10_000;
const GO_BACK =
  "start that version, or go back to the store that it saved before: commonplace restore DATA_DIR/before-upgrade-TIME.db --force (docs/operating.md, Upgrades)";

/**
 * Applies missing migrations: `.sql` files in the order of their names, all in one transaction, so that a
 * store is never between two versions. Processes that start at the same time wait for each other.
 *
 * @throws {AppError} `unavailable` when a newer version has migrated the file.
 */
export function migrate(db: DatabaseSync): void {
  db.exec("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  registerRowHash(db);
  requireKnownMigrations(db, GO_BACK);
  if (missingMigrations(db).length > 0) applyMissing(db);
}

/**
 * Whether the file contains a store of an earlier version; false if it is missing, empty or
 * unreadable.
 */
export function isStoreOfEarlierVersion(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MILLISECONDS });
    requireKnownMigrations(db, GO_BACK);
    const missing = missingMigrations(db);
    return missing.length > 0 && missing.length < knownMigrations().length;
  } catch {
    // The error is ignored here: opening the store reports it.
    return false;
  }
}

/**
 * Refuses a store that a newer version has migrated. `remedy` says what the operator has to do.
 *
 * @throws {AppError} `unavailable` for such a store.
 */
export function requireKnownMigrations(db: DatabaseSync, remedy: string): void {
  requireAllMigrationsKnown(appliedMigrations(db), knownMigrations(), remedy);
}

function knownMigrations(): string[] {
  return readdirSync(MIGRATIONS_FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

function appliedMigrations(db: DatabaseSync): string[] {
  const applied = db.prepare("SELECT name FROM migrations ORDER BY name").all();
  return applied.map(({ name }) => String(name));
}

function missingMigrations(db: DatabaseSync): string[] {
  const applied = new Set(appliedMigrations(db));
  return knownMigrations().filter((name) => !applied.has(name));
}

function applyMissing(db: DatabaseSync): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    // While this process waited for the lock, another process may have migrated, perhaps to a newer
    // version.
    requireKnownMigrations(db, GO_BACK);
    for (const name of missingMigrations(db)) {
      db.exec(readFileSync(new URL(name, MIGRATIONS_FOLDER), "utf8"));
      db.prepare("INSERT INTO migrations VALUES (?)").run(name);
    }
    db.exec("COMMIT");
  } catch (error) {
    // A full disk makes SQLite roll back by itself.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
