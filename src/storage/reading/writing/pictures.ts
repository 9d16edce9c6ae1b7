import type { Medium } from "../../../content/media/media.ts";
import { readMediumFile } from "../../../content/media/media-kinds.ts";
import type { FindPicture } from "../../../render/pictures.ts";
import { numberOf, numberOrNull, textOf } from "../../sqlite/columns.ts";
import type { Statements } from "../../sqlite/statements.ts";
import { requireRowHash } from "../hashed-rows.ts";
import { MEDIUM_COLUMNS } from "../tables.ts";

/** Writes the metadata of media files, and looks up the metadata of a picture. */
export class Pictures {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  put({ id, type, width, height, alt, credit, bytes, name }: Medium): void {
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

  readonly find: FindPicture = (path) => {
    if (!path.startsWith("/media/")) return null;
    const file = readMediumFile(path.slice("/media/".length));
    if (file === null) return null;
    const found = this.#sql
      .listing(`SELECT ${MEDIUM_COLUMNS}, hash FROM reading_medium WHERE id = ?`)
      .get(file.id);
    if (found === undefined) return null;
    requireRowHash(found, 8, "reading_medium");
    return {
      width: numberOrNull(found, 2),
      height: numberOrNull(found, 3),
      alt: textOf(found, 4),
      credit: textOf(found, 5),
      bytes: numberOf(found, 6),
    };
  };
}
