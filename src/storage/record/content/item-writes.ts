import { isDeepStrictEqual } from "node:util";
import type { Insertable, Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import type { ItemChange, PathClaim } from "../../../content/record.ts";
import { auditRow } from "../access/audit.ts";
import { executeBatch, insertBatch } from "../batch-queries.ts";
import { compiledQuery } from "../compiled-query.ts";
import type { AuditRow, PathClaimRow, RecordTables, RevisionRow } from "../tables.ts";
import { itemRow, relationRows } from "./item-rows.ts";
import { saveMediaUses } from "./media-rows.ts";
import type { Claims } from "./path-moves.ts";
import { revisionHash } from "./record-hashes.ts";

const DELETE_RELATIONS = compiledQuery((db) =>
  db.deleteFrom("relations").where("from_id", "=", ""),
);
/** Gives the update query its columns. */
const NO_ITEM: Item = {
  id: "",
  type: "",
  path: "",
  title: "",
  summary: "",
  body: "",
  fields: {},
  relations: {},
  language: "",
  translationOf: null,
  status: "draft",
  publishAt: null,
  publishedAt: null,
  createdAt: "",
  updatedAt: "",
  revision: 0,
  sourceKey: null,
};
const DELETE_CLAIM = compiledQuery((db) => db.deleteFrom("path_claims").where("path", "=", ""));

const UPDATE = compiledQuery((db) => {
  const { id, ...changing } = itemRow(NO_ITEM);
  return db.updateTable("items").set(changing).where("id", "=", id);
});

/** A new state of an item and the change that led to it. */
export interface ItemWrite {
  item: Item;
  change: ItemChange;
}

interface State {
  item: Item;
  /** The stored state. */
  before: Item | null;
}

/** Saves items with their revisions and audit entries, one batch per table. */
export async function writeItems(
  db: Kysely<RecordTables>,
  writes: readonly ItemWrite[],
  claims: { before: Claims; after: Claims },
): Promise<void> {
  const states = latestStates(writes);
  const created = states.filter(({ before }) => before === null);
  const changed = states.filter(({ before }) => before !== null);
  await insertBatch(
    db,
    "items",
    created.map(({ item }) => itemRow(item)),
  );
  if (changed.length > 0) await updateItems(db, changed);
  await insertBatch(
    db,
    "relations",
    created.flatMap(({ item }) => relationRows(item)),
  );
  for (const { item, before } of states) await saveMediaUses(db, item, before);
  await writeClaims(db, claims);
  await insertBatch(db, "revisions", writes.map(revisionRow));
  await insertBatch(db, "audit", writes.map(entryRow));
}

/** The final state of each item. */
function latestStates(writes: readonly ItemWrite[]): State[] {
  const [only] = writes;
  if (only !== undefined && writes.length === 1) {
    return [{ item: only.item, before: only.change.before }];
  }
  const states = new Map<string, State>();
  for (const { item, change } of writes) {
    const earlier = states.get(item.id);
    states.set(item.id, { item, before: earlier === undefined ? change.before : earlier.before });
  }
  return [...states.values()];
}

async function updateItems(db: Kysely<RecordTables>, changed: readonly State[]): Promise<void> {
  const rows = changed.map(({ item }) => {
    const { id, ...changing } = itemRow(item);
    return [...Object.values(changing), id];
  });
  await executeBatch(db, UPDATE(db), rows);
  const relinked = changed.filter(
    ({ item, before }) => !isDeepStrictEqual(before?.relations, item.relations),
  );
  await executeBatch(
    db,
    DELETE_RELATIONS(db),
    relinked.map(({ item }) => [item.id]),
  );
  await insertBatch(
    db,
    "relations",
    relinked.flatMap(({ item }) => relationRows(item)),
  );
}

/** Deletes and inserts changed claims, so that claiming a path taken by another process fails. */
async function writeClaims(
  db: Kysely<RecordTables>,
  { before, after }: { before: Claims; after: Claims },
): Promise<void> {
  const removed: string[][] = [];
  const added: PathClaimRow[] = [];
  for (const [path, claim] of after) {
    const earlier = before.get(path) ?? null;
    if (claim === earlier) continue;
    if (earlier !== null) removed.push([path]);
    if (claim !== null) added.push(claimRow(path, claim));
  }
  await executeBatch(db, DELETE_CLAIM(db), removed);
  await insertBatch(db, "path_claims", added);
}

function claimRow(path: string, { itemId, isCurrent, wasPublic }: PathClaim): PathClaimRow {
  return {
    path,
    item_id: itemId,
    is_current: isCurrent ? 1 : 0,
    was_public: wasPublic ? 1 : 0,
  };
}

function revisionRow({ item, change }: ItemWrite): RevisionRow {
  const row = {
    item_id: item.id,
    revision: item.revision,
    at: change.at,
    actor: change.actor,
    action: change.action,
    item: JSON.stringify(item),
  };
  return { ...row, hash: revisionHash(row) };
}

function entryRow({ item, change }: ItemWrite): Insertable<AuditRow> {
  return auditRow({
    at: change.at,
    actor: change.actor,
    action: change.action,
    target: item.path,
    revisionBefore: change.before?.revision ?? null,
    revisionAfter: item.revision,
    requestId: change.requestId,
  });
}
