import { type Kysely, type RawBuilder, sql } from "kysely";
import type { RecordTables, RelationRow } from "./record/tables.ts";
import { nullIfDamageError } from "./sqlite/damage.ts";

/** Relations read by scanning the table and its index, because searches by item miss some. */
export interface ScannedRelations {
  /**
   * All relations, grouped by the id of their source item and sorted as in the item. Null: the table is
   * too damaged to scan.
   */
  rows: ReadonlyMap<string, readonly RelationRow[]> | null;
  /**
   * Number of relations of each source item, keyed by the id of the item. The numbers come from the index
   * on the targets of relations.
   */
  counts: ReadonlyMap<string, number>;
}

/**
 * Checks whether searches by item find every relation. In a damaged table, one altered key can hide other
 * relations from such searches. If any are hidden, scans the whole table. Only for SQLite.
 *
 * @param batchItems number of items whose relations are read in one search.
 * @returns null if searches find all relations.
 */
export async function scanRelationsIfSearchMisses(
  db: Kysely<RecordTables>,
  batchItems: number,
): Promise<ScannedRelations | null> {
  const found = await countBySearching(db, batchItems);
  const inTable = sql<Total>`select count(*) as total from relations not indexed`;
  const inIndex = sql<Total>`select count(*) as total from relations indexed by relations_to`;
  const totals = [await rowsUnlessDamaged(inTable, db), await rowsUnlessDamaged(inIndex, db)];
  if (totals.every((rows) => rows === null || rows[0]?.total === found)) return null;
  const all = await rowsUnlessDamaged(sql<RelationRow>`select * from relations not indexed`, db);
  const stated = await rowsUnlessDamaged(
    sql<{ id: string }>`select from_id as id from relations indexed by relations_to`,
    db,
  );
  const inOrder = all?.toSorted(byPlace) ?? null;
  const groups = Map.groupBy(stated ?? [], ({ id }) => id);
  return {
    rows: inOrder && Map.groupBy(inOrder, ({ from_id }) => from_id),
    counts: new Map([...groups].map(([id, each]) => [id, each.length])),
  };
}

interface Total {
  total: number;
}

/**
 * Runs a query. Returns null if damage makes the rows unreadable; the damage has then been reported.
 */
async function rowsUnlessDamaged<Row>(
  query: RawBuilder<Row>,
  db: Kysely<RecordTables>,
): Promise<readonly Row[] | null> {
  return (await query.execute(db).catch(nullIfDamageError))?.rows ?? null;
}

function byPlace(a: RelationRow, b: RelationRow): number {
  if (a.relation !== b.relation) return a.relation < b.relation ? -1 : 1;
  return a.position - b.position;
}

async function countBySearching(db: Kysely<RecordTables>, batchItems: number): Promise<number> {
  let found = 0;
  for (let after = ""; ; ) {
    const { rows } = await sql<{ last: string | null; relations: number }>`
      with batch as (select id from items where id > ${after} order by id limit ${batchItems})
      select max(id) as last, (select count(*) from relations
        where from_id > ${after} and from_id <= (select max(id) from batch)) as relations
      from batch`.execute(db);
    const [batch] = rows;
    if (batch === undefined || batch.last === null) return found;
    found += batch.relations;
    after = batch.last;
  }
}
