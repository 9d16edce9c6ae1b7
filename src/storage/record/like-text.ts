import { type RawBuilder, sql } from "kysely";

/** Escapes the wildcards of `LIKE` with a backslash. */
export function escapeLikeWildcards(text: string): string {
  return text.replaceAll(/[%_\\]/g, "\\$&");
}

/** SQL condition: whether a text contains `searched`, ignoring case. */
export function containsText(text: RawBuilder<string>, searched: string): RawBuilder<boolean> {
  const characters = [...searched.normalize("NFC")];
  const pattern = characters.map((each) => escapeLikeWildcards(each.toLowerCase())).join("");
  const lowered = otherCapitals(characters).reduce(
    (before, capital) => sql<string>`replace(${before}, ${capital}, ${capital.toLowerCase()})`,
    sql<string>`(${text})`,
  );
  return sql<boolean>`lower(${lowered}) like ${`%${pattern}%`} escape '\\'`;
}

/**
 * The capitals of these letters that the databases do not lower-case: SQLite's `lower` knows only ASCII
 * letters, and PostgreSQL's depends on the locale.
 */
function otherCapitals(characters: readonly string[]): string[] {
  const capitals = new Set([...characters, ...characters.map((each) => each.toUpperCase())]);
  return [...capitals].filter((each) => /^[^\0-\x7f]$/u.test(each) && each.toLowerCase() !== each);
}
