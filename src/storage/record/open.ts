import type { Log } from "../../log.ts";
import { type Step, traced } from "../../tracing.ts";
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
  if (url === null) return withTraces(await openSqliteRecord(options), "sqlite");
  const { openPostgresRecord } = await import("./postgres/open.ts");
  return withTraces(await openPostgresRecord({ ...options, url, follows, log }), "postgresql");
}

function withTraces(record: OpenRecord, system: "sqlite" | "postgresql"): OpenRecord {
  const transaction: Step = {
    name: "transaction",
    kind: "client",
    attributes: { "db.system.name": system },
  };
  return {
    ...record,
    atomically: (change) => traced(transaction, () => record.atomically(change)),
  };
}
