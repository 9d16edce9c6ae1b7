import { DatabaseSync } from "node:sqlite";
import type { PathResolution } from "../../content/library.ts";
import { numberOf, type Row, textOf } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import { requireRowHash, wrongRowError } from "./hashed-rows.ts";

const FORMER_PATH_COLUMNS = "path, row, gone_title, gone_type, hash";
const [PATH, ROW, TITLE, TYPE, HASH] = [0, 1, 2, 3, 4] as const;

/** Resolves a path at which no item is published. `pathOf` returns the path of a published row. */
export function resolveFormerPath(
  sql: StatementCache,
  path: string,
  pathOf: (row: number) => string | null,
): PathResolution {
  const former = sql
    .withArrayRows(`SELECT ${FORMER_PATH_COLUMNS} FROM reading_path WHERE path = ?`)
    .get(path);
  if (former === undefined) return redirectAt(sql, path);
  requireIntact(former, path);
  const row = numberOf(former, ROW);
  const to = pathOf(row);
  if (to !== null) return { kind: "moved", to };
  const gone = sql
    .withArrayRows(
      `SELECT ${FORMER_PATH_COLUMNS} FROM reading_path WHERE row = ? AND gone_title IS NOT NULL`,
    )
    .get(row);
  if (gone === undefined) return { kind: "absent" };
  requireRowHash(gone, HASH, "reading_path");
  return { kind: "gone", title: textOf(gone, TITLE), type: textOf(gone, TYPE) };
}

/** Returns the paths that can redirect or answer 410, sorted. */
export function readFormerPaths(file: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const rows = db
      .prepare("SELECT path FROM reading_path UNION SELECT path FROM reading_lead ORDER BY path")
      .all();
    return rows.map((row) => textOf(row, "path"));
  } finally {
    db.close();
  }
}

function redirectAt(sql: StatementCache, path: string): PathResolution {
  const lead = sql
    .withArrayRows("SELECT path, to_path, hash FROM reading_lead WHERE path = ?")
    .get(path);
  if (lead === undefined) return { kind: "absent" };
  requireRowHash(lead, 2, "reading_lead");
  const to = textOf(lead, 1);
  if (to === "") return { kind: "gone", title: null, type: null };
  return to.startsWith("/") ? { kind: "moved", to } : { kind: "elsewhere", url: to };
}

function requireIntact(former: Row, path: string): void {
  requireRowHash(former, HASH, "reading_path");
  if (former[PATH] !== path) throw wrongRowError("reading_path", path);
}
