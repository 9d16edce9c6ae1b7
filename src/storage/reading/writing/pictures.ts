import type { Medium } from "../../../content/media/media.ts";
import { readMediumFile } from "../../../content/media/media-kinds.ts";
import type { FindPicture } from "../../../render/pictures.ts";
import { numberOrNull, textOf } from "../../sqlite/columns.ts";
import type { Statements } from "../../sqlite/statements.ts";
import { requireRowHash } from "../hashed-rows.ts";

/** Writes the metadata of the site's own files. */
export class Pictures {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  put({ id, width, height, alt, credit }: Medium): void {
    this.#sql
      .of(
        `INSERT OR REPLACE INTO reading_medium
         VALUES (?1, ?2, ?3, ?4, ?5, row_hash(?1, ?2, ?3, ?4, ?5))`,
      )
      .run(id, width, height, alt, credit);
  }

  remove(id: string): void {
    this.#sql.of("DELETE FROM reading_medium WHERE id = ?").run(id);
  }

  readonly find: FindPicture = (path) => {
    if (!path.startsWith("/media/")) return null;
    const file = readMediumFile(path.slice("/media/".length));
    if (file === null || !file.kind.isPicture) return null;
    const found = this.#sql
      .listing("SELECT id, width, height, alt, credit, hash FROM reading_medium WHERE id = ?")
      .get(file.id);
    if (found === undefined) return null;
    requireRowHash(found, 5, "reading_medium");
    return {
      width: numberOrNull(found, 1),
      height: numberOrNull(found, 2),
      alt: textOf(found, 3),
      credit: textOf(found, 4),
    };
  };
}
