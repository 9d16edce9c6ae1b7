import { type Kysely, sql } from "kysely";
import type { DamagedPlace } from "../../sqlite/damage.ts";
import { WRONG_COUNTS } from "../item-counts.ts";
import type { RecordTables } from "../tables.ts";
import { itemHash, outlineHash, relationHash, revisionHash } from "./record-hashes.ts";

/** Small, because an item or revision may take a megabyte. */
const BLOCK_ROWS = 50;
const BLOCK_RELATIONS = 1000;

interface CheckedRow {
  key: string;
  stored: number | null;
  found: number;
}

/**
 * Compares items, relations and revisions with the hashes in their rows, in small separate queries, and the
 * counts of items with the items.
 * Yields each damaged row, and null after each query for rows, where the caller may pause.
 */
export async function* checkRecordRows(
  db: Kysely<RecordTables>,
): AsyncGenerator<DamagedPlace | null> {
  yield* damagedIn("items", itemBlocks(db));
  yield* damagedIn("relations", relationBlocks(db));
  yield* damagedIn("revisions", revisionBlocks(db));
  const { rows } = await sql<{ name: string }>`${sql.raw(WRONG_COUNTS)}`.execute(db);
  for (const { name } of rows) yield { part: "record", table: "item_counts", row: name };
}

async function* damagedIn(
  table: string,
  blocks: AsyncIterable<readonly CheckedRow[]>,
): AsyncGenerator<DamagedPlace | null> {
  for await (const rows of blocks) {
    const damaged = new Set(rows.filter(isDamaged).map(({ key }) => key));
    for (const row of damaged) yield { part: "record", table, row };
    yield null;
  }
}

/** Rows written before hashes existed have none, and count as undamaged. */
function isDamaged({ stored, found }: CheckedRow): boolean {
  return stored !== null && stored !== found;
}

async function* itemBlocks(db: Kysely<RecordTables>): AsyncGenerator<CheckedRow[]> {
  for (let after = ""; ; ) {
    const rows = await db
      .selectFrom("items")
      .selectAll()
      .where("id", ">", after)
      .orderBy("id")
      .limit(BLOCK_ROWS)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.flatMap((row) => [
      { key: row.id, stored: row.outline_hash, found: outlineHash(row) },
      { key: row.id, stored: row.hash, found: itemHash(row) },
    ]);
    after = last.id;
  }
}

async function* relationBlocks(db: Kysely<RecordTables>): AsyncGenerator<CheckedRow[]> {
  for (let after = { from_id: "", relation: "", position: -1 }; ; ) {
    const { from_id, relation, position } = after;
    const rows = await db
      .selectFrom("relations")
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("from_id", "relation", "position"), ">", tuple(from_id, relation, position)),
      )
      .orderBy("from_id")
      .orderBy("relation")
      .orderBy("position")
      .limit(BLOCK_RELATIONS)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({
      key: `${row.from_id} ${row.relation} ${row.position}`,
      stored: row.hash,
      found: relationHash(row),
    }));
    after = last;
  }
}

async function* revisionBlocks(db: Kysely<RecordTables>): AsyncGenerator<CheckedRow[]> {
  for (let after = { item_id: "", revision: -1 }; ; ) {
    const { item_id, revision } = after;
    const rows = await db
      .selectFrom("revisions")
      .selectAll()
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("item_id", "revision"), ">", tuple(item_id, revision)),
      )
      .orderBy("item_id")
      .orderBy("revision")
      .limit(BLOCK_ROWS)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map((row) => ({
      key: `${row.item_id} ${row.revision}`,
      stored: row.hash,
      found: revisionHash(row),
    }));
    after = last;
  }
}
