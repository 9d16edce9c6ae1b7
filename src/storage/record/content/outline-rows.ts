import type { ItemOutline } from "../../../content/items/item.ts";
import type { ItemRow } from "../tables.ts";
import {
  DATE_COLUMNS,
  itemDatesHash,
  itemOutlineHash,
  OUTLINE_COLUMNS,
  type OutlineRow,
  requireMatchingHash,
} from "./record-hashes.ts";

/** The columns from which an `ItemOutline` is read, with the hashes that detect damage to them. */
export const VERIFIED_OUTLINE_COLUMNS = [
  ...OUTLINE_COLUMNS,
  ...DATE_COLUMNS,
  "outline_hash",
  "dates_hash",
] as const;

/** @throws {DamageError} when the row does not match its hash. */
export function outlineFromRow(
  row: OutlineRow & Pick<ItemRow, "outline_hash" | "dates_hash">,
): ItemOutline {
  requireMatchingHash({ stored: row.outline_hash, found: itemOutlineHash(row) }, "items", row.id);
  requireMatchingHash({ stored: row.dates_hash, found: itemDatesHash(row) }, "items", row.id);
  return unverifiedOutlineFromRow(row);
}

/**
 * Returns the outline in a row. Does not compare the row's hashes, which the caller has verified.
 */
export function unverifiedOutlineFromRow(row: OutlineRow): ItemOutline {
  return {
    id: row.id,
    type: row.type,
    path: row.path,
    title: row.title,
    summary: row.summary,
    language: row.language,
    translationOf: row.translation_of,
    status: row.status,
    publishAt: row.publish_at,
    publishedAt: row.published_at,
    expireAt: row.expire_at,
    reviewAt: row.review_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    sourceKey: row.source_key,
  };
}
