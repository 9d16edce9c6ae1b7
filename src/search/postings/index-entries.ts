import type { IndexEntry, IndexOptions } from "../../content/library.ts";
import {
  LISTED_COLUMNS,
  requireRowHash,
  wrongRowError,
} from "../../storage/reading/hashed-rows.ts";
import { numberOf, type Row, textOf } from "../../storage/sqlite/columns.ts";
import { DamageError } from "../../storage/sqlite/damage.ts";
import type { Statements } from "../../storage/sqlite/statements.ts";

/** Entries read at once; between batches no read transaction stays open for a slow client. */
const BATCH_ENTRIES = 500;

interface TypeStart {
  type: string;
  /** Entries after this row. */
  row: number;
  skip: number;
}

export function* indexEntries(
  sql: Statements,
  { type, after, offset = 0, limit = Number.POSITIVE_INFINITY }: IndexOptions,
  {
    types,
    counts,
    version,
  }: {
    types: readonly string[];
    counts: Readonly<Record<string, number>>;
    /** Refreshes the snapshot; returns the version of the published content. */
    version: () => number;
  },
): Generator<IndexEntry> {
  const wanted = type === undefined ? types : [type];
  const countedVersion = version();
  let left = limit;
  for (const start of typeStarts(wanted, after, { offset, counts })) {
    const listed = yield* entriesFrom(sql, start, { limit: left, refresh: version });
    left -= listed;
    if (left === 0) return;
    const isCounted = start.row === 0 && version() === countedVersion;
    if (isCounted && start.skip + listed !== (counts[start.type] ?? 0)) throw hiddenRowError();
  }
}

/** Yields the remaining entries of a type. @returns their number. */
function* entriesFrom(
  sql: Statements,
  start: TypeStart,
  { limit, refresh }: { limit: number; refresh: () => void },
): Generator<IndexEntry, number> {
  let from = start;
  let listed = 0;
  while (listed < limit) {
    const blockMax = Math.min(limit - listed, BATCH_ENTRIES);
    refresh();
    const block = readBlock(sql, from, blockMax);
    for (const { entry } of block) yield entry;
    listed += block.length;
    if (block.length < blockMax) break;
    from = { type: start.type, row: block.at(-1)?.row ?? 0, skip: 0 };
  }
  return listed;
}

/** The row of the entry at a position. */
export function rowOfPosition(position: string): number {
  const [, row] = position.split(":");
  return Number(row);
}

/** For an index that lists another number of items than were counted. */
function hiddenRowError(): DamageError {
  return new DamageError({ part: "reading copy", table: "reading_item", row: null });
}

/**
 * Where each type begins, in order; leaves out types that `offset` skips entirely or that come before
 * `after`.
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
      .map((type, place) => ({ type, row: place === 0 ? Number(row) : 0, skip: 0 }));
  }
  let skip = offset;
  return types.flatMap((type): TypeStart[] => {
    const items = counts[type] ?? 0;
    const start = { type, row: 0, skip: Math.min(skip, items) };
    skip -= start.skip;
    return start.skip === items ? [] : [start];
  });
}

function readBlock(
  sql: Statements,
  { type, row, skip }: TypeStart,
  limit: number,
): { entry: IndexEntry; row: number }[] {
  return sql
    .listing(
      `SELECT ${LISTED_COLUMNS.join()}, listed_hash FROM reading_item
       WHERE row IN (SELECT row FROM reading_item INDEXED BY reading_item_type
                     WHERE type = ? AND row > ? ORDER BY row LIMIT +? OFFSET +?)
       ORDER BY row`,
    )
    .all(type, row, limit, skip)
    .map((found) => entryOf(found, type));
}

const [ROW, TYPE, PATH, TITLE, SUMMARY, LANGUAGE, UPDATED_AT] = [0, 1, 2, 3, 4, 5, 6] as const;

function entryOf(found: Row, type: string): { entry: IndexEntry; row: number } {
  requireRowHash(found, LISTED_COLUMNS.length, "reading_item");
  const row = numberOf(found, ROW);
  if (found[TYPE] !== type) throw wrongRowError("reading_item", String(row));
  return {
    row,
    entry: {
      position: `${type}:${row}`,
      path: textOf(found, PATH),
      type,
      title: textOf(found, TITLE),
      summary: textOf(found, SUMMARY),
      language: textOf(found, LANGUAGE),
      updatedAt: textOf(found, UPDATED_AT),
    },
  };
}
