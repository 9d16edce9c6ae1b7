import { isDeepStrictEqual } from "node:util";
import type { Insertable, Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import type { ItemChange, PathClaim } from "../../../content/record.ts";
import { auditRow } from "../access/audit.ts";
import { compiledOnce } from "../compiled.ts";
import { executeMany, insertMany } from "../many-rows.ts";
import type { AuditRow, PathClaimRow, RecordTables, RevisionRow } from "../tables.ts";
import { itemRow, relationRows } from "./item-rows.ts";
import { keepMediaUses } from "./media-rows.ts";
import type { Claims } from "./path-moves.ts";
import { revisionHash } from "./record-hashes.ts";

const WITHOUT_RELATIONS = compiledOnce((db) =>
  db.deleteFrom("relations").where("from_id", "=", ""),
);
/** For the columns of its row. */
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
const WITHOUT_CLAIM = compiledOnce((db) => db.deleteFrom("path_claims").where("path", "=", ""));

const UPDATE = compiledOnce((db) => {
  const { id, ...changing } = itemRow(NO_ITEM);
  return db.updateTable("items").set(changing).where("id", "=", id);
});

/** A new state of an item to be kept, with what led to it. */
export interface ItemWrite {
  item: Item;
  change: ItemChange;
}

interface State {
  item: Item;
  /** As the tables have it. */
  before: Item | null;
}

/** Keeps states of items with their revisions and audit entries, each table in one go. */
export async function writeItems(
  db: Kysely<RecordTables>,
  writes: readonly ItemWrite[],
  claims: { before: Claims; after: Claims },
): Promise<void> {
  const states = latestStates(writes);
  const made = states.filter(({ before }) => before === null);
  const changed = states.filter(({ before }) => before !== null);
  await insertMany(
    db,
    "items",
    made.map(({ item }) => itemRow(item)),
  );
  if (changed.length > 0) await updateItems(db, changed);
  await insertMany(
    db,
    "relations",
    made.flatMap(({ item }) => relationRows(item)),
  );
  for (const { item, before } of states) await keepMediaUses(db, item, before);
  await writeClaims(db, claims);
  await insertMany(db, "revisions", writes.map(revisionRow));
  await insertMany(db, "audit", writes.map(entryRow));
}

/** Of an item that is changed more than once, the state it ends in. */
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
  await executeMany(db, UPDATE(db), rows);
  const restated = changed.filter(
    ({ item, before }) => !isDeepStrictEqual(before?.relations, item.relations),
  );
  await executeMany(
    db,
    WITHOUT_RELATIONS(db),
    restated.map(({ item }) => [item.id]),
  );
  await insertMany(
    db,
    "relations",
    restated.flatMap(({ item }) => relationRows(item)),
  );
}

/** Claims that changed are made anew, so that taking one that another has taken meanwhile fails. */
async function writeClaims(
  db: Kysely<RecordTables>,
  { before, after }: { before: Claims; after: Claims },
): Promise<void> {
  const ended: string[][] = [];
  const begun: PathClaimRow[] = [];
  for (const [path, claim] of after) {
    const earlier = before.get(path) ?? null;
    if (claim === earlier) continue;
    if (earlier !== null) ended.push([path]);
    if (claim !== null) begun.push(claimRow(path, claim));
  }
  await executeMany(db, WITHOUT_CLAIM(db), ended);
  await insertMany(db, "path_claims", begun);
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
