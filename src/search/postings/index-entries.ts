import type { PublishedIndexEntry, PublishedIndexOptions } from "../../content/library.ts";
import {
  LISTED_ITEM_COLUMNS,
  requireRowHash,
  wrongRowError,
} from "../../storage/reading/hashed-rows.ts";
import { numberOf, type Row, textOf } from "../../storage/sqlite/columns.ts";
import { DamageError } from "../../storage/sqlite/damage.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";

/**
 * Entries read per batch. No read transaction stays open between batches, even if the client reads
 * slowly.
 */
const BATCH_ENTRIES = 500;

/** Where to start among the items of one type in the index of all published items. */
interface TypeStart {
  type: string;
  /** Entries start after this row. */
  row: number;
  /** Number of entries to skip. */
  skip: number;
}

/**
 * Yields the entries of the index of all published items, type by type.
 *
 * @throws {DamageError} when the number of items in the index differs from `counts`.
 */
export function* readItemIndexEntries(
  sql: StatementCache,
  { type, after, offset = 0, limit = Number.POSITIVE_INFINITY }: PublishedIndexOptions,
  {
    types,
    counts,
    version,
  }: {
    types: readonly string[];
    counts: Readonly<Record<string, number>>;
    /** Refreshes the snapshot and returns the version of the published content. */
    version: () => number;
  },
): Generator<PublishedIndexEntry> {
  const listedTypes = type === undefined ? types : [type];
  const countedVersion = version();
  let remaining = limit;
  for (const start of typeStarts(listedTypes, after, { offset, counts })) {
    const listedCount = yield* entriesFrom(sql, start, { limit: remaining, refresh: version });
    remaining -= listedCount;
    if (remaining === 0) return;
    const isCounted = start.row === 0 && version() === countedVersion;
    if (isCounted && start.skip + listedCount !== (counts[start.type] ?? 0)) throw hiddenRowError();
  }
}

/**
 * Yields the entries of a type, beginning at `start`.
 *
 * @returns the number of entries.
 */
function* entriesFrom(
  sql: StatementCache,
  start: TypeStart,
  { limit, refresh }: { limit: number; refresh: () => void },
): Generator<PublishedIndexEntry, number> {
  let from = start;
  let listedCount = 0;
  while (listedCount < limit) {
    const batchMax = Math.min(limit - listedCount, BATCH_ENTRIES);
    refresh();
    const batch = readBatch(sql, from, batchMax);
    for (const { entry } of batch) yield entry;
    listedCount += batch.length;
    if (batch.length < batchMax) break;
    from = { type: start.type, row: batch.at(-1)?.row ?? 0, skip: 0 };
  }
  return listedCount;
}

/** The row of the entry at a cursor. */
export function rowOfItemIndexCursor(cursor: string): number {
  const [, row] = cursor.split(":");
  return Number(row);
}

/** The error for an index that contains more or fewer items than the stored item count says. */
function hiddenRowError(): DamageError {
  return new DamageError({ part: "reading copy", table: "reading_item", row: null });
}

/**
 * For each type, in the order of `types`, where to start among its items. Leaves out types before the
 * position `after`, and types whose items `offset` skips entirely.
 */
function typeStarts(
  types: readonly string[],
  after: string | undefined,
  { offset, counts }: { offset: number; counts: Readonly<Record<string, number>> },
): TypeStart[] {
  if (after !== undefined) {
    const [afterType = "", row] = after.split(":");
    const from = types.indexOf(afterType);
    if (from === -1) return [];
    return types
      .slice(from)
      .map((type, at) => ({ type, row: at === 0 ? Number(row) : 0, skip: 0 }));
  }
  let skip = offset;
  return types.flatMap((type): TypeStart[] => {
    const items = counts[type] ?? 0;
    const start = { type, row: 0, skip: Math.min(skip, items) };
    skip -= start.skip;
    return start.skip === items ? [] : [start];
  });
}

function readBatch(
  sql: StatementCache,
  { type, row, skip }: TypeStart,
  limit: number,
): { entry: PublishedIndexEntry; row: number }[] {
  return sql
    .withArrayRows(
      `SELECT ${LISTED_ITEM_COLUMNS.join()}, listed_hash FROM reading_item
       WHERE row IN (SELECT row FROM reading_item INDEXED BY reading_item_type
                     WHERE type = ? AND row > ? ORDER BY row LIMIT +? OFFSET +?)
       ORDER BY row`,
    )
    .all(type, row, limit, skip)
    .map((found) => entryOf(found, type));
}

const [ROW, TYPE, PATH, TITLE, SUMMARY, LANGUAGE, UPDATED_AT] = [0, 1, 2, 3, 4, 5, 6] as const;

function entryOf(found: Row, type: string): { entry: PublishedIndexEntry; row: number } {
  requireRowHash(found, LISTED_ITEM_COLUMNS.length, "reading_item");
  const row = numberOf(found, ROW);
  if (found[TYPE] !== type) throw wrongRowError("reading_item", String(row));
  return {
    row,
    entry: {
      cursor: `${type}:${row}`,
      path: textOf(found, PATH),
      type,
      title: textOf(found, TITLE),
      summary: textOf(found, SUMMARY),
      language: textOf(found, LANGUAGE),
      updatedAt: textOf(found, UPDATED_AT),
    },
  };
}
