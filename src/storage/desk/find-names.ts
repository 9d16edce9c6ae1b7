import { nameKey } from "../../search/language/folding.ts";
import { phoneticKey } from "../../search/language/phonetic-keys.ts";
import { nameSimilarity } from "../../search/language/similarity.ts";
import { lastPartKey } from "../../search/postings/index-writer.ts";
import { rowsSharingTrigrams } from "../../search/postings/trigrams.ts";
import { sortKey } from "../reading/values.ts";
import { numberOf, textOf } from "../sqlite/columns.ts";
import type { Statements } from "../sqlite/statements.ts";
import type { DeskNameQuery } from "./thread-queries.ts";

const LAST_CHARACTER = "\u{10ffff}";
/** Generous, because items of other types may share as many trigrams. */
const CANDIDATES_MAX = 2000;
/** Limits how many names are compared, which is expensive. */
const COMPARED_MAX = 200;
const SIMILARITY_MIN = 0.6;
const ASKED_CHARACTERS_MAX = 80;
/** A name that only contains the text ranks below similar ones. */
const PART_SHARE = 0.98;
const SOUND_SHARE = 0.95;

/**
 * Ids of items whose title or alias starts with the text, exact names first, then of those with a
 * matching word or a similar name.
 */
export function findNames(sql: Statements, { text, types, limit }: DeskNameQuery): string[] {
  const key = text.trim() === "" ? "" : sortKey(text);
  const beginning = rowsBeginning(sql, key, { types, limit });
  const isFull = beginning.length >= limit || key === "";
  const similar = isFull ? [] : rowsAlike(sql, nameKey(text), types);
  return [...new Set([...beginning, ...similar])]
    .slice(0, limit)
    .flatMap((row) => sql.of("SELECT item_id FROM reading_row WHERE row = ?").all(row))
    .map((found) => textOf(found, "item_id"));
}

/** Each type and kind of name is read in index order, up to the limit. */
function rowsBeginning(
  sql: Statements,
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

function rowsAlike(sql: Statements, text: string, types: readonly string[]): number[] {
  const asked = text.slice(0, ASKED_CHARACTERS_MAX);
  const rows = rowsSharingTrigrams(sql, "reading_name", { text: asked, limit: CANDIDATES_MAX });
  return sql
    .of(
      `SELECT i.row, i.title, i.path FROM json_each(?) r CROSS JOIN reading_item i ON i.row = r.value
       WHERE i.type IN (SELECT value FROM json_each(?)) ORDER BY r.key LIMIT ${COMPARED_MAX}`,
    )
    .all(JSON.stringify(rows), JSON.stringify(types))
    .map((found) => {
      const row = numberOf(found, "row");
      const own = [nameKey(textOf(found, "title")), lastPartKey(textOf(found, "path"))];
      const names = new Set([...own, ...otherNames(sql, row)]);
      return { row, similarity: Math.max(...[...names].map((name) => similarityTo(asked, name))) };
    })
    .filter(({ similarity }) => similarity >= SIMILARITY_MIN)
    .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
    .map(({ row }) => row);
}

/** The text may be the incomplete beginning of a name, or of some words in it. */
function similarityTo(asked: string, name: string): number {
  const whole = nameSimilarity(asked, name);
  const bySound = SOUND_SHARE * nameSimilarity(phoneticKey(asked), phoneticKey(name));
  const parts = partsLike(asked, name).map((part) => PART_SHARE * nameSimilarity(asked, part));
  return Math.max(whole, bySound, ...parts);
}

/**
 * Runs of as many words as in the query, from each word of the name, with the last one cut to the
 * typed length.
 */
function partsLike(asked: string, name: string): string[] {
  const [words, typed] = [name.split(" "), asked.split(" ")];
  const length = typed.at(-1)?.length ?? 0;
  return words.slice(0, words.length - typed.length + 1).map((_, from) => {
    const part = words.slice(from, from + typed.length);
    return [...part.slice(0, -1), part.at(-1)?.slice(0, length) ?? ""].join(" ");
  });
}

function otherNames(sql: Statements, row: number): string[] {
  return sql
    .of("SELECT value FROM reading_value WHERE row = ? AND name = 'name'")
    .all(row)
    .map((found) => textOf(found, "value"));
}
