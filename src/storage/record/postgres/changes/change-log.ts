import type { Pool } from "pg";
import { parseChangeLogEntry } from "../../../reading/writing/changes.ts";
import type {
  ChangeLogReadResult,
  ChangeSource,
  LoggedEntry,
  LogPosition,
} from "../../../replica/change-source.ts";
import { runOnce } from "../../once.ts";
import type { HangDetector } from "../connections/hang-detector.ts";
import { LOCK_WAIT_MILLISECONDS_MAX, RecordPool } from "../connections/pool.ts";
import type { DatabaseReachability } from "../connections/reach.ts";
import { readInSnapshot } from "../snapshot-content.ts";
import { ENTRY_TIME_FORMAT } from "./entries.ts";
import type { NotificationListener } from "./notification-listener.ts";

/**
 * One connection reads the log, the other reads a snapshot. They have their own pool, so that
 * writers cannot exhaust it.
 */
const CONNECTIONS_MAX = 2;
const ENTRIES_MAX = 500;
const CHARACTERS_MAX = 8_000_000;
/**
 * Limits on the age and number of log entries that are kept. A copy that is further behind is rebuilt,
 * which is faster than catching up.
 */
const KEPT_HOURS = 24;
const KEPT_ENTRIES = 100_000;

export interface ChangeLog extends ChangeSource, AsyncDisposable {
  /** Deletes old entries, but never the last entry. */
  prune(): Promise<void>;
  close(): Promise<void>;
}

interface ChangeLogOptions {
  url: string;
  listening: NotificationListener;
  reach: DatabaseReachability;
  watch: HangDetector;
  stopSignal?: AbortSignal | undefined;
}

/**
 * Log of changes to public content. Each entry is written in the transaction that makes the change, so
 * entries are in commit order. Connects on first use.
 */
export function openChangeLog({
  url,
  listening,
  reach,
  watch,
  stopSignal,
}: ChangeLogOptions): ChangeLog {
  const pool = new RecordPool(url, { max: CONNECTIONS_MAX, stopSignal });
  const trackReach = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      const answer = await ask();
      reach.succeeded();
      return answer;
    } catch (error) {
      reach.failed(error);
      throw reach.translate(error, LOCK_WAIT_MILLISECONDS_MAX);
    }
  };
  const close = runOnce(() => pool.close());
  return {
    after: async (position) => await trackReach(() => watch.during(entriesAfter(pool, position))),
    snapshot: async (read) => await trackReach(() => readInSnapshot(pool, read)),
    listen: (onNotification) => listening.subscribe("commonplace_changes", onNotification),
    prune: async () => await trackReach(() => watch.during(deleteOld(pool))),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface LogRow {
  last: number;
  record_id: string;
  sequence: number | null;
  at: string;
  changes: string | null;
  age: number;
}

/**
 * Reads the entries after a copy's position. Also reads the entry at that position, to check that
 * the copy comes from this log.
 */
async function entriesAfter(
  pool: Pool,
  { recordId, position, at }: LogPosition,
): Promise<ChangeLogReadResult> {
  const { rows } = await pool.query<LogRow>({
    name: "changes after",
    text: `SELECT last, record_id, sequence, at, changes,
        extract(epoch FROM clock_timestamp() - at::timestamptz)::float8 AS age
      FROM change_state LEFT JOIN (
        SELECT *, sum(octet_length(changes)) OVER (ORDER BY sequence) - octet_length(changes) AS before
        FROM (
          SELECT sequence, at, CASE WHEN sequence > $1 THEN changes ELSE '' END AS changes
          FROM changes WHERE sequence >= $1 ORDER BY sequence LIMIT ${ENTRIES_MAX}
        ) AS following
      ) AS entries ON before < ${CHARACTERS_MAX}
      ORDER BY sequence`,
    values: [position],
  });
  const [state] = rows;
  if (state === undefined) throw new Error("The log of changes has no state");
  if (state.record_id !== recordId) return lostEverywhere("It is another record's");
  if (state.last < position) return lostEverywhere("The record is in an earlier state");
  const atPosition = rows.find(({ sequence }) => sequence === position);
  // If there is no entry at `position`, the log was pruned. An empty `at` is the exception: the log had
  // no entries when the copy was made, for example after a move to another database.
  if (atPosition === undefined && at !== "") return PRUNED_LOG;
  if (atPosition !== undefined && atPosition.at !== at)
    return lostEverywhere("The record has another history");
  if (state.last === position) return { kind: "current" };
  const newRows = rows.filter(({ sequence }) => sequence !== null && sequence > position);
  const entries = newRows.flatMap(loggedEntry);
  if (entries[0]?.sequence !== position + 1) {
    return PRUNED_LOG;
  }
  return { kind: "behind", entries, lagSeconds: Math.max(0, newRows[0]?.age ?? 0) };
}

const PRUNED_LOG: ChangeLogReadResult = {
  kind: "lost",
  why: "The log no longer has the next entry",
  everywhere: false,
};

function lostEverywhere(why: string): ChangeLogReadResult {
  return { kind: "lost", why, everywhere: true };
}

function loggedEntry({ sequence, at, changes }: LogRow): LoggedEntry[] {
  if (sequence === null || changes === null) return [];
  return [{ sequence, at, entry: parseChangeLogEntry(changes) }];
}

async function deleteOld(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM changes USING change_state
     WHERE sequence < last AND (
       sequence <= last - ${KEPT_ENTRIES}
       OR at < to_char(now() AT TIME ZONE 'UTC' - interval '${KEPT_HOURS} hours', ${ENTRY_TIME_FORMAT})
     )`,
  );
}
