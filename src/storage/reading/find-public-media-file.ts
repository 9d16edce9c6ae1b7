import type { PublicMediaFile } from "../../content/library.ts";
import { numberOf, numberOrNull, textOf } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import { requireRowHash } from "./hashed-rows.ts";
import { MEDIA_FILE_COLUMNS } from "./tables.ts";

/** Returns null if no public page shows the file. */
export function findPublicMediaFile(sql: StatementCache, id: string): PublicMediaFile | null {
  const found = sql
    .withArrayRows(`SELECT ${MEDIA_FILE_COLUMNS}, hash FROM reading_medium WHERE id = ?`)
    .get(id);
  if (found === undefined) return null;
  requireRowHash(found, 8, "reading_medium");
  return {
    id,
    type: textOf(found, 1),
    width: numberOrNull(found, 2),
    height: numberOrNull(found, 3),
    alt: textOf(found, 4),
    credit: textOf(found, 5),
    bytes: numberOf(found, 6),
    name: textOf(found, 7),
  };
}
