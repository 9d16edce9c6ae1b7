import type { Row } from "../sqlite/columns.ts";
import { DamageError } from "../sqlite/damage.ts";
import { rowHashOfFirstColumns } from "../sqlite/row-hash.ts";

/**
 * How the rows of a table are verified: `hashes` has, for each hash column, the columns that the
 * hash covers.
 */
export interface HashedTable {
  name: string;
  key: readonly string[];
  hashes: Readonly<Record<string, readonly string[]>>;
}

/**
 * The columns of `reading_item` that `index-entries.ts` and `creator-counts.ts` read. These columns
 * also have their own hash, so that both files can verify a row without reading its other columns.
 */
export const LISTED_ITEM_COLUMNS = [
  "row",
  "type",
  "path",
  "title",
  "summary",
  "language",
  "updated_at",
];
export const UNLISTED_ITEM_COLUMNS = [
  "id",
  "has_own_summary",
  "translation_of",
  "published_at",
  "fields",
  "text",
];

/**
 * The tables of the reading copy from which callers get content. If callers read only some columns of a
 * row, these columns have a hash of their own. Every hash covers the key, so that a wrong row from a
 * damaged index is detected too.
 */
export const HASHED_READING_TABLES: readonly HashedTable[] = [
  { name: "reading_state", key: ["one"], hashes: { hash: ["updated_at"] } },
  { name: "reading_site", key: ["one"], hashes: { hash: ["profile", "types"] } },
  {
    name: "reading_item",
    key: ["row"],
    hashes: {
      listed_hash: LISTED_ITEM_COLUMNS,
      hash: [...LISTED_ITEM_COLUMNS, ...UNLISTED_ITEM_COLUMNS],
    },
  },
  {
    name: "reading_body",
    key: ["row"],
    hashes: {
      html_hash: ["row", "html"],
      markdown_hash: ["row", "markdown"],
      text_hash: ["row", "text_rest"],
    },
  },
  {
    name: "reading_related",
    key: ["row"],
    hashes: { related_hash: ["row", "related"], around_hash: ["row", "surroundings"] },
  },
  tableWithOneHash("reading_value", ["type", "name", "value", "row"]),
  tableWithOneHash("reading_tally", ["type", "name", "value"], ["items"]),
  tableWithOneHash(
    "reading_link",
    ["source", "relation", "position"],
    ["target", "source_type", "language", "note", "author", "score", "rank"],
  ),
  tableWithOneHash("reading_count", ["type"], ["items"]),
  tableWithOneHash("reading_path", ["path"], ["row", "gone_title", "gone_type"]),
  tableWithOneHash("reading_lead", ["path"], ["to_path"]),
  tableWithOneHash(
    "reading_medium",
    ["id"],
    ["type", "width", "height", "alt", "credit", "bytes", "name"],
  ),
  tableWithOneHash("reading_stem", ["id"], ["stem", "items"]),
  tableWithOneHash("reading_posting", ["place"], ["entries"]),
  tableWithOneHash("reading_indexed", ["row"], ["stems"]),
  tableWithOneHash("reading_order", ["row"], ["words"]),
  tableWithOneHash("reading_kind", ["id"], ["type", "language"]),
  tableWithOneHash("reading_kinds", ["block"], ["kinds"]),
  tableWithOneHash("reading_word", ["id"], ["word"]),
];

/** @throws {DamageError} if the hashes differ. */
export function requireEqualHash(
  { stored, found }: { stored: unknown; found: number },
  table: string,
  row: string | number,
): void {
  if (stored === found) return;
  throw new DamageError({ part: "reading copy", table, row: String(row) });
}

/**
 * Verifies a row that was read as an array. The hash of the row must follow the `columns` columns that
 * the hash covers. None of these columns may be a blob.
 * @throws {DamageError} if the hash does not match.
 */
export function requireRowHash(row: Row, columns: number, table: string): void {
  const found = rowHashOfFirstColumns(columns, row);
  requireEqualHash({ stored: row[columns], found }, table, String(row[0]));
}

/** The error for an index that returned another row than the requested one. */
export function wrongRowError(table: string, key: string): DamageError {
  return new DamageError({ part: "reading copy", table, row: key });
}

function tableWithOneHash(
  name: string,
  key: readonly string[],
  others: readonly string[] = [],
): HashedTable {
  return { name, key, hashes: { hash: [...key, ...others] } };
}
