import type { Kysely } from "kysely";
import type { ItemReference } from "../../../content/record.ts";
import { queryInSlices } from "../batches.ts";
import type { RecordTables } from "../tables.ts";

const UUID_PATTERN = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Looks up items by path, source key or id. Omits unknown names. */
export async function findReferencedItems(
  db: Kysely<RecordTables>,
  names: readonly string[],
): Promise<ReadonlyMap<string, ItemReference>> {
  if (names.length === 0) return new Map();
  const paths = names.filter((name) => name.startsWith("/"));
  const others = names.filter((name) => !name.startsWith("/"));
  // Later entries overwrite earlier ones. An id therefore takes precedence over an identical source
  // key.
  return new Map([
    ...(await findByPath(db, paths)),
    ...(await findBySourceKey(db, others)),
    ...(await findById(
      db,
      others.filter((name) => UUID_PATTERN.test(name)),
    )),
  ]);
}

async function findByPath(
  db: Kysely<RecordTables>,
  paths: readonly string[],
): Promise<[string, ItemReference][]> {
  const rows = await queryInSlices(
    paths,
    async (some) =>
      await db
        .selectFrom("path_claims")
        .innerJoin("items", "items.id", "path_claims.item_id")
        .select(["path_claims.path", "items.id", "items.type"])
        .where("path_claims.path", "in", some)
        .execute(),
  );
  return rows.map(({ path, id, type }) => [path, { id, type }]);
}

async function findById(
  db: Kysely<RecordTables>,
  ids: readonly string[],
): Promise<[string, ItemReference][]> {
  const rows = await queryInSlices(
    ids,
    async (some) =>
      await db.selectFrom("items").select(["id", "type"]).where("id", "in", some).execute(),
  );
  return rows.map(({ id, type }) => [id, { id, type }]);
}

async function findBySourceKey(
  db: Kysely<RecordTables>,
  sourceKeys: readonly string[],
): Promise<[string, ItemReference][]> {
  const rows = await queryInSlices(
    sourceKeys,
    async (some) =>
      await db
        .selectFrom("items")
        .select(["source_key", "id", "type"])
        .where("source_key", "in", some)
        .execute(),
  );
  return rows.flatMap(({ source_key, id, type }) =>
    source_key === null ? [] : [[source_key, { id, type }]],
  );
}
