import type { Row } from "../sqlite/columns.ts";
import { DamageError } from "../sqlite/damage.ts";
import { hashOfFirst } from "../sqlite/row-hash.ts";

/** How a table is verified: each hash column with the columns it covers. */
export interface HashedTable {
  name: string;
  key: readonly string[];
  hashes: Readonly<Record<string, readonly string[]>>;
}

/** Columns shown by indexes and links. */
export const LISTED_COLUMNS = ["row", "type", "path", "title", "summary", "language", "updated_at"];
export const OTHER_COLUMNS = [
  "id",
  "has_own_summary",
  "translation_of",
  "published_at",
  "fields",
  "text",
];

/**
 * Every table of the reading copy with content for callers. A row that is read in parts has one hash per
 * part; the key is always covered, so a wrong row from a damaged index is detected too.
 */
export const HASHED_TABLES: readonly HashedTable[] = [
  { name: "reading_state", key: ["one"], hashes: { hash: ["updated_at"] } },
  { name: "reading_site", key: ["one"], hashes: { hash: ["profile", "types"] } },
  {
    name: "reading_item",
    key: ["row"],
    hashes: { listed_hash: LISTED_COLUMNS, hash: [...LISTED_COLUMNS, ...OTHER_COLUMNS] },
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
  hashedWhole("reading_value", ["type", "name", "value", "row"]),
  hashedWhole("reading_tally", ["type", "name", "value"], ["items"]),
  hashedWhole(
    "reading_link",
    ["source", "relation", "position"],
    ["target", "source_type", "note", "author", "score", "rank"],
  ),
  hashedWhole("reading_count", ["type"], ["items"]),
  hashedWhole("reading_path", ["path"], ["row", "gone_title", "gone_type"]),
  hashedWhole("reading_lead", ["path"], ["to_path"]),
  hashedWhole(
    "reading_medium",
    ["id"],
    ["type", "width", "height", "alt", "credit", "bytes", "name"],
  ),
  hashedWhole("reading_stem", ["id"], ["stem", "items"]),
  hashedWhole("reading_posting", ["place"], ["entries"]),
  hashedWhole("reading_indexed", ["row"], ["stems"]),
  hashedWhole("reading_order", ["row"], ["words"]),
  hashedWhole("reading_kind", ["id"], ["type", "language"]),
  hashedWhole("reading_kinds", ["block"], ["kinds"]),
  hashedWhole("reading_word", ["id"], ["word"]),
];

/** @throws {DamageError} unless the row has the hash it was written with. */
export function requireEqualHash(
  { stored, found }: { stored: unknown; found: number },
  table: string,
  row: string | number,
): void {
  if (stored === found) return;
  throw new DamageError({ part: "reading copy", table, row: String(row) });
}

/**
 * Verifies a row read as an array: the columns covered, none of them a blob, then the hash.
 * @throws {DamageError}
 */
export function requireRowHash(row: Row, columns: number, table: string): void {
  const found = hashOfFirst(columns, row);
  requireEqualHash({ stored: row[columns], found }, table, String(row[0]));
}

/** An index returned a row other than the one requested. */
export function wrongRowError(table: string, key: string): DamageError {
  return new DamageError({ part: "reading copy", table, row: key });
}

function hashedWhole(
  name: string,
  key: readonly string[],
  others: readonly string[] = [],
): HashedTable {
  return { name, key, hashes: { hash: [...key, ...others] } };
}
