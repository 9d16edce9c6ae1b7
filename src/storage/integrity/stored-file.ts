import { DatabaseSync } from "node:sqlite";
import { isCopyOfThisVersion } from "../reading/schema.ts";
import { requireCommonplaceStore } from "../record/sqlite/copy.ts";
import { asDamageError } from "../sqlite/sqlite-errors.ts";
import type { DamageCheck } from "./agreement.ts";
import { checkDatabase, type RowHashAvailability } from "./checks.ts";

/** How long to wait for a lock, because another process may be closing the store. */
const LOCK_WAIT_MILLISECONDS = 10_000;

/**
 * Checks a store or a backup, even while servers use it. Skips hashes that an earlier version of
 * the program did not store.
 * @throws {AppError} `invalid` when the file is empty or a database of another program; `unavailable` when
 * a newer version of this program has changed the store.
 */
export function* checkStoreFile(file: string): DamageCheck {
  yield* openAndCheck(file, "record", (db) => {
    requireCommonplaceStore(db, file);
    const column = "SELECT 1 FROM pragma_table_info('items') WHERE name = 'hash'";
    return { record: db.prepare(column).get() !== undefined, reading: hasHashedCopy(db) };
  });
}

/** Checks the reading copy of an instance whose record is in PostgreSQL. */
export function* checkReadingCopyFile(file: string): DamageCheck {
  yield* openAndCheck(file, "reading copy", (db) => ({
    record: false,
    reading: hasHashedCopy(db),
  }));
}

/**
 * Whether the copy has hashes. Also true if the copy is too damaged to state its version, so that the
 * checks report the damage.
 */
function hasHashedCopy(db: DatabaseSync): boolean {
  try {
    return isCopyOfThisVersion(db);
  } catch (error) {
    if (asDamageError(error, "reading copy") === null) throw error;
    return true;
  }
}

function* openAndCheck(
  file: string,
  part: "record" | "reading copy",
  hashedIn: (db: DatabaseSync) => RowHashAvailability,
): DamageCheck {
  try {
    using db = new DatabaseSync(file, { readOnly: true, timeout: LOCK_WAIT_MILLISECONDS });
    for (const place of checkDatabase(db, hashedIn(db))) {
      yield place === null ? null : { ...place, part: part === "record" ? place.part : part };
    }
  } catch (error) {
    const damage = asDamageError(error, part);
    if (damage === null) throw error;
    yield damage.place;
  }
}
