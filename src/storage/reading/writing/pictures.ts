import type { MediaFile } from "../../../content/media/media.ts";
import { type FindPicture, pictureFinder } from "../../../render/pictures.ts";
import type { StatementCache } from "../../sqlite/statements.ts";
import { findPublicMediaFile } from "../find-public-media-file.ts";

/** Writes the metadata of media files, and looks it up for pictures. */
export class MediaMetadataWriter {
  readonly #sql: StatementCache;

  constructor(sql: StatementCache) {
    this.#sql = sql;
  }

  put({ id, type, width, height, alt, credit, bytes, name }: MediaFile): void {
    this.#sql
      .of(
        `INSERT OR REPLACE INTO reading_medium
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, row_hash(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))`,
      )
      .run(id, type, width, height, alt, credit, bytes, name);
  }

  remove(id: string): void {
    this.#sql.of("DELETE FROM reading_medium WHERE id = ?").run(id);
  }

  readonly find: FindPicture = pictureFinder((id) => findPublicMediaFile(this.#sql, id));
}
