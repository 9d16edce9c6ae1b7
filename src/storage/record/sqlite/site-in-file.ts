import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { AppError } from "../../../errors.ts";
import type { StoredSite } from "../site-id.ts";

/** @returns null for a missing or empty file, or a store without a site. */
export function findSiteInFile(file: string): StoredSite | null {
  // Opening an empty file would delete its write-ahead log.
  if (isEmptyFile(file)) return null;
  try {
    using db = new DatabaseSync(file, { timeout: 0 });
    const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'settings'").get();
    if (table === undefined) return null;
    const setting = db.prepare("SELECT value FROM settings WHERE name = ?");
    if (setting.get("site") === undefined) return null;
    const id = setting.get("site_id")?.["value"];
    return { id: typeof id === "string" ? id : null, copy: "of this record" };
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Opening the store reports why it cannot be read.
    return { id: null, copy: "of this record" };
  }
}

function isEmptyFile(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && found.size === 0);
}
