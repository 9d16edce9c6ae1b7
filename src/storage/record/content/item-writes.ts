import { isDeepStrictEqual } from "node:util";
import type { Insertable, Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import type { ItemChange, PathOwner } from "../../../content/record.ts";
import { auditEntryToRow } from "../access/audit.ts";
import { insertRows, queryInSlices, UNREAD_RESULT_HINT } from "../batches.ts";
import type { AuditRow, PathClaimRow, RecordTables, RevisionRow } from "../tables.ts";
import { itemToRow, relationsToRows } from "./item-rows.ts";
import { saveMediaUses } from "./media-rows.ts";
import type { PathClaims } from "./path-moves.ts";
import { revisionHash } from "./record-hashes.ts";

/** A new state of an item and the change that led to it. */
export interface ItemWrite {
  item: Item;
  change: ItemChange;
}

interface State {
  item: Item;
  /** The stored state; null if the item is new. */
  before: Item | null;
}

/** Saves items with their revisions and audit entries, one batch per table. */
export async function writeItems(
  db: Kysely<RecordTables>,
  writes: readonly ItemWrite[],
  claims: { before: PathClaims; after: PathClaims },
): Promise<void> {
  const states = latestStates(writes);
  const created = states.filter(({ before }) => before === null);
  const changed = states.filter(({ before }) => before !== null);
  await releaseSourceKeys(db, changed);
  await insertRows(db, "items", { entries: created, rowOf: ({ item }) => itemToRow(item) });
  if (changed.length > 0) await updateItems(db, changed);
  await insertRelations(db, created);
  for (const { item, before } of states) await saveMediaUses(db, item, before);
  await writeClaims(db, claims);
  await insertRows(db, "revisions", { entries: writes, rowOf: revisionRow });
  await insertRows(db, "audit", { entries: writes, rowOf: entryRow });
}

/** The last written state of each item, with the state that was stored before the first of these writes. */
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

/**
 * Source keys are unique. If an item of the batch takes over a source key, the item that has the key must
 * lose it first.
 */
async function releaseSourceKeys(
  db: Kysely<RecordTables>,
  changed: readonly State[],
): Promise<void> {
  const renumbered = changed.filter(({ item, before }) => {
    const sourceKey = before?.sourceKey ?? null;
    return sourceKey !== null && sourceKey !== item.sourceKey;
  });
  await queryInSlices(
    renumbered.map(({ item }) => item.id),
    async (ids) =>
      await db
        .updateTable("items")
        .set({ source_key: null })
        .where("id", "in", ids)
        .modifyEnd(UNREAD_RESULT_HINT)
        .execute(),
  );
}

async function updateItems(db: Kysely<RecordTables>, changed: readonly State[]): Promise<void> {
  await queryInSlices(changed, async (slice) => {
    for (const { item } of slice) {
      const { id, ...changing } = itemToRow(item);
      const update = db.updateTable("items").set(changing).where("id", "=", id);
      await update.modifyEnd(UNREAD_RESULT_HINT).execute();
    }
    return [];
  });
  const relinked = changed.filter(
    ({ item, before }) => !isDeepStrictEqual(before?.relations, item.relations),
  );
  await queryInSlices(
    relinked.map(({ item }) => item.id),
    async (ids) =>
      await db
        .deleteFrom("relations")
        .where("from_id", "in", ids)
        .modifyEnd(UNREAD_RESULT_HINT)
        .execute(),
  );
  await insertRelations(db, relinked);
}

async function insertRelations(db: Kysely<RecordTables>, states: readonly State[]): Promise<void> {
  const entries = states.flatMap(({ item }) => relationsToRows(item));
  await insertRows(db, "relations", { entries, rowOf: (row) => row });
}

/** Deletes and inserts changed claims, so that the insert fails if another process has claimed the path. */
async function writeClaims(
  db: Kysely<RecordTables>,
  { before, after }: { before: PathClaims; after: PathClaims },
): Promise<void> {
  const removed: string[] = [];
  const added: [string, PathOwner][] = [];
  for (const [path, claim] of after) {
    const earlier = before.get(path) ?? null;
    if (claim === earlier) continue;
    if (earlier !== null) removed.push(path);
    if (claim !== null) added.push([path, claim]);
  }
  await queryInSlices(
    removed,
    async (paths) =>
      await db
        .deleteFrom("path_claims")
        .where("path", "in", paths)
        .modifyEnd(UNREAD_RESULT_HINT)
        .execute(),
  );
  await insertRows(db, "path_claims", {
    entries: added,
    rowOf: ([path, claim]) => claimRow(path, claim),
  });
}

function claimRow(path: string, { itemId, isCurrent, wasPublic }: PathOwner): PathClaimRow {
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
  return auditEntryToRow({
    at: change.at,
    actor: change.actor,
    action: change.action,
    target: item.path,
    revisionBefore: change.before?.revision ?? null,
    revisionAfter: item.revision,
    requestId: change.requestId,
  });
}
