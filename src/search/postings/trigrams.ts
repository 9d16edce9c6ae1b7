import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";

/** A trigram index. Its table `…_gram` has the number of rows that contain each trigram. */
export type TrigramIndex = "reading_name" | "reading_word";

const GRAMS_MAX = 16;
/** Limit of rows read per query. The most common, least selective trigrams are dropped first. */
const ROWS_READ_MAX = 20_000;

/** Marks the start and end of a text, so that trigrams include them. */
export function addBoundaryMarks(text: string): string {
  return `^${text}$`;
}

/** Finds the rows whose texts share the most trigrams with this text. Rows that share more come first. */
export function findRowsSharingTrigrams(
  sql: StatementCache,
  index: TrigramIndex,
  { text, limit }: { text: string; limit: number },
): number[] {
  const grams = rarestGrams(sql, index, trigramsOf(addBoundaryMarks(text)));
  if (grams.length === 0) return [];
  return sql
    .of(
      `SELECT t.rowid AS row FROM json_each(?) g CROSS JOIN ${index}_trigram t
       WHERE ${index}_trigram MATCH g.value
       GROUP BY t.rowid ORDER BY count(*) DESC, t.rowid LIMIT +?`,
    )
    .all(JSON.stringify(grams.map(quoted)), limit)
    .map((found) => numberOf(found, "row"));
}

/** The rarest trigrams within the limit of rows to read. */
function rarestGrams(sql: StatementCache, index: TrigramIndex, grams: readonly string[]): string[] {
  const known = sql
    .of(
      `SELECT v.term, v.doc FROM json_each(?) g CROSS JOIN ${index}_gram v ON v.term = g.value
       ORDER BY v.doc LIMIT +?`,
    )
    .all(JSON.stringify(grams), GRAMS_MAX)
    .map((found) => ({ gram: textOf(found, "term"), rows: numberOf(found, "doc") }));
  let rowsRead = 0;
  return known
    .filter(({ rows }, position) => {
      rowsRead += rows;
      return position === 0 || rowsRead <= ROWS_READ_MAX;
    })
    .map(({ gram }) => gram);
}

function trigramsOf(text: string): string[] {
  const characters = [...text];
  const grams = characters.slice(2).map((_, start) => characters.slice(start, start + 3).join(""));
  return [...new Set(grams)];
}

function quoted(gram: string): string {
  return `"${gram.replaceAll('"', '""')}"`;
}
