import type { StoredSite } from "./site-id.ts";
import { findSiteInFile } from "./sqlite/site-in-file.ts";

/**
 * Finds a site without changing anything; null if there is none.
 *
 * @throws {AppError} `unavailable` when the database cannot be used.
 */
export async function findStoredSite({
  url,
  file,
}: {
  /** The PostgreSQL database; null: `file` is the record. */
  url: string | null;
  /** The record's file; with `url`, the file of the reading copy. */
  file: string;
}): Promise<StoredSite | null> {
  if (url === null) return findSiteInFile(file);
  const { findSiteInDatabase } = await import("./postgres/site-in-database.ts");
  return await findSiteInDatabase(url, file);
}
