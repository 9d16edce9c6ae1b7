import type { HashedTable } from "../../reading/hashed-rows.ts";
import { reportRecordDamage } from "../../sqlite/damage.ts";
import { rowHash } from "../../sqlite/row-hash.ts";
import type { ItemRow, RelationRow, RevisionRow } from "../tables.ts";

/** Columns that item lists need. */
export const OUTLINE_COLUMNS = [
  "id",
  "type",
  "path",
  "title",
  "summary",
  "language",
  "translation_of",
  "status",
  "publish_at",
  "published_at",
  "created_at",
  "updated_at",
  "revision",
  "source_key",
] as const;

export const DRAFT_COLUMNS = [
  "id",
  "type",
  "item_id",
  "base_revision",
  "version",
  "parts",
  "title",
  "editors",
  "publish_at",
  "problem",
  "created_at",
  "updated_at",
] as const;

/** These columns have a separate hash, because rows were hashed before the columns existed. */
export const DATE_COLUMNS = ["expire_at", "review_at"] as const;

export type OutlineRow = Pick<
  ItemRow,
  (typeof OUTLINE_COLUMNS)[number] | (typeof DATE_COLUMNS)[number]
>;

/** Tables with row hashes, for the integrity sweep. */
export const HASHED_RECORD_TABLES: readonly HashedTable[] = [
  {
    name: "items",
    key: ["id"],
    hashes: {
      outline_hash: OUTLINE_COLUMNS,
      hash: [...OUTLINE_COLUMNS, "body", "fields"],
      dates_hash: ["id", ...DATE_COLUMNS],
    },
  },
  {
    name: "relations",
    key: ["from_id", "relation", "position"],
    hashes: { hash: ["from_id", "relation", "position", "to_id", "note"] },
  },
  {
    name: "revisions",
    key: ["item_id", "revision"],
    hashes: { hash: ["item_id", "revision", "at", "actor", "action", "item"] },
  },
  { name: "drafts", key: ["id"], hashes: { hash: DRAFT_COLUMNS } },
  { name: "settings", key: ["name"], hashes: { hash: ["name", "value"] } },
];

/** The order of the columns must match the migration that first filled the hashes. */
export function itemOutlineHash(row: OutlineRow): number {
  return rowHash(...OUTLINE_COLUMNS.map((column) => row[column]));
}

export function itemHash(row: Omit<ItemRow, "hash" | "outline_hash" | "dates_hash">): number {
  return rowHash(...OUTLINE_COLUMNS.map((column) => row[column]), row.body, row.fields);
}

export function itemDatesHash(row: Pick<ItemRow, "id" | "expire_at" | "review_at">): number {
  return rowHash(row.id, row.expire_at, row.review_at);
}

export function relationHash(row: Omit<RelationRow, "hash">): number {
  return rowHash(row.from_id, row.relation, row.position, row.to_id, row.note);
}

export function revisionHash(row: Omit<RevisionRow, "hash">): number {
  return rowHash(row.item_id, row.revision, row.at, row.actor, row.action, row.item);
}

export function settingHash({ name, value }: { name: string; value: string }): number {
  return rowHash(name, value);
}

/** Accepts old rows without a hash. @throws {DamageError} when the hashes differ. */
export function requireMatchingHash(
  { stored, found }: { stored: number | null; found: number },
  table: "items" | "relations" | "revisions" | "drafts" | "settings",
  key: string,
): void {
  if (stored !== null && stored !== found) throw reportRecordDamage(table, key);
}
