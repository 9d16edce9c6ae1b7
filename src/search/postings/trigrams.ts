import { numberOf, textOf } from "../../storage/sqlite/columns.ts";
import type { Statements } from "../../storage/sqlite/statements.ts";

/** Trigram indexes, each with its `…_gram` table of how many rows a trigram stands in. */
export type TrigramIndex = "reading_name" | "reading_word";

const GRAMS_MAX = 16;
/** Rows read for one question; the trigrams in most rows, which tell least, are left out first. */
const ROWS_READ_MAX = 20_000;

/** A text as trigram indexes hold it, so that its beginning and end count. */
export function bounded(text: string): string {
  return `^${text}$`;
}

/** Row numbers of the texts that share most trigrams with this one, most first. */
export function rowsSharingTrigrams(
  sql: Statements,
  index: TrigramIndex,
  { text, limit }: { text: string; limit: number },
): number[] {
  const grams = rarestGrams(sql, index, trigramsOf(bounded(text)));
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

/** The rarest, as many as may be read. */
function rarestGrams(sql: Statements, index: TrigramIndex, grams: readonly string[]): string[] {
  const known = sql
    .of(
      `SELECT v.term, v.doc FROM json_each(?) g CROSS JOIN ${index}_gram v ON v.term = g.value
       ORDER BY v.doc LIMIT +?`,
    )
    .all(JSON.stringify(grams), GRAMS_MAX)
    .map((found) => ({ gram: textOf(found, "term"), rows: numberOf(found, "doc") }));
  let read = 0;
  return known
    .filter(({ rows }, place) => {
      read += rows;
      return place === 0 || read <= ROWS_READ_MAX;
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
