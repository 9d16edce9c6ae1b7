import type { Log } from "../../log.ts";
import { openSqliteRecord, type SqliteRecordOptions } from "./sqlite/open.ts";
import type { OpenRecord } from "./stores.ts";

export interface RecordOptions extends SqliteRecordOptions {
  /** A PostgreSQL database that holds the record; `file` is then only the reading copy. */
  url?: string | null;
  /** Only of a record in PostgreSQL: is the reading copy to be kept up to date in this process? */
  follows?: boolean;
  log?: Log | null;
  /** Only of a record in PostgreSQL: aborted a moment before it is closed, so that nothing is waited for long. */
  ending?: AbortSignal;
}

/**
 * Opens the record, wherever it is kept, and brings its tables and the reading copy up to date.
 *
 * @throws {AppError} `unavailable` when it cannot be used, or a newer version of this program has
 * changed it.
 */
export async function openRecord({
  url = null,
  follows = true,
  log = null,
  ...options
}: RecordOptions): Promise<OpenRecord> {
  if (url === null) return await openSqliteRecord(options);
  const { openPostgresRecord } = await import("./postgres/open.ts");
  return await openPostgresRecord({ ...options, url, follows, log });
}
