import { type Kysely, sql } from "kysely";
import type { MediaFile } from "../../../content/media/media.ts";
import { queryInSlices } from "../batches.ts";
import type { RecordTables } from "../tables.ts";
import type { MediaFileRow } from "./media-file-row.ts";
import { mediaFileFromRow } from "./media-rows.ts";

/**
 * SQL condition: whether a row of the table `media` is a public file. A file is public if a published item,
 * the site's settings or a redirect shows it, or it is marked as always public.
 */
export const IS_PUBLIC_FILE_SQL = `(
  media.always_public = 1
  OR EXISTS (
    SELECT 1 FROM media_uses JOIN items ON items.id = media_uses.item_id
    WHERE media_uses.medium_id = media.id AND items.status = 'published'
  )
  OR media.id IN (SELECT substr(to_path, 8, 32) FROM redirects WHERE to_path LIKE '/media/%')
  OR EXISTS (
    SELECT 1 FROM settings
    WHERE name = 'site' AND value LIKE '%/media/' || media.id || '.%'
  )
)`;

/** Returns every public file. */
export async function readPublicMedia(db: Kysely<RecordTables>): Promise<MediaFile[]> {
  const found = await sql<MediaFileRow>`
    SELECT * FROM media WHERE ${sql.raw(IS_PUBLIC_FILE_SQL)} ORDER BY id`.execute(db);
  return found.rows.map(mediaFileFromRow);
}

/** Returns the public files among the files with these ids. */
export async function readPublicMediaAmong(
  db: Kysely<RecordTables>,
  ids: readonly string[],
): Promise<MediaFile[]> {
  const rows = await queryInSlices(ids, async (some) => {
    const found = await sql<MediaFileRow>`
      SELECT * FROM media WHERE id IN (${sql.join(some)}) AND ${sql.raw(IS_PUBLIC_FILE_SQL)}`.execute(
      db,
    );
    return found.rows;
  });
  return rows.map(mediaFileFromRow);
}
