import type { Log } from "../../log.ts";
import { type TracedStep, traceStep } from "../../tracing.ts";
import { openSqliteRecord, type SqliteRecordOptions } from "./sqlite/open.ts";
import type { OpenRecord } from "./stores.ts";

export interface RecordOptions extends SqliteRecordOptions {
  /**
   * URL of the record's PostgreSQL database; `file` then has only the reading copy. Null if the
   * record is in `file`.
   */
  url?: string | null;
  /** PostgreSQL only: whether this process updates its own reading copy from the record. */
  follows?: boolean;
  log?: Log | null;
  /** PostgreSQL only: abort this shortly before closing, to end long waits. */
  stopSignal?: AbortSignal;
}

/**
 * Opens the record in SQLite or PostgreSQL and brings its tables and the reading copy up to date.
 *
 * @throws {AppError} `unavailable` when the record cannot be opened or was changed by a newer version.
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
  const transaction: TracedStep = {
    name: "transaction",
    kind: "client",
    attributes: { "db.system.name": system },
  };
  return {
    ...record,
    atomically: (change) => traceStep(transaction, () => record.atomically(change)),
  };
}
