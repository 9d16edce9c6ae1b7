import { isDeepStrictEqual } from "node:util";
import type { Kysely } from "kysely";
import type { Item } from "../../../content/items/item.ts";
import type { MediaFile, RemovedMediaFile } from "../../../content/media/media.ts";
import { extractMediaPathsById, parseMediaFileName } from "../../../content/media/media-kinds.ts";
import { insertRows } from "../batches.ts";
import type { RecordTables } from "../tables.ts";
import type { MediaFileRow, RemovedMediaFileRow } from "./media-file-row.ts";

const MEDIA_PATH = "/media/";

export function mediaFileFromRow(row: MediaFileRow): MediaFile {
  const { added_by, added_at, updated_at, always_public, decorative, ...same } = row;
  return {
    ...same,
    alwaysPublic: always_public === 1,
    isDecorative: decorative === 1,
    addedBy: added_by,
    addedAt: added_at,
    updatedAt: updated_at,
  };
}

export function mediaFileToRow(medium: MediaFile): MediaFileRow {
  const { addedBy, addedAt, updatedAt, alwaysPublic, isDecorative, ...same } = medium;
  return {
    ...same,
    always_public: alwaysPublic ? 1 : 0,
    decorative: isDecorative ? 1 : 0,
    added_by: addedBy,
    added_at: addedAt,
    updated_at: updatedAt,
  };
}

/** Returns null if the file was withdrawn by an earlier version, which kept no metadata. */
export function removedMediaFileFromRow({
  medium,
  removed_at: removedAt,
}: Pick<RemovedMediaFileRow, "medium" | "removed_at">): RemovedMediaFile | null {
  if (medium === null || removedAt === null) return null;
  const row: MediaFileRow = JSON.parse(medium);
  return { medium: mediaFileFromRow(row), removedAt };
}

/** Saves which files the item's texts use. Call in the transaction that saves the item. */
export async function saveMediaUses(
  db: Kysely<RecordTables>,
  item: Item,
  before: Item | null,
): Promise<void> {
  const used = [...extractMediaPathsById(item).keys()];
  const usedBefore = before === null ? [] : [...extractMediaPathsById(before).keys()];
  if (used.length === 0 && usedBefore.length === 0) return;
  if (isDeepStrictEqual(used, usedBefore)) return;
  await db.deleteFrom("media_uses").where("item_id", "=", item.id).execute();
  const rowOf = (medium_id: string) => ({ item_id: item.id, medium_id });
  await insertRows(db, "media_uses", { entries: used, rowOf });
}

/** Whether a published item shows the file with this path. */
export async function isFileInPublishedItem(
  db: Kysely<RecordTables>,
  path: string,
): Promise<boolean> {
  const file = path.startsWith(MEDIA_PATH)
    ? parseMediaFileName(path.slice(MEDIA_PATH.length))
    : null;
  if (file === null) return false;
  const found = await db
    .selectFrom("media_uses")
    .innerJoin("items", "items.id", "media_uses.item_id")
    .select("items.id")
    .where("media_uses.medium_id", "=", file.id)
    .where("items.status", "=", "published")
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether a file of the site has this path. */
export async function isPathOfSiteFile(db: Kysely<RecordTables>, path: string): Promise<boolean> {
  const file = path.startsWith(MEDIA_PATH)
    ? parseMediaFileName(path.slice(MEDIA_PATH.length))
    : null;
  if (file === null) return false;
  const found = await db
    .selectFrom("media")
    .select("id")
    .where("id", "=", file.id)
    .where("type", "=", file.kind.type)
    .executeTakeFirst();
  return found !== undefined;
}
