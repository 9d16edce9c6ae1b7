import type { ContentTypes } from "../content/types/content-type.ts";
import { sortKey } from "../storage/reading/values.ts";
import { numberOf, textOf } from "../storage/sqlite/columns.ts";
import type { StatementCache } from "../storage/sqlite/statements.ts";
import { nameKey } from "./language/folding.ts";
import { phoneticKey } from "./language/phonetic-keys.ts";
import { nameSimilarity } from "./language/similarity.ts";
import { isStopWord } from "./language/stop-words.ts";
import { nameKeyOfPath } from "./postings/index-writer.ts";
import { findRowsSharingTrigrams } from "./postings/trigrams.ts";
import type { SearchWord } from "./query.ts";

/** Limit on the number of words in a name, if the query has other words too. */
export const PART_WORDS_MAX = 5;
const QUERY_CHARACTERS_MAX = 80;
/**
 * Limit of items that are compared. Comparing is expensive, and robots trigger it by requesting
 * URLs that do not exist.
 */
const COMPARED_MAX = 40;
/**
 * Limit of candidates if only one type is wanted. The limit is higher, because items of other types are
 * filtered out afterwards, and their names may share more trigrams with the text.
 */
const CANDIDATES_OF_TYPE_MAX = 400;
/** A suggestion below this similarity confuses more than it helps. */
const SIMILARITY_MIN = 0.55;
/** A name of at least this similarity was almost certainly meant, and precedes all other results. */
const LIKELY_SIMILARITY_MIN = 0.74;
/** Weight of the similarity of sound, relative to the similarity of spelling. */
const SOUND_WEIGHT = 0.97;
/** Weight of the similarity of two names written as one word, such as `selfreliance`. */
const JOINED_WORDS_WEIGHT = 0.99;
const LAST_CHARACTER = "\u{10ffff}";

interface Candidate {
  row: number;
  similarity: number;
}

/**
 * Finds the items whose title, last path segment or alias is similar to the text, best first. With
 * `isLikely`, only items that were almost certainly meant.
 */
export function findRowsWithSimilarNames(
  sql: StatementCache,
  text: string,
  {
    type,
    limit,
    types,
    isLikely = false,
  }: { type?: string; limit: number; types: ContentTypes; isLikely?: boolean },
): number[] {
  const query = queryKey(text);
  const section = text.startsWith("/") ? sectionMeant(text, types) : null;
  const candidatesMax = type === undefined ? COMPARED_MAX : CANDIDATES_OF_TYPE_MAX;
  return findRowsSharingTrigrams(sql, "reading_name", { text: query, limit: candidatesMax })
    .flatMap((row) => {
      const item = sql.of("SELECT row, type, title, path FROM reading_item WHERE row = ?").get(row);
      return item === undefined ? [] : [item];
    })
    .filter((found) => type === undefined || found["type"] === type)
    .slice(0, COMPARED_MAX)
    .map((found): Candidate => {
      const row = numberOf(found, "row");
      const mainKeys = [nameKey(textOf(found, "title")), nameKeyOfPath(textOf(found, "path"))];
      const names = new Set([...mainKeys, ...otherNames(sql, row)]);
      const similarity = Math.max(...[...names].map((name) => similarityTo(query, name)));
      const isInSection = found["type"] === section;
      return { row, similarity: similarity + (isInSection ? 0.05 : 0) };
    })
    .filter(({ similarity }) => similarity >= (isLikely ? LIKELY_SIMILARITY_MIN : SIMILARITY_MIN))
    .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
    .slice(0, limit)
    .map(({ row }) => row);
}

/**
 * Finds the items of a type whose title or alias starts with the text, or equals it if `isExact`. Exact
 * matches come first, and the others follow in alphabetical order.
 */
export function findRowsByNamePrefix(
  sql: StatementCache,
  text: string,
  { type, isExact, limit }: { type: string; isExact: boolean; limit: number },
): number[] {
  const key = text.trim() === "" ? "" : sortKey(text);
  return sql
    .of(
      `SELECT row, min(value) AS first FROM reading_value
       WHERE type = ?2 AND name IN ('title', 'name') AND value >= ?1 AND value <= ?3
       GROUP BY row ORDER BY max(value = ?1) DESC, first, row LIMIT +?4`,
    )
    .all(key, type, isExact ? key : key + LAST_CHARACTER, limit)
    .map((found) => numberOf(found, "row"));
}

function otherNames(sql: StatementCache, row: number): string[] {
  return sql
    .of("SELECT value FROM reading_value WHERE row = ? AND name = 'name'")
    .all(row)
    .map((found) => textOf(found, "value"));
}

function similarityTo(query: string, name: string): number {
  const bySound = SOUND_WEIGHT * nameSimilarity(phoneticKey(query), phoneticKey(name));
  const byOneWord = JOINED_WORDS_WEIGHT * nameSimilarity(removeSpaces(query), removeSpaces(name));
  return Math.max(nameSimilarity(query, name), bySound, byOneWord);
}

/** Writes a name as one word: `selfreliance` for `self reliance`. */
export function removeSpaces(name: string): string {
  return name.replaceAll(" ", "");
}

function queryKey(text: string): string {
  const path = text.replace(/[?#].*$/su, "").replace(/\/+$|\.md$/u, "");
  return (text.startsWith("/") ? nameKeyOfPath(path) : nameKey(text)).slice(
    0,
    QUERY_CHARACTERS_MAX,
  );
}

/**
 * The name of the type whose list path is similar to the first path segment. For `/author/…`, this is
 * the type of authors.
 */
function sectionMeant(path: string, types: ContentTypes): string | null {
  const start = nameKey(path.split("/")[1] ?? "");
  const likely = [...types.values()]
    .filter((type) => type.listPath !== null)
    .map((type) => ({ type, similarity: nameSimilarity(start, nameKey(type.listPath ?? "")) }))
    .sort((a, b) => b.similarity - a.similarity)[0];
  return likely !== undefined && likely.similarity >= SIMILARITY_MIN ? likely.type.name : null;
}

/** These words and the text between them, normalized for comparing names. */
export function comparableName(text: string, words: readonly SearchWord[]): string {
  const [first, last] = [words[0], words.at(-1)];
  return first === undefined || last === undefined
    ? ""
    : sortKey(text.slice(first.start, last.end));
}

/** Sequences of words that may be names, longest first. */
export function findPossibleNames(words: readonly SearchWord[]): SearchWord[][] {
  return Array.from({ length: PART_WORDS_MAX }, (_, n) => PART_WORDS_MAX - n).flatMap((length) =>
    words.flatMap((_, from) => {
      const part = words.slice(from, from + length);
      const isName = part.some(({ text, isFiller }) => !isFiller && !isStopWord(text));
      return part.length === length && isName ? [part] : [];
    }),
  );
}
