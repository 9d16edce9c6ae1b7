import { nameKey } from "../../search/language/folding.ts";
import { phoneticKey } from "../../search/language/phonetic-keys.ts";
import { nameSimilarity } from "../../search/language/similarity.ts";
import { nameKeyOfPath } from "../../search/postings/index-writer.ts";
import { findRowsSharingTrigrams } from "../../search/postings/trigrams.ts";
import { sortKey } from "../reading/values.ts";
import { numberOf, textOf } from "../sqlite/columns.ts";
import type { StatementCache } from "../sqlite/statements.ts";
import type { DeskNameQuery } from "./thread-queries.ts";

const LAST_CHARACTER = "\u{10ffff}";
/**
 * Limit on the candidates: items with a name that shares trigrams with the query. The limit is high,
 * because many candidates may be of types that were not requested.
 */
const CANDIDATES_MAX = 2000;
/** Limit on the items whose names are compared, which is expensive. */
const COMPARED_ITEMS_MAX = 200;
const SIMILARITY_MIN = 0.6;
const QUERY_CHARACTERS_MAX = 80;
/**
 * Factor for the similarity of a query to some words of a name. The factor ranks such a match below a
 * match with the whole name.
 */
const PART_WEIGHT = 0.98;
const SOUND_WEIGHT = 0.95;

/**
 * Returns the ids of items whose title or alias starts with `text`, in alphabetical order. Items
 * with a similar name, or a similar part of a name, follow.
 */
export function findIdsByName(
  sql: StatementCache,
  { text, types, limit }: DeskNameQuery,
): string[] {
  const key = text.trim() === "" ? "" : sortKey(text);
  const beginning = rowsStartingWith(sql, key, { types, limit });
  const isFull = beginning.length >= limit || key === "";
  const similar = isFull ? [] : rowsWithSimilarNames(sql, nameKey(text), types);
  return [...new Set([...beginning, ...similar])]
    .slice(0, limit)
    .flatMap((row) => sql.of("SELECT item_id FROM reading_row WHERE row = ?").all(row))
    .map((found) => textOf(found, "item_id"));
}

/** For each type, reads up to `limit` titles and other names in index order. */
function rowsStartingWith(
  sql: StatementCache,
  key: string,
  { types, limit }: { types: readonly string[]; limit: number },
): number[] {
  const statement = sql.of(
    `SELECT row, value FROM reading_value WHERE type = ? AND name = ? AND value >= ? AND value <= ?
     ORDER BY value, row LIMIT +?`,
  );
  const found = types.flatMap((type) =>
    ["title", "name"].flatMap((name) =>
      statement
        .all(type, name, key, key + LAST_CHARACTER, limit)
        .map((row) => ({ row: numberOf(row, "row"), value: textOf(row, "value") })),
    ),
  );
  const byName = found.sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
  return [...new Set(byName.map(({ row }) => row))].slice(0, limit);
}

function rowsWithSimilarNames(
  sql: StatementCache,
  text: string,
  types: readonly string[],
): number[] {
  const query = text.slice(0, QUERY_CHARACTERS_MAX);
  const candidates = findRowsSharingTrigrams(sql, "reading_name", {
    text: query,
    limit: CANDIDATES_MAX,
  });
  const querySound = phoneticKey(query);
  const similarityTo = (name: string) => similarityOf({ query, querySound }, name);
  return [...namesByRow(sql, rowsOfTypes(sql, candidates, types))]
    .map(([row, names]) => ({ row, similarity: Math.max(...[...names].map(similarityTo)) }))
    .filter(({ similarity }) => similarity >= SIMILARITY_MIN)
    .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
    .map(({ row }) => row);
}

/** Returns the first candidates of these types, in the order of `candidates`. */
function rowsOfTypes(
  sql: StatementCache,
  candidates: readonly number[],
  types: readonly string[],
): number[] {
  return sql
    .of(
      `SELECT i.row FROM json_each(?) r CROSS JOIN reading_item i ON i.row = r.value
       WHERE i.type IN (SELECT value FROM json_each(?)) ORDER BY r.key LIMIT ${COMPARED_ITEMS_MAX}`,
    )
    .all(JSON.stringify(candidates), JSON.stringify(types))
    .map((found) => numberOf(found, "row"));
}

/** Returns the title, other names and last path segment of each item, keyed by the row of the item. */
function namesByRow(sql: StatementCache, rows: readonly number[]): Map<number, Set<string>> {
  const list = JSON.stringify(rows);
  const names = new Map(rows.map((row) => [row, new Set<string>()]));
  for (const item of sql
    .of(
      `SELECT i.row, i.title, i.path FROM json_each(?) r CROSS JOIN reading_item i ON i.row = r.value`,
    )
    .all(list)) {
    const ownNames = [nameKey(textOf(item, "title")), nameKeyOfPath(textOf(item, "path"))];
    for (const name of ownNames) names.get(numberOf(item, "row"))?.add(name);
  }
  for (const other of sql
    .of(
      `SELECT v.row, v.value FROM json_each(?) r CROSS JOIN reading_value v ON v.row = r.value
       WHERE v.name = 'name'`,
    )
    .all(list)) {
    names.get(numberOf(other, "row"))?.add(textOf(other, "value"));
  }
  return names;
}

/**
 * Returns how similar a name is to a query. The query may be only the beginning of the name, or of
 * words in the name. Compares the whole name first. Unless the similarity is already high, also
 * compares parts of the name, and then the sound of the name.
 */
function similarityOf(
  { query, querySound }: { query: string; querySound: string },
  name: string,
): number {
  let similarity = nameSimilarity(query, name);
  if (similarity < PART_WEIGHT) {
    for (const part of partsOfQueryLength(query, name)) {
      similarity = Math.max(similarity, PART_WEIGHT * nameSimilarity(query, part));
    }
  }
  if (similarity >= SOUND_WEIGHT) return similarity;
  return Math.max(similarity, SOUND_WEIGHT * nameSimilarity(querySound, phoneticKey(name)));
}

/**
 * Returns each sequence of words in the name that has as many words as the query. Cuts its last
 * word to the length of the query's last word.
 */
function partsOfQueryLength(query: string, name: string): string[] {
  const [words, typed] = [name.split(" "), query.split(" ")];
  const length = typed.at(-1)?.length ?? 0;
  return words.slice(0, words.length - typed.length + 1).map((_, from) => {
    const part = words.slice(from, from + typed.length);
    return [...part.slice(0, -1), part.at(-1)?.slice(0, length) ?? ""].join(" ");
  });
}
