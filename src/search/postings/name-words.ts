import type { ContentTypes } from "../../content/types/content-type.ts";
import { textOf } from "../../storage/sqlite/columns.ts";
import type { StatementCache } from "../../storage/sqlite/statements.ts";
import { foldText } from "../language/folding.ts";
import { wordsOf } from "../language/words.ts";
import { findRowsSharingTrigrams } from "./trigrams.ts";

/**
 * Limit of candidates. It is high, because candidates include items that are not people. The title of a
 * quotation may share more trigrams with the word than a person's name does.
 */
const CANDIDATES_MAX = 400;

/**
 * Finds words in the names of people that may resemble `word`. The result maps each folded word to its
 * spelling in a title.
 */
export function findSimilarPersonNameWords(
  sql: StatementCache,
  word: string,
  types: ContentTypes,
): ReadonlyMap<string, string> {
  const people = [...types.values()].filter(({ schemaOrg }) => schemaOrg === "Person");
  if (people.length === 0) return new Map();
  const rows = findRowsSharingTrigrams(sql, "reading_name", { text: word, limit: CANDIDATES_MAX });
  const titles = sql
    .of(
      `SELECT i.title FROM json_each(?) r CROSS JOIN reading_item i ON i.row = r.value
       WHERE i.type IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(rows), JSON.stringify(people.map(({ name }) => name)));
  return new Map(
    titles
      .flatMap((found) => wordsOf(textOf(found, "title")))
      .map(({ text }) => [foldText(text), text]),
  );
}
