import type { DatabaseSync } from "node:sqlite";
import { HASHED_RECORD_TABLES } from "../record/content/record-hashes.ts";
import type { Row } from "../sqlite/columns.ts";
import type { DamageLocation } from "../sqlite/damage.ts";
import { registerRowHash } from "../sqlite/row-hash.ts";

/** Yields each damaged location. Yields null where the caller may pause. */
export type DamageCheck = Generator<DamageLocation | null>;

const SLICE_ITEMS = 200;
const COMPARED_COLUMNS = ["type", "path", "title", "language", "updated_at"];

/** Compares the columns of each item in the record with the same columns in the reading copy. */
const SLICE_QUERY = `
  SELECT i.id, i.status = 'published' AS is_published, t.row IS NOT NULL AS is_shown,
    ${COMPARED_COLUMNS.map((name) => `t.${name} IS i.${name}`).join(" AND ")}
      AND b.row IS NOT NULL AND n.row IS NOT NULL AS is_same,
    i.hash IS NULL OR i.hash IS row_hash(${itemColumns()}) AS is_whole
  FROM items i LEFT JOIN reading_row r ON r.item_id = i.id
  LEFT JOIN reading_item t ON t.row = r.row
  LEFT JOIN reading_body b ON b.row = r.row LEFT JOIN reading_related n ON n.row = r.row
  WHERE i.id > ? ORDER BY i.id LIMIT ${SLICE_ITEMS}`;

const STRAY_ITEM = `SELECT t.row FROM reading_item t LEFT JOIN reading_row r ON r.row = t.row
  LEFT JOIN items i ON i.id = r.item_id WHERE i.id IS NULL LIMIT 1`;

/** Compares the reading copy with the record in the same file, if the file has both. */
export function* compareCopyWithRecord(db: DatabaseSync): DamageCheck {
  if (!hasTables(db)) return;
  registerRowHash(db);
  const slice = db.prepare(SLICE_QUERY);
  for (let after = ""; ; ) {
    const rows = slice.all(after);
    for (const row of rows) if (!agrees(row)) yield damagedItem(row["id"]);
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE_ITEMS) break;
    after = String(last["id"]);
    yield null;
  }
  const stray = db.prepare(STRAY_ITEM).get();
  if (stray !== undefined) yield damagedItem(stray["row"]);
}

/**
 * Whether copy and record agree about an item. Also true if the item is damaged in the record:
 * copies omit such items, and another check reports the damage.
 */
function agrees({ is_whole, is_published, is_shown, is_same }: Row): boolean {
  return is_whole === 0 || (is_published === is_shown && (is_shown === 0 || is_same === 1));
}

function damagedItem(row: unknown): DamageLocation {
  return { part: "reading copy", table: "reading_item", row: String(row) };
}

function itemColumns(): string {
  const [items] = HASHED_RECORD_TABLES;
  return (items?.hashes["hash"] ?? []).map((name) => `i.${name}`).join();
}

function hasTables(db: DatabaseSync): boolean {
  const found = db.prepare(
    "SELECT count(*) AS tables FROM sqlite_schema WHERE name IN ('items', 'reading_item')",
  );
  return found.get()?.["tables"] === 2;
}
