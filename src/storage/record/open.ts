import type { Log } from "../../log.ts";
import { openSqliteRecord, type SqliteRecordOptions } from "./sqlite/open.ts";
import type { OpenRecord } from "./stores.ts";

export interface RecordOptions extends SqliteRecordOptions {
  /** The PostgreSQL database of the record; `file` is then only the reading copy. */
  url?: string | null;
  /** PostgreSQL only: whether this process keeps its reading copy up to date. */
  follows?: boolean;
  log?: Log | null;
  /** PostgreSQL only: abort shortly before closing to cut long waits short. */
  ending?: AbortSignal;
}

/**
 * Opens the record in SQLite or PostgreSQL and brings its tables and the reading copy up to date.
 *
 * @throws {AppError} `unavailable` when it cannot be opened or was changed by a newer version.
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
