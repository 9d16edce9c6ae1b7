import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../errors.ts";
import { registerRowHash } from "../../sqlite/row-hash.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/**
 * Applies missing migrations: `.sql` files in the order of their names, each in a transaction. Processes
 * that start at the same time wait for each other.
 *
 * @throws {AppError} `unavailable` when a newer version has migrated the file.
 */
export function migrate(db: DatabaseSync): void {
  db.exec("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID");
  registerRowHash(db);
  for (const name of knownMigrations()) apply(db, name);
  requireKnownMigrations(db);
}

/** @throws {AppError} `unavailable` when a newer version has migrated the file. */
export function requireKnownMigrations(db: DatabaseSync): void {
  const known = knownMigrations();
  const applied = db.prepare("SELECT name FROM migrations ORDER BY name").all();
  const unknown = applied.map(({ name }) => String(name)).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new AppError(
      "unavailable",
      `The store was changed by a newer version of this program (${unknown.join(", ")}); start that version`,
    );
  }
}

function knownMigrations(): string[] {
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort();
}

function apply(db: DatabaseSync, name: string): void {
  db.exec("BEGIN IMMEDIATE");
  try {
    if (db.prepare("SELECT 1 FROM migrations WHERE name = ?").get(name) === undefined) {
      db.exec(readFileSync(new URL(name, FOLDER), "utf8"));
      db.prepare("INSERT INTO migrations VALUES (?)").run(name);
    }
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}
